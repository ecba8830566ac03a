import type { ColumnType } from 'kysely'
import type { Once, Time, TimeOnce, TimeOrNull } from '../columns.ts'

declare module './schema.ts' {
  /** Tables of features/proposal. */
  interface Schema {
    proposal: Proposal
    proposal_person: ProposalPerson
    order_reminder: OrderReminder
    qr_code: QrCode
  }
}

type Proposal = {
  org_id: Once<string>
  subject_id: Once<string>
  kind: Once<string>
  intent_hash: Once<Uint8Array | null>
  initiator: Once<string | null>
  wallet_id: Once<string | null>
  rank: Once<number>
  words: Once<string>
  is_open: boolean
  expires_at: ColumnType<bigint | null, bigint | number | null, never>
  created_at: TimeOnce
  /** Since when its people were told that they can still stop it, after its approvals; null if it never waited. */
  stop_since?: TimeOrNull
  /** Until when they can; null where they cannot, or no more. */
  stop_until?: TimeOrNull
}

type ProposalPerson = {
  org_id: Once<string>
  subject_id: Once<string>
  person_id: Once<string>
  spoken_at: TimeOrNull
}

/** Of a proposal of any kind, by its subject. */
type OrderReminder = { org_id: Once<string>; order_id: Once<string>; person_id: string; times: number; reminded_at: Time }

type QrCode = {
  org_id: Once<string>
  id: string
  person_id: Once<string>
  subject_id: Once<string>
  intent_hash: Once<Uint8Array>
  created_at: Time
  expires_at: Time
  opened_at: TimeOrNull
}
