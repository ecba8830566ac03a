import type { ColumnType } from 'kysely'
import type { Once, Time, TimeOnce, TimeOrNull } from '../columns.ts'

declare module './schema.ts' {
  /** Tables of features/deposit. */
  interface Schema {
    deposit: Deposit
    deposit_claim: DepositClaim
    waiting_deposit: WaitingDeposit
    chain_charge: ChainCharge
    token_pull: TokenPull
    block_reading: BlockReading
    unverified_arrival: UnverifiedArrival
    /** Read and written through `asSystem`. */
    chain_cursor: ChainCursor
    /** Read and written through `asSystem`. */
    chain_block: ChainBlock
  }
}

type Deposit = {
  org_id: Once<string>
  id: Once<string>
  chain: Once<string>
  txid: Once<string>
  tx_index: Once<number>
  block_hash: Once<string>
  height: Once<bigint>
  sub_wallet_id: Once<string>
  address: Once<string>
  contract: Once<string>
  symbol: Once<string>
  amount: Once<bigint>
  from_address: Once<string>
  memo: Once<string | null>
  found_in: ColumnType<'transaction' | 'inside' | 'balance', 'transaction' | 'inside' | 'balance' | undefined, never>
  state: 'unconfirmed' | 'confirmed' | 'credited' | 'reversed'
  sub_status: string | null
  confirmations: bigint
  credited_at: TimeOrNull
  reversed_at: TimeOrNull
  untrue: ColumnType<number, number | undefined, number>
  created_at: TimeOnce
  updated_at: Time
}

type DepositClaim = {
  org_id: Once<string>
  id: Once<string>
  deposit_id: Once<string>
  state: 'asked' | 'confirmed' | 'refused' | 'withdrawn' | 'kept'
  comment: Once<string | null>
  reason: Once<string>
  asked_by: Once<string>
  asked_at: TimeOnce
  decided_by: ColumnType<string | null, string | null | undefined, string | null>
  decided_at: TimeOrNull
  decision_reason: ColumnType<string | null, string | null | undefined, string | null>
}

type WaitingDeposit = Pick<
  Deposit,
  | 'org_id'
  | 'id'
  | 'chain'
  | 'txid'
  | 'tx_index'
  | 'sub_wallet_id'
  | 'address'
  | 'contract'
  | 'symbol'
  | 'amount'
  | 'from_address'
  | 'created_at'
  | 'updated_at'
> & {
  spends: Once<string[]>
  state: 'waiting' | 'gone' | 'in_block'
  sub_status: 'mempool' | 'replaced' | 'dropped' | 'confirming'
  replaced_by: ColumnType<string | null, string | null | undefined, string | null>
  height: ColumnType<bigint | null, bigint | null | undefined, bigint | null>
}

type ChainCharge = {
  org_id: Once<string>
  chain: Once<string>
  address: Once<string>
  height: Once<bigint>
  block_hash: Once<string>
  sub_wallet_id: Once<string>
  amount: Once<bigint>
  booked_at: TimeOrNull
}

type TokenPull = {
  org_id: Once<string>
  id: Once<string>
  chain: Once<string>
  txid: Once<string>
  tx_index: Once<number>
  block_hash: Once<string>
  height: Once<bigint>
  sub_wallet_id: Once<string>
  address: Once<string>
  contract: Once<string>
  amount: Once<bigint>
  to_address: Once<string>
  taken_by: Once<string>
  settlement: ColumnType<string | null, string | null | undefined, string | null>
  created_at: TimeOnce
  booked_at: TimeOrNull
  reversed_at: TimeOrNull
  reason: ColumnType<string | null, string | null | undefined, string | null>
  told_until_at: TimeOrNull
  acknowledged_by: ColumnType<string | null, string | null | undefined, string | null>
  acknowledged_at: TimeOrNull
}

type BlockReading = {
  org_id: Once<string>
  id: Once<string>
  chain: Once<string>
  from_height: Once<bigint>
  to_height: Once<bigint>
  read_height: ColumnType<bigint | null, bigint | null | undefined, bigint>
  found: ColumnType<number, number | undefined, number>
  asked_by: Once<string>
  asked_at: TimeOnce
  done_at: TimeOrNull
}

type UnverifiedArrival = {
  org_id: Once<string>
  chain: Once<string>
  txid: Once<string>
  tx_index: Once<number>
  block_hash: Once<string>
  height: Once<bigint>
  sub_wallet_id: Once<string>
  contract: Once<string>
  from_address: Once<string>
  arrived_at: TimeOnce
}

type ChainCursor = {
  chain: Once<string>
  height: bigint
  hash: string
  unseen_height: ColumnType<bigint | null, bigint | null | undefined, bigint | null>
  booked_height: ColumnType<bigint | null, bigint | null | undefined, bigint>
  rewinding_to: ColumnType<bigint | null, bigint | null | undefined, bigint | null>
  updated_at: Time
}

type ChainBlock = { chain: string; height: bigint; hash: string; parent_hash: string }
