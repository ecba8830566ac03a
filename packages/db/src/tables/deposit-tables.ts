import type { ColumnType } from 'kysely'
import type { Once, Time, TimeOnce, TimeOrNull } from './schema.ts'

/** What blocks brought to addresses, and what they took of them. */
export type DepositTables = {
  deposit: Deposit
  deposit_claim: DepositClaim
  waiting_deposit: WaitingDeposit
  deposit_comment: DepositComment
  chain_charge: ChainCharge
  token_pull: TokenPull
  block_reading: BlockReading
  uneven_token: UnevenToken
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

type DepositComment = {
  org_id: Once<string>
  chain: Once<string>
  address: Once<string>
  comment: Once<string>
  label: string | null
  created_at: TimeOnce
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

type UnevenToken = {
  org_id: Once<string>
  chain: Once<string>
  contract: Once<string>
  reason: string
  marked_by: string
  marked_at: Time
  ended_by: ColumnType<string | null, string | null | undefined, string | null>
  ended_at: TimeOrNull
}
