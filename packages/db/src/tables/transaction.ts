import type { Json, Once, Time } from '../columns.ts'

declare module './schema.ts' {
  /** Tables of features/transaction. */
  interface Schema {
    transaction_mark: TransactionMark
    saved_view: SavedView
  }
}

type TransactionMark = {
  org_id: Once<string>
  kind: Once<'withdraw' | 'deposit' | 'pull'>
  transaction_id: Once<string>
  category: string | null
  tags: string[]
  note: string
  suspicious: boolean | null
  updated_by: string
  updated_at: Time
}

type SavedView = { org_id: Once<string>; person_id: Once<string>; page: Once<string>; views: Json; updated_at: Time }
