import type { ColumnType } from 'kysely'
import type { CoinTables } from './coin-tables.ts'
import type { DepositTables } from './deposit-tables.ts'
import type { KeyTables } from './key-tables.ts'
import type { SignerTables } from './signer-tables.ts'
import type { MailTables } from './mail-tables.ts'
import type { OrderTables } from './order-tables.ts'
import type { ProposalTables } from './proposal-tables.ts'
import type { TeamTables } from './team-tables.ts'
import type { NotificationTables } from './notification-tables.ts'

/**
 * The tables as the program sees them; packages/db/migrations says the same to the database, with the checks.
 *
 * `bigint` stands for int8 and for numeric(78,0): counts, heights, versions, amounts in base units. Columns named `*_at`
 * are milliseconds since 1970. `uuid` is canonical text, `bytea` is Uint8Array. JSON is written as text (JSON.stringify)
 * and read as the value. A column of type Once is written with its row and has no right to change afterwards.
 */
export type Schema = SystemTables & TenantTables & NotificationTables & MailTables

/** Read and written through `asSystem`; an organisation sees its own row of `organisation` and the assets. */
export type SystemTables = {
  migration: Migration
  lease: { name: string }
  organisation: Organisation
  asset: Asset
  asset_price: AssetPrice
  session: Session
  login_challenge: LoginChallenge
  invite: Invite
  key_invite: Invite & { made_by: Once<string | null>; page: Once<string | null> }
  setup_draft: SetupDraft
  chain_cursor: ChainCursor
  chain_block: ChainBlock
  runner: Runner
  chain_halt: ChainHalt
}

/** Rows of one organisation each. */
export type TenantTables = {
  person: Person
  login_credential: LoginCredential
  genesis: Genesis
  policy_version: PolicyVersion
  idempotency: Idempotency
  counter: Counter
  wallet_key: WalletKey
  recovery_kit: RecoveryKit
  wallet: Wallet
  sub_wallet: SubWallet
  address: Address
  wallet_pin: WalletPin
  sub_wallet_pin: SubWalletPin
  coin_focus: CoinFocus
  sub_wallet_alias: SubWalletAlias
  wallet_coin: WalletCoin
  added_token: AddedToken
  unverified_arrival: UnverifiedArrival
  personal_address: PersonalAddress
  transaction_mark: TransactionMark
  saved_view: SavedView
  ledger_account: LedgerAccount
  ledger_transfer: LedgerTransfer
  ledger_entry: LedgerEntry
  log_entry: LogEntry
  log_checkpoint: LogCheckpoint
  outbox: Outbox
  asset_alarm: AssetAlarm
} & CoinTables &
  DepositTables &
  KeyTables &
  SignerTables &
  OrderTables &
  ProposalTables &
  TeamTables

export type Once<T> = ColumnType<T, T, never>
/** Of rows that were written before there was such a column, null. */
export type Later<T> = ColumnType<T | null, T | null | undefined, never>
/** Milliseconds since 1970; a number is accepted where a clock gives one. */
export type Time = ColumnType<bigint, bigint | number, bigint | number>
export type TimeOnce = ColumnType<bigint, bigint | number, never>
export type TimeOrNull = ColumnType<bigint | null, bigint | number | null | undefined, bigint | number | null>
export type Json<T = unknown> = ColumnType<T, string, string>

