import type { Once, TimeOnce, TimeOrNull } from './schema.ts'

/** The transactions of orders: see 0110-order-transactions.sql. */
export type OrderTables = { order_transaction: OrderTransaction }

type OrderTransaction = {
  org_id: Once<string>
  order_id: Once<string>
  number: Once<number>
  purpose: Once<'pay' | 'cancel'>
  allowed_by: Once<string | null>
  asked_by: Once<string | null>
  tier: Once<number>
  fee_cap: Once<bigint>
  unsigned_tx: Uint8Array | null
  raw_tx: Uint8Array | null
  txid: string | null
  reason: string | null
  created_at: TimeOnce
  signed_at: TimeOrNull
  ended_at: TimeOrNull
}
