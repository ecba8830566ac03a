import type { Json, Once, Time, TimeOnce, TimeOrNull } from '../columns.ts'

declare module './schema.ts' {
  /** Tables of work that goes on by itself. */
  interface Schema {
    outbox: Outbox
    /** Read and written through `asSystem`. */
    runner: Runner
  }
}

type Outbox = {
  org_id: Once<string>
  sequence: Once<bigint>
  topic: Once<string>
  payload: Json
  created_at: TimeOnce
  published_at: TimeOrNull
}

type Runner = { name: Once<string>; holder: string; expires_at: Time }
