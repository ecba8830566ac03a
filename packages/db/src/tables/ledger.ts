import type { ColumnType } from 'kysely'
import type { Once, TimeOnce } from '../columns.ts'

declare module './schema.ts' {
  /** Tables of the ledger. */
  interface Schema {
    ledger_account: LedgerAccount
    ledger_transfer: LedgerTransfer
    ledger_entry: LedgerEntry
    wallet_sum: WalletSum
    wallet_change: WalletChange
    daily_flow: DailyFlow
    address_balance: AddressBalance
  }
}

export type LedgerAccountKind = 'available' | 'held' | 'staked' | 'external' | 'fee'

type LedgerAccount = {
  org_id: Once<string>
  id: Once<string>
  kind: Once<LedgerAccountKind>
  sub_wallet_id: Once<string | null>
  chain: Once<string>
  contract: Once<string>
  balance: bigint | null
}

export type LedgerTransferKind = 'credit' | 'hold' | 'release' | 'settle' | 'remainder' | 'reversal'

type LedgerTransfer = {
  org_id: Once<string>
  id: Once<string>
  kind: Once<LedgerTransferKind>
  reference: Once<string>
  closes: Once<string | null>
  created_at: TimeOnce
  from_own: ColumnType<boolean, boolean | undefined, never>
  /** The address whose money moves; null if that is not known. */
  address: ColumnType<string | null, string | null | undefined, never>
}

/** What an address has of an asset, in base units; `held` is what orders hold and what is staked. */
type AddressBalance = {
  org_id: Once<string>
  chain: Once<string>
  address: Once<string>
  contract: Once<string>
  sub_wallet_id: Once<string>
  available: bigint
  held: bigint
}

type LedgerEntry = { org_id: Once<string>; transfer_id: Once<string>; position: Once<number>; account_id: Once<string>; amount: Once<bigint> }

type WalletSum = { org_id: Once<string>; wallet_id: Once<string>; chain: Once<string>; contract: Once<string>; amount: bigint }

type WalletChange = {
  org_id: Once<string>
  transfer_id: Once<string>
  wallet_id: Once<string>
  chain: Once<string>
  contract: Once<string>
  amount: Once<bigint>
}

type DailyFlow = {
  org_id: Once<string>
  sub_wallet_id: Once<string>
  day: Once<number>
  chain: Once<string>
  contract: Once<string>
  amount_in: bigint
  amount_out: bigint
  fee: bigint
  from_own: bigint
}
