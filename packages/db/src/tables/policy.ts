import type { Json, Once, Time, TimeOnce } from '../columns.ts'

declare module './schema.ts' {
  /** Tables of features/policy. */
  interface Schema {
    policy_version: PolicyVersion
    policy_change: PolicyChange
    policy_change_event: PolicyChangeEvent
    signer_order: SignerOrder
    signer_order_event: SignerOrderEvent
    signing_freeze: SigningFreeze
    standing_stop: StandingStop
  }
}

type PolicyVersion = {
  org_id: Once<string>
  version: Once<bigint>
  bytes: Once<Uint8Array>
  hash: Once<Uint8Array>
  change: Once<Uint8Array | null>
  /** Absent in versions from before signers spoke for each other. */
  endorsements?: Once<Uint8Array | null>
  created_at: TimeOnce
}

export type PolicyChangeState = 'approving' | 'approved' | 'applied' | 'rejected' | 'refused' | 'withdrawn' | 'expired' | 'superseded'

type PolicyChange = {
  org_id: Once<string>
  id: Once<string>
  intent: Once<Uint8Array>
  intent_hash: Once<Uint8Array>
  base_version: Once<bigint>
  initiator: Once<string>
  state: PolicyChangeState
  is_final: boolean
  reason: string | null
  endorsements?: Uint8Array | null
  /** Until when signers wait before they follow it, where it loosens the policy. */
  waits_until?: Time | null
  expires_at: TimeOnce
  created_at: TimeOnce
  updated_at: Time
  version: number
}

type PolicyChangeEvent = {
  org_id: Once<string>
  change_id: Once<string>
  seq: Once<number>
  state: Once<string>
  actor: Once<string>
  reason: Once<string | null>
  at: TimeOnce
}

export type SignerOrderState = 'approving' | 'approved' | 'followed' | 'rejected' | 'refused' | 'withdrawn' | 'expired' | 'superseded'

type SignerOrder = {
  org_id: Once<string>
  id: Once<string>
  kind: Once<'absence' | 'lift_freeze' | 'address_book' | 'standing_order'>
  intent: Once<Uint8Array>
  intent_hash: Once<Uint8Array>
  policy_version: Once<bigint>
  initiator: Once<string>
  state: SignerOrderState
  is_final: boolean
  reason: string | null
  places: Json
  endorsements: Uint8Array | null
  followed: Json
  expires_at: TimeOnce
  created_at: TimeOnce
  updated_at: Time
  version: number
}

type SignerOrderEvent = {
  org_id: Once<string>
  order_id: Once<string>
  seq: Once<number>
  state: Once<string>
  actor: Once<string>
  reason: Once<string | null>
  at: TimeOnce
}

type SigningFreeze = {
  org_id: Once<string>
  hash: Once<Uint8Array>
  record: Once<Uint8Array>
  person_id: Once<string>
  told: Json
  lifted_by: string | null
  created_at: TimeOnce
  updated_at: Time
}

type StandingStop = {
  org_id: Once<string>
  hash: Once<Uint8Array>
  record: Once<Uint8Array>
  person_id: Once<string>
  told: Json
  created_at: TimeOnce
  updated_at: Time
}
