import type { AskedBeyond, TransferOrder } from '@holdfast/chain-core'
import type { OrganisationTx, Schema } from '@holdfast/db'
import { decode, equalBytes, toHex } from '@holdfast/encoding'
import { intentHash, intentShape, isSpending, originalOf, type SpendingIntent, type TransactionIntent } from '@holdfast/intent'
import { type OrderId, RecentMap } from '@holdfast/units'
import type { Selectable } from 'kysely'
import { subjectKind } from './kinds/index.ts'
import { type OrderTransaction, readTransactions } from './order-transactions.ts'
import { asOrderState, type OrderState } from './states.ts'

export type OrderRow = Selectable<Schema['transfer_order']>

/**
 * An order as it stands, with its intent decoded from the bytes that were hashed, and the transactions made for it, the oldest first. `payment` is what it
 * orders to pay; for a replacement, the payment it is about.
 */
export type Order = { row: OrderRow; state: OrderState; intent: SpendingIntent; payment: TransactionIntent; transactions: readonly OrderTransaction[] }

/** An order by its id; `lock` holds it until the transaction ends. Undefined if the organisation has no such order. */
export async function readOrder(tx: OrganisationTx, orderId: OrderId, lock = false): Promise<Order | undefined> {
  const wanted = tx.selectFrom('transfer_order').selectAll().where('org_id', '=', tx.orgId).where('id', '=', orderId)
  const [row, transactions] = await Promise.all([(lock ? wanted.forNoKeyUpdate() : wanted).executeTakeFirst(), readTransactions(tx, orderId)])
  return row && orderOf(row, transactions)
}

/** The order by which people allowed a transaction of `order`: itself, or one about it. */
export async function readAllowing(
  tx: OrganisationTx,
  order: Order,
  { allowed_by: allowedBy }: Pick<OrderTransaction, 'allowed_by'>,
  lock = false,
): Promise<Order> {
  if (allowedBy === null) return order
  const allowing = await readOrder(tx, allowedBy, lock)
  if (!allowing) throw new Error(`order ${allowedBy}, which allowed a transaction of order ${order.row.id}, is not there`)
  return allowing
}

function orderOf(row: OrderRow, transactions: readonly OrderTransaction[]): Order {
  const intent = intentOf(row)
  return { row, state: asOrderState(row.state), intent, payment: originalOf(intent), transactions }
}

/** What an order asks of the chain, as its node prepares it. */
export function orderedBy({ row, payment }: Order): Pick<TransferOrder, 'from' | 'to' | 'asset' | 'amount'> & AskedBeyond {
  return { from: row.address_from, to: row.address_to, asset: payment.asset, amount: row.amount, ...subjectKind(payment).asked(payment) }
}

/** Intents that were read, by their hash, with the bytes they were read from: lists show the same newest orders again and again. */
const readBefore = new RecentMap<string, { bytes: Uint8Array; intent: SpendingIntent }>(2_000)

/** What the bytes of a row that was read are of: a page asks that several times of each. */
const ofBytes = new WeakMap<Uint8Array, { hash: Uint8Array; intent: SpendingIntent }>()

/** The intent of an order, from the bytes that were hashed. */
export function intentOf(row: Pick<OrderRow, 'id' | 'intent' | 'intent_hash'>): SpendingIntent {
  const found = ofBytes.get(row.intent)
  if (found?.hash === row.intent_hash) return found.intent
  const intent = readIntent(row)
  ofBytes.set(row.intent, { hash: row.intent_hash, intent })
  return intent
}

function readIntent(row: Pick<OrderRow, 'id' | 'intent' | 'intent_hash'>): SpendingIntent {
  const key = toHex(row.intent_hash)
  const found = readBefore.get(key)
  // The same bytes have the same hash.
  if (found && equalBytes(found.bytes, row.intent)) return found.intent
  const intent = decode(intentShape, row.intent)
  if (!isSpending(intent) || !equalBytes(intentHash(intent), row.intent_hash))
    throw new Error(`order ${row.id} does not hold the intent it names: restore the database from a backup`)
  readBefore.set(key, { bytes: row.intent, intent })
  return intent
}
