import type { Once, TimeOnce } from '../columns.ts'

declare module './schema.ts' {
  /** Tables of calls. */
  interface Schema {
    idempotency: Idempotency
  }
}

type Idempotency = {
  org_id: Once<string>
  request_id: Once<string>
  kind: Once<string>
  body_hash: Once<Uint8Array>
  result_id: Once<string>
  created_at: TimeOnce
}
