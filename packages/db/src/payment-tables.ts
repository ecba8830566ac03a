import type { Once, TimeOnce, TimeOrNull } from './schema.ts'

/** The transactions made for an order: see 0110-order-transactions.sql. */
export type PaymentTables = { order_transaction: OrderTransaction; replacement_evidence: ReplacementEvidence }

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
type ReplacementEvidence = { org_id: Once<string>; order_id: Once<string>; number: Once<number>; bundle: Once<Uint8Array>; created_at: TimeOnce }
