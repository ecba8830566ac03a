import type { Json, Once, Time, TimeOnce, TimeOrNull } from './schema.ts'

/** People and what they may decide: see 0050-team.sql and 0140-people.sql. */
export type TeamTables = {
  policy_change: PolicyChange
  policy_change_event: PolicyChangeEvent
  approval_key: ApprovalKey
  member_event: MemberEvent
  login_event: LoginEvent
  absence: Absence
  trusted_device: TrustedDevice
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
type ApprovalKey = {
  org_id: Once<string>
  id: Once<string>
  person_id: Once<string>
  credential: Once<Uint8Array>
  created_at: TimeOnce
  link_by: Once<string | null>
  page: Once<string | null>
  confirmed_at: TimeOrNull
  denied_at: TimeOrNull
}
export type MemberEventKind =
  | 'invited'
  | 'invited_again'
  | 'joined'
  | 'role_changed'
  | 'suspended'
  | 'resumed'
  | 'removed'
  | 'key_link'
  | 'key_enrolled'
  | 'key_confirmed'
  | 'key_denied'
type MemberEvent = {
  org_id: Once<string>
  id: Once<string>
  person_id: Once<string>
  kind: Once<MemberEventKind>
  actor: Once<string>
  detail: Json
  at: TimeOnce
}
type LoginEvent = {
  org_id: Once<string>
  id: Once<string>
  person_id: Once<string>
  method: Once<'passkey' | 'password' | 'device'>
  result: Once<'ok' | 'refused'>
  reason: Once<string | null>
  ip: Once<string>
  user_agent: Once<string>
  device: Once<string>
  os: Once<string>
  is_new_device: Once<boolean>
  session_id: Once<Uint8Array | null>
  at: TimeOnce
}
type Absence = {
  org_id: Once<string>
  person_id: Once<string>
  from_at: Time
  to_at: Time
  deputy: string | null
  note: string
  ended_at: Time | null
  updated_at: Time
}
type TrustedDevice = { org_id: Once<string>; person_id: Once<string>; device: Once<string>; os: Once<string>; trusted: boolean; changed_at: Time }
