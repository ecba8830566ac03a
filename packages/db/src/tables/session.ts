import type { Json, Once, Time, TimeOnce, TimeOrNull } from '../columns.ts'

declare module './schema.ts' {
  /** Tables of features/session. */
  interface Schema {
    person: Person
    login_credential: LoginCredential
    /** Read and written through `asSystem`. */
    session: Session
    /** Read and written through `asSystem`. */
    login_challenge: LoginChallenge
    login_event: LoginEvent
    trusted_device: TrustedDevice
    /** Read and written through `asSystem`. */
    invite: Invite
  }
}

export type Role = 'owner' | 'admin' | 'finance' | 'approver' | 'compliance' | 'viewer'

type Person = {
  org_id: Once<string>
  id: Once<string>
  name: string
  login: string
  role: Role
  state: 'invited' | 'active' | 'suspended' | 'removed'
  language: 'en-US' | 'zh-CN'
  failed_logins: number
  delayed_until_at: TimeOrNull
  last_login_at: TimeOrNull
  created_at: TimeOnce
  updated_at: Time
}

type LoginCredential = {
  org_id: Once<string>
  id: Once<string>
  person_id: Once<string>
  kind: Once<'passkey' | 'password' | 'device'>
  label: string
  lookup: Uint8Array | null
  data: Json
  created_at: TimeOnce
  last_used_at: TimeOrNull
  revoked_at: TimeOrNull
}

type Session = {
  id: Once<Uint8Array>
  org_id: Once<string>
  person_id: Once<string>
  ip: string | null
  user_agent: string | null
  created_at: TimeOnce
  last_seen_at: Time
  elevated_at: TimeOrNull
  expires_at: Time
  revoked_at: TimeOrNull
}

type LoginChallenge = { id: Once<string>; kind: Once<string>; data: Json; created_at: TimeOnce; expires_at: TimeOnce; used_at: TimeOrNull }

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

type TrustedDevice = { org_id: Once<string>; person_id: Once<string>; device: Once<string>; os: Once<string>; trusted: boolean; changed_at: Time }

type Invite = { token_hash: Once<Uint8Array>; org_id: Once<string>; person_id: Once<string>; created_at: TimeOnce; expires_at: TimeOnce; used_at: TimeOrNull }
