import type { AddressBookTables } from './address-book.ts'
import type { ContractCallTables } from './contract-call.ts'
import type { DbTables } from './db.ts'
import type { DepositTables } from './deposit.ts'
import type { DepositAddressTables } from './deposit-address.ts'
import type { EvidenceTables } from './evidence.ts'
import type { HttpTables } from './http.ts'
import type { InboxTables } from './inbox.ts'
import type { JobsTables } from './jobs.ts'
import type { KeyTables } from './key.ts'
import type { KeyRecoveryTables } from './key-recovery.ts'
import type { LedgerTables } from './ledger.ts'
import type { MailTables } from './mail.ts'
import type { NetworkTables } from './network.ts'
import type { NotificationTables } from './notification.ts'
import type { PolicyTables } from './policy.ts'
import type { PriceTables } from './price.ts'
import type { ProposalTables } from './proposal.ts'
import type { PushTables } from './push.ts'
import type { SessionTables } from './session.ts'
import type { SetupTables } from './setup.ts'
import type { TeamTables } from './team.ts'
import type { TransactionTables } from './transaction.ts'
import type { TransferTables } from './transfer.ts'
import type { UtxoTables } from './utxo.ts'
import type { WalletTables } from './wallet.ts'

export type { BookAction, Verification } from './address-book.ts'
export type * from './columns.ts'
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
 * and read as the value. Each file beside this one has the tables of the feature that it is named for, which writes them.
 */
export type Schema = AddressBookTables &
  ContractCallTables &
  DbTables &
  DepositTables &
  DepositAddressTables &
  EvidenceTables &
  HttpTables &
  InboxTables &
  JobsTables &
  KeyTables &
  KeyRecoveryTables &
  LedgerTables &
  MailTables &
  NetworkTables &
  NotificationTables &
  PolicyTables &
  PriceTables &
  ProposalTables &
  PushTables &
  SessionTables &
  SetupTables &
  TeamTables &
  TransactionTables &
  TransferTables &
  UtxoTables &
  WalletTables
