import type { TransferOrder } from '@holdfast/chain-core'
import type { OrganisationTx, Schema } from '@holdfast/db'
import { decode, equalBytes, toHex } from '@holdfast/encoding'
import {
  inscriptionsOf,
  intentHash,
  intentShape,
  isInscribed,
  isSpending,
  originalOf,
  paymentsOf,
  type SpendingIntent,
  stakeOrderOf,
  type TransactionIntent,
} from '@holdfast/intent'
import type { Selectable } from 'kysely'
import { type OrderTransaction, readTransactions } from './order-transactions.ts'
import { asOrderState, type OrderState } from './states.ts'

export type OrderRow = Selectable<Schema['transfer_order']>

/**
 * An order as it stands, with its intent decoded from the bytes that were hashed, and the transactions made for it, the oldest first. `payment` is what it
 * orders to pay; of an order that replaces, the payment it is about.
 */
export type Order = { row: OrderRow; state: OrderState; intent: SpendingIntent; payment: TransactionIntent; transactions: readonly OrderTransaction[] }

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

async function orderOf(tx: OrganisationTx, row: OrderRow): Promise<Order> {
  const intent = intentOf(row)
  return { row, state: asOrderState(row.state), intent, payment: originalOf(intent), transactions: await readTransactions(tx, row.id) }
}

/** What an order asks the chain for, as its node prepares it. */
type Ordered = Pick<TransferOrder, 'from' | 'to' | 'asset' | 'amount' | 'data' | 'stake' | 'memo' | 'payments' | 'postages' | 'inscribes' | 'lifts'>

export function orderedBy({ row, payment: intent }: Order): Ordered {
  const payment = { from: row.address_from, to: row.address_to, asset: intent.asset, amount: row.amount }
  if (intent.kind === 'contractCall') return { ...payment, data: intent.data }
  if (intent.kind === 'stake') return { ...payment, stake: stakeOrderOf(intent) }
  if (intent.kind === 'payout') return { ...payment, payments: paymentsOf(intent) }
  if (isInscribed(intent)) return { ...payment, postages: inscriptionsOf(intent).map(({ postage }) => postage) }
  if (intent.kind === 'brc20Inscribe') return { ...payment, inscribes: intent.postage }
  if (intent.kind === 'depositChild') return { ...payment, lifts: intent.deposit }
  return intent.memo === null ? payment : { ...payment, memo: intent.memo }
}

/** Intents that were read, by their hash, with the bytes they were read from: lists show the same newest orders again and again. */
const known = new Map<string, { bytes: Uint8Array; intent: SpendingIntent }>()
const KNOWN_MAX = 2_000

/** The intent of an order, from the bytes that were hashed. */
export function intentOf(row: Pick<OrderRow, 'id' | 'intent' | 'intent_hash'>): SpendingIntent {
  const key = toHex(row.intent_hash)
  const found = known.get(key)
  // The same bytes have the same hash.
  if (found && equalBytes(found.bytes, row.intent)) return found.intent
  const intent = decode(intentShape, row.intent)
  if (!isSpending(intent) || !equalBytes(intentHash(intent), row.intent_hash))
    throw new Error(`order ${row.id} does not hold the intent it names: restore the database from a backup`)
  known.set(key, { bytes: row.intent, intent })
  for (const oldest of known.keys()) {
    if (known.size <= KNOWN_MAX) break
    known.delete(oldest)
  }
  return intent
}
