import type { ColumnType } from 'kysely'
import type { Json, Once, Time, TimeOnce } from '../columns.ts'

declare module './schema.ts' {
  /** Tables of features/setup. */
  interface Schema {
    /** Written through `asSystem`; an organisation sees its own row. */
    organisation: Organisation
    genesis: Genesis
    /** Read and written through `asSystem`. */
    setup_draft: SetupDraft
  }
}

type Organisation = {
  id: Once<string>
  name: string
  state: 'draft' | 'active'
  genesis_hash: Uint8Array | null
  demo: ColumnType<boolean, boolean | undefined, never>
  created_at: TimeOnce
}

type Genesis = { org_id: Once<string>; bytes: Once<Uint8Array>; hash: Once<Uint8Array>; created_at: TimeOnce }

type SetupDraft = { id: Once<string>; body: Json; created_at: TimeOnce; expires_at: Time }
