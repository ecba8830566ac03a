import type { TransferOrder } from '@holdfast/chain-core'
import type { OrganisationTx, Schema } from '@holdfast/db'
import { decode, equalBytes } from '@holdfast/encoding'
import { intentHash, intentShape, isTransaction, paymentsOf, type TransactionIntent } from '@holdfast/intent'
import type { Selectable } from 'kysely'
import { type OrderTransaction, readTransactions } from './order-transactions.ts'
import { asOrderState, type OrderState } from './states.ts'

export type OrderRow = Selectable<Schema['transfer_order']>

/** An order as it stands, with its intent decoded from the bytes that were hashed, and the transactions made for it, the oldest first. */
export type Order = { row: OrderRow; state: OrderState; intent: TransactionIntent; transactions: readonly OrderTransaction[] }

/** An order by its id; `lock` holds it until the transaction ends. Undefined where the organisation has no such order. */
export async function readOrder(tx: OrganisationTx, orderId: string, lock = false): Promise<Order | undefined> {
  const wanted = tx.selectFrom('transfer_order').selectAll().where('org_id', '=', tx.orgId).where('id', '=', orderId)
  const row = await (lock ? wanted.forNoKeyUpdate() : wanted).executeTakeFirst()
  return row && orderOf(tx, row)
}

/** The order whose intent has this hash. */
export async function readOrderByIntent(tx: OrganisationTx, hash: Uint8Array, lock = false): Promise<Order | undefined> {
  const wanted = tx.selectFrom('transfer_order').selectAll().where('org_id', '=', tx.orgId).where('intent_hash', '=', hash)
  const row = await (lock ? wanted.forNoKeyUpdate() : wanted).executeTakeFirst()
  return row && orderOf(tx, row)
}

async function orderOf(tx: OrganisationTx, row: OrderRow): Promise<Order> {
  return { row, state: asOrderState(row.state), intent: intentOf(row), transactions: await readTransactions(tx, row.id) }
}

/** What an order asks the chain for, as its node prepares it. */
export function orderedBy({ row, intent }: Order): Pick<TransferOrder, 'from' | 'to' | 'asset' | 'amount' | 'payments' | 'data' | 'memo'> {
  const payment = { from: row.address_from, to: row.address_to, asset: intent.asset, amount: row.amount }
  if (intent.kind === 'contractCall') return { ...payment, data: intent.data }
  if (intent.kind === 'payout') return { ...payment, payments: paymentsOf(intent) }
  return intent.memo === null ? payment : { ...payment, memo: intent.memo }
}

/** The intent of an order, from the bytes that were hashed. */
export function intentOf(row: Pick<OrderRow, 'id' | 'intent' | 'intent_hash'>): TransactionIntent {
  const intent = decode(intentShape, row.intent)
  if (!isTransaction(intent) || !equalBytes(intentHash(intent), row.intent_hash))
    throw new Error(`order ${row.id} does not hold the intent it names: restore the database from a backup`)
  return intent
}