type Migration = { name: string; checksum: string; applied_at: Time }
type Organisation = { id: Once<string>; name: string; state: 'draft' | 'active'; genesis_hash: Uint8Array | null; created_at: TimeOnce }
type Asset = { chain: string; contract: string; symbol: string; name: string; decimals: number; created_at: Time }
type AssetPrice = {
  chain: Once<string>
  contract: Once<string>
  currency: Once<string>
  quoted_at: TimeOnce
  price: Once<bigint>
  source: Once<string>
  source_zh: Once<string | null>
}
type Session = {
  id: Once<Uint8Array>
  org_id: Once<string>
  person_id: Once<string>
  ip: string | null
  user_agent: string | null
  created_at: TimeOnce
  last_seen_at: Time
  elevated_at: TimeOrNull
  expires_at: Time
  revoked_at: TimeOrNull
}
type LoginChallenge = { id: Once<string>; kind: Once<string>; data: Json; created_at: TimeOnce; expires_at: TimeOnce; used_at: TimeOrNull }
type Invite = { token_hash: Once<Uint8Array>; org_id: Once<string>; person_id: Once<string>; created_at: TimeOnce; expires_at: TimeOnce; used_at: TimeOrNull }
type SetupDraft = { id: Once<string>; body: Json; created_at: TimeOnce; expires_at: Time }
type ChainCursor = {
  chain: Once<string>
  height: bigint
  hash: string
  unseen_height: ColumnType<bigint | null, bigint | null | undefined, bigint | null>
  booked_height: ColumnType<bigint | null, bigint | null | undefined, bigint>
  updated_at: Time
}
type ChainBlock = { chain: string; height: bigint; hash: string; parent_hash: string }
type ChainHalt = { chain: Once<string>; reason: string; since_at: TimeOnce }
type Runner = { name: Once<string>; holder: string; expires_at: Time }

export type Role = 'owner' | 'admin' | 'finance' | 'approver' | 'compliance' | 'viewer'
type Person = {
  org_id: Once<string>
  id: Once<string>
  name: string
  login: string
  role: Role
  state: 'invited' | 'active' | 'suspended' | 'removed'
  language: 'en-US' | 'zh-CN'
  failed_logins: number
  delayed_until_at: TimeOrNull
  last_login_at: TimeOrNull
  created_at: TimeOnce
  updated_at: Time
}
type LoginCredential = {
  org_id: Once<string>
  id: Once<string>
  person_id: Once<string>
  kind: Once<'passkey' | 'password' | 'device'>
  label: string
  lookup: Uint8Array | null
  data: Json
  created_at: TimeOnce
  last_used_at: TimeOrNull
  revoked_at: TimeOrNull
}
type Genesis = { org_id: Once<string>; bytes: Once<Uint8Array>; hash: Once<Uint8Array>; created_at: TimeOnce }
type PolicyVersion = {
  org_id: Once<string>
  version: Once<bigint>
  bytes: Once<Uint8Array>
  hash: Once<Uint8Array>
  change: Once<Uint8Array | null>
  /** Absent in versions from before signers spoke for each other. */
  endorsements?: Once<Uint8Array | null>
  created_at: TimeOnce
}
type Idempotency = {
  org_id: Once<string>
  request_id: Once<string>
  kind: Once<string>
  body_hash: Once<Uint8Array>
  result_id: Once<string>
  created_at: TimeOnce
}
type Counter = { org_id: Once<string>; name: Once<string>; value: bigint }

type WalletKey = {
  org_id: Once<string>
  key_id: Once<Uint8Array>
  epoch: Once<bigint>
  protocol: Once<string>
  state: 'generating' | 'setting_up' | 'ready' | 'failed'
  public_key: Uint8Array | null
  chain_code: Uint8Array | null
  statements: Uint8Array | null
  progress: Json
  created_at: TimeOnce
  updated_at: Time
}
type RecoveryKit = {
  org_id: Once<string>
  key_id: Once<Uint8Array>
  epoch: Once<bigint>
  kit: Uint8Array
  drill: Uint8Array | null
  created_at: TimeOnce
  verified_at: TimeOrNull
}
type Wallet = {
  org_id: Once<string>
  id: Once<string>
  name: string
  alias: string | null
  key_id: Uint8Array | null
  state: 'creating' | 'active' | 'failed'
  request_id: Once<string>
  created_by: Once<string>
  created_at: TimeOnce
  updated_at: Time
  retired_at: TimeOrNull
}
type SubWallet = { org_id: Once<string>; id: Once<string>; wallet_id: Once<string>; number: Once<number>; name: string; hidden: boolean; created_at: TimeOnce }
type Address = {
  org_id: Once<string>
  chain: Once<string>
  address: Once<string>
  /** What people compare of it: the last four characters, in small letters. */
  address_end: Later<string>
  sub_wallet_id: Once<string>
  path: Once<number[]>
  label: string | null
  attestations: Json
  created_at: TimeOnce
}

