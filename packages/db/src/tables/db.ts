import type { Once, Time } from '../columns.ts'

declare module './schema.ts' {
  /** Tables of the database itself. */
  interface Schema {
    migration: Migration
    lease: { name: string }
    counter: Counter
  }
}

type Migration = { name: string; checksum: string; applied_at: Time }

type Counter = { org_id: Once<string>; name: Once<string>; value: bigint }
