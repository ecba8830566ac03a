import type { Json, Once, Time, TimeOnce, TimeOrNull } from '../columns.ts'

declare module './schema.ts' {
  /** Tables of features/key-recovery. */
  interface Schema {
    key_change: KeyChange
    key_change_event: KeyChangeEvent
    share_check: ShareCheck
    key_export: KeyExport
    key_export_word: KeyExportWord
  }
}

export type KeyChangeState = 'approving' | 'approved' | 'active' | 'done' | 'rejected' | 'refused' | 'withdrawn' | 'expired' | 'superseded'

type KeyChange = {
  org_id: Once<string>
  id: Once<string>
  wallet_id: Once<string>
  key_id: Once<Uint8Array>
  from_epoch: Once<bigint>
  intent: Once<Uint8Array>
  intent_hash: Once<Uint8Array>
  policy_version: Once<bigint>
  /** Null if the server proposed it on its schedule. */
  initiator: Once<string | null>
  state: KeyChangeState
  is_final: boolean
  reason: string | null
  places: Json
  progress: Json
  statements: Uint8Array | null
  expires_at: TimeOnce
  created_at: TimeOnce
  updated_at: Time
  version: number
}

type KeyChangeEvent = {
  org_id: Once<string>
  change_id: Once<string>
  seq: Once<number>
  state: Once<string>
  actor: Once<string>
  reason: Once<string | null>
  at: TimeOnce
}

type ShareCheck = {
  org_id: Once<string>
  key_id: Once<Uint8Array>
  epoch: bigint
  checked_at: Time | null
  tried_at: Time
  fault: string | null
  fault_party: number | null
  /** Null if the server asked on its schedule. */
  asked_by: string | null
  next_at: TimeOrNull
}

type KeyExport = { org_id: Once<string>; change_id: Once<string>; kit: Once<Uint8Array>; created_at: TimeOnce }

type KeyExportWord = { org_id: Once<string>; change_id: Once<string>; person_id: Once<string>; accepted: Once<boolean>; at: TimeOnce }
