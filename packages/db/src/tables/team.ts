import type { Json, Once, Time, TimeOnce, TimeOrNull } from '../columns.ts'

declare module './schema.ts' {
  /** Tables of features/team. */
  interface Schema {
    member_event: MemberEvent
    absence: Absence
    delegation: Delegation
    approval_key: ApprovalKey
    /** Read and written through `asSystem`. */
    key_invite: KeyInvite
  }
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
  | 'delegated'
  | 'delegation_ended'
  | 'decided_for'

type MemberEvent = {
  org_id: Once<string>
  id: Once<string>
  person_id: Once<string>
  kind: Once<MemberEventKind>
  actor: Once<string>
  detail: Json
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

type Delegation = {
  org_id: Once<string>
  hash: Once<Uint8Array>
  record: Once<Uint8Array>
  person_id: Once<string>
  delegate_id: Once<string | null>
  from_at: TimeOnce
  until_at: TimeOnce
  sequence: Once<bigint>
  told: Json
  created_at: TimeOnce
  updated_at: Time
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

type KeyInvite = {
  token_hash: Once<Uint8Array>
  org_id: Once<string>
  person_id: Once<string>
  made_by: Once<string | null>
  page: Once<string | null>
  created_at: TimeOnce
  expires_at: TimeOnce
  used_at: TimeOrNull
}
