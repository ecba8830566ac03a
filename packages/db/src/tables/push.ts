import type { Once, Time, TimeOnce, TimeOrNull } from '../columns.ts'

declare module './schema.ts' {
  /** Tables of features/push. */
  interface Schema {
    push_key: PushKey
    push_subscription: PushSubscription
  }
}

type PushKey = { id: Once<number>; public_key: Once<Uint8Array>; sealed_secret: string; created_at: TimeOnce }

type PushSubscription = {
  org_id: Once<string>
  person_id: Once<string>
  endpoint: Once<string>
  created_at: TimeOnce
  told_at: Time
  /** Absent while it has been told nothing. */
  last_told_at: TimeOrNull
  next_at: Time
  failures: number
}
