import type { Json, Once, Time } from '../columns.ts'

declare module './schema.ts' {
  /** Tables of features/transaction. */
  interface Schema {
    saved_view: SavedView
  }
}

type SavedView = { org_id: Once<string>; person_id: Once<string>; page: Once<string>; views: Json; updated_at: Time }
