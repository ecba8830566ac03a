import type { Json, Once, Time, TimeOnce } from './schema.ts'

/** What people tell the signers themselves: see 0260-signers-together.sql. */
export type SignerTables = {
  signer_order: SignerOrder
  signer_order_event: SignerOrderEvent
  signing_freeze: SigningFreeze
}

export type SignerOrderState = 'approving' | 'approved' | 'followed' | 'rejected' | 'refused' | 'withdrawn' | 'expired' | 'superseded'
type SignerOrder = {
  org_id: Once<string>
  id: Once<string>
  kind: Once<'absence' | 'lift_freeze'>
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
