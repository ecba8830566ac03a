import type { OrganisationTx, Schema } from '@holdfast/db'
import { decode, equalBytes } from '@holdfast/encoding'
import { intentHash, intentShape, isTransaction, type TransactionIntent } from '@holdfast/intent'
import type { Selectable } from 'kysely'
import { asOrderState, type OrderState } from './states.ts'

export type OrderRow = Selectable<Schema['transfer_order']>

/** An order as it stands, with its intent decoded from the bytes that were hashed. */
export type Order = { row: OrderRow; state: OrderState; intent: TransactionIntent }

/** An order by its id; `lock` holds it until the transaction ends. Undefined where the organisation has no such order. */
export async function readOrder(tx: OrganisationTx, orderId: string, lock = false): Promise<Order | undefined> {
  const wanted = tx.selectFrom('transfer_order').selectAll().where('org_id', '=', tx.orgId).where('id', '=', orderId)
  const row = await (lock ? wanted.forNoKeyUpdate() : wanted).executeTakeFirst()
  return row && orderOf(row)
}

/** The order whose intent has this hash. */
export async function readOrderByIntent(tx: OrganisationTx, hash: Uint8Array, lock = false): Promise<Order | undefined> {
  const wanted = tx.selectFrom('transfer_order').selectAll().where('org_id', '=', tx.orgId).where('intent_hash', '=', hash)
  const row = await (lock ? wanted.forNoKeyUpdate() : wanted).executeTakeFirst()
  return row && orderOf(row)
}

function orderOf(row: OrderRow): Order {
  const intent = decode(intentShape, row.intent)
  if (!isTransaction(intent) || !equalBytes(intentHash(intent), row.intent_hash))
    throw new Error(`order ${row.id} does not hold the intent it names: restore the database from a backup`)
  return { row, state: asOrderState(row.state), intent }
}