type WalletPin = { org_id: Once<string>; person_id: Once<string>; wallet_id: Once<string>; pinned: boolean; updated_at: Time }
type SubWalletPin = { org_id: Once<string>; person_id: Once<string>; sub_wallet_id: Once<string>; pinned: boolean; updated_at: Time }
type CoinFocus = {
  org_id: Once<string>
  person_id: Once<string>
  sub_wallet_id: Once<string>
  chain: Once<string>
  contract: Once<string>
  focused: boolean
  updated_at: Time
}
type SubWalletAlias = { org_id: Once<string>; sub_wallet_id: Once<string>; alias: string; updated_at: Time }
type WalletCoin = { org_id: Once<string>; wallet_id: Once<string>; chain: Once<string>; contract: Once<string>; is_open: boolean; updated_at: Time }
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
type PersonalAddress = {
  org_id: Once<string>
  id: Once<string>
  person_id: Once<string>
  chain: Once<string>
  address: Once<string>
  memo: Once<string>
  name: string
  note: string
  created_at: TimeOnce
  updated_at: Time
  removed_at: TimeOrNull
}

type AddedToken = {
  org_id: Once<string>
  id: Once<string>
  chain: Once<string>
  contract: Once<string>
  symbol: Once<string>
  decimals: Once<number>
  name: Once<string>
  reason: string
  state: 'applied' | 'open' | 'refused'
  from_height: bigint | null
  opened_height: ColumnType<bigint | null, bigint | null | undefined, bigint | null>
  read_height: ColumnType<bigint | null, bigint | null | undefined, bigint | null>
  requested_by: string
  created_at: TimeOnce
  opened_at: TimeOrNull
  refused_by: ColumnType<string | null, string | null | undefined, string | null>
  refused_at: TimeOrNull
  refusal: ColumnType<string | null, string | null | undefined, string | null>
}

type AssetAlarm = {
  org_id: Once<string>
  chain: Once<string>
  contract: Once<string>
  cause: Once<'books' | 'missing' | 'surplus' | 'control' | 'untold' | 'odd_log' | 'uncredited'>
  place: Once<string>
  reason: string
  since_at: Time
  over_at: TimeOrNull
  excess: ColumnType<bigint | null, bigint | null | undefined, bigint | null>
  accepted: ColumnType<bigint, bigint | undefined, bigint>
  acknowledged_by: ColumnType<string | null, string | null | undefined, string | null>
  acknowledged_at: TimeOrNull
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

export type LedgerAccountKind = 'available' | 'held' | 'staked' | 'external' | 'fee'
export type LedgerTransferKind = 'credit' | 'hold' | 'release' | 'settle' | 'remainder' | 'reversal'
type LedgerAccount = {
  org_id: Once<string>
  id: Once<string>
  kind: Once<LedgerAccountKind>
  sub_wallet_id: Once<string | null>
  chain: Once<string>
  contract: Once<string>
  balance: bigint | null
}
type LedgerTransfer = {
  org_id: Once<string>
  id: Once<string>
  kind: Once<LedgerTransferKind>
  reference: Once<string>
  closes: Once<string | null>
  created_at: TimeOnce
}
type LedgerEntry = { org_id: Once<string>; transfer_id: Once<string>; position: Once<number>; account_id: Once<string>; amount: Once<bigint> }

type LogEntry = { org_id: Once<string>; sequence: Once<bigint>; bytes: Once<Uint8Array>; leaf_hash: Once<Uint8Array> }
type LogCheckpoint = { org_id: Once<string>; size: Once<bigint>; note: string; created_at: TimeOnce }
type Outbox = {
  org_id: Once<string>
  sequence: Once<bigint>
  id: Once<string>
  topic: Once<string>
  payload: Json
  created_at: TimeOnce
  published_at: TimeOrNull
}
