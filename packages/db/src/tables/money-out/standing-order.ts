import type { Json, Once, Time } from '../../columns.ts'

declare module '../schema.ts' {
  /** Tables of features/standing-order. */
  interface Schema {
    scheduled_reason: ScheduledReason
    standing_look: StandingLook
    standing_narrowing: StandingNarrowing
    standing_reason: StandingReason
  }
}

type ScheduledReason = { org_id: Once<string>; standing_order_id: Once<string>; day: Once<number>; reason: string; detail: string | null; at: Time }

type StandingLook = { org_id: Once<string>; standing_order_id: Once<string>; looked_at: Time }

type StandingNarrowing = { org_id: Once<string>; standing_order_id: Once<string>; document: Json; updated_at: Time }

type StandingReason = {
  org_id: Once<string>
  standing_order_id: Once<string>
  chain: Once<string>
  address: Once<string>
  contract: Once<string>
  sub_wallet_id: Once<string>
  amount: bigint
  /** Null once nothing is left to say. */
  reason: string | null
  detail: string | null
  at: Time
}
