export type { BookAction, Verification } from './address-book.ts'
export type * from '../columns.ts'
export type { BatchState } from './money-out/batch-transfer.ts'
export type { KeyChangeState } from './key-recovery.ts'
export type { LedgerAccountKind, LedgerTransferKind } from './ledger.ts'
export type { PolicyChangeState, SignerOrderState } from './policy.ts'
export type { Role } from './session.ts'
export type { MemberEventKind } from './team.ts'
export type { OrderKindName } from './transfer.ts'

/**
 * The tables as the program sees them; packages/db/migrations says the same to the database, with the checks.
 *
 * `bigint` stands for int8 and for numeric(78,0): counts, heights, versions, amounts in base units. Columns named `*_at`
 * are milliseconds since 1970. `uuid` is canonical text, `bytea` is Uint8Array. JSON is written as text (JSON.stringify)
 * and read as the value. Each file beside or below this one adds the tables of the feature that it is named for, which writes them.
 */
export interface Schema {}
