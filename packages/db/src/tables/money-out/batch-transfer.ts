import type { OrderId, OrganisationId, RequesterId, SubWalletId, WalletId } from '@holdfast/units'
import type { ColumnType } from 'kysely'
import type { Json, Once, Time, TimeOnce, TimeOrNull } from '../../columns.ts'

declare module '../schema.ts' {
  /** Tables of features/batch-transfer. */
  interface Schema {
    batch_transfer: BatchTransfer
    batch_transfer_line: BatchTransferLine
  }
}

export type BatchState = 'checked' | 'approving' | 'approved' | 'stopped' | 'finished' | 'rejected' | 'cancelled' | 'expired' | 'superseded'

type BatchTransfer = {
  org_id: Once<OrganisationId>
  id: Once<string>
  wallet_id: Once<WalletId>
  sub_wallet_id: Once<SubWalletId>
  chain: Once<string>
  contract: Once<string>
  symbol: Once<string>
  file_name: Once<string>
  initiator: Once<RequesterId>
  /** The batch whose lines it asks for again. */
  retry_of: Once<string | null>
  state: BatchState
  is_final: boolean
  reason: string | null
  /** Why no further line is being paid right now. */
  waits_for: string | null
  execution: 'strict' | 'partial' | null
  /** Whether each line has a transaction of its own, or a contract pays many by one call. */
  mode: ColumnType<'single' | 'contract', 'single' | 'contract' | undefined, 'single' | 'contract'>
  tier: number | null
  /** Of each transaction. */
  fee_cap: bigint | null
  remark: ColumnType<string, string | undefined, string>
  /** What people approve; null while nobody was asked. */
  intent: Uint8Array | null
  intent_hash: Uint8Array | null
  policy_version: bigint | null
  rule_id: string | null
  /** Where the intent and each approval stand in the log. */
  places: Json | null
  /** The transactions that pay it, and how many of them have an order. */
  parts: ColumnType<number, number | undefined, number>
  opened: ColumnType<number, number | undefined, number>
  /** The hold for those that have none yet; null if nothing is held. */
  hold_id: string | null
  expires_at: ColumnType<bigint | null, bigint | null | undefined, bigint>
  created_at: TimeOnce
  updated_at: Time
  /** When who asked for it was told that it has ended. */
  told_at: TimeOrNull
  version: number
}

type BatchTransferLine = {
  org_id: Once<OrganisationId>
  batch_id: Once<string>
  /** Its number in the file. */
  line: Once<number>
  given_address: Once<string>
  given_amount: Once<string>
  address: Once<string | null>
  memo: Once<string | null>
  amount: Once<bigint | null>
  faults: ColumnType<unknown, string, never>
  warnings: ColumnType<unknown, string, never>
  part: number | null
  order_id: OrderId | null
  retried_in: string | null
}
