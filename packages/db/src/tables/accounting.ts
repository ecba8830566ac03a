import type { Once, Time } from '../columns.ts'

declare module './schema.ts' {
  /** Tables of features/accounting. */
  interface Schema {
    transaction_mark: TransactionMark
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
