import assert from 'node:assert/strict'
import { askAlong, type OrganisationTx, type Schema } from '@holdfast/db'
import type { OrderId } from '@holdfast/units'
import type { Selectable } from 'kysely'

/** One transaction made for an order. All of an order take the same slot, so the chain takes one of them at most. */
export type OrderTransaction = Selectable<Schema['order_transaction']>
export type SignedTransaction = OrderTransaction & { unsigned_tx: Uint8Array; raw_tx: Uint8Array; txid: string }

type Held = { readonly transactions: readonly OrderTransaction[] }

/** The transactions of an order, the oldest first. */
export async function readTransactions(tx: OrganisationTx, orderId: OrderId): Promise<OrderTransaction[]> {
  return tx.selectFrom('order_transaction').selectAll().where('org_id', '=', tx.orgId).where('order_id', '=', orderId).orderBy('number').execute()
}

/** The one being made: neither signed nor given up. There is one at most. */
export function openTransaction({ transactions }: Held): OrderTransaction | undefined {
  return transactions.find((each) => each.raw_tx === null && each.ended_at === null)
}

/** Those that the chain may take, the oldest first. */
export function signedTransactions({ transactions }: Held): SignedTransaction[] {
  return transactions.filter((each): each is SignedTransaction => each.raw_tx !== null)
}

/** The one that is sent: the newest, since it pays the highest fee. Throws if nothing is signed. */
export function newestSigned(order: Held): SignedTransaction {
  const newest = signedTransactions(order).at(-1)
  assert.ok(newest, 'an order is on its way without signed bytes')
  return newest
}

export type NewTransaction = Pick<OrderTransaction, 'purpose' | 'allowed_by' | 'asked_by' | 'tier' | 'fee_cap'> & { unsigned_tx?: Uint8Array }

/** Begins another transaction of an order, which has been read with a lock. Returns its number. */
export async function addTransaction(tx: OrganisationTx, order: Held & { row: { id: string } }, made: NewTransaction, nowMs: number): Promise<number> {
  const number = (order.transactions.at(-1)?.number ?? 0) + 1
  askAlong(tx, tx.insertInto('order_transaction').values({ org_id: tx.orgId, order_id: order.row.id, number, ...made, created_at: nowMs }))
  return number
}

type Named = Pick<OrderTransaction, 'order_id' | 'number'>

/** Stores unsigned bytes. The caller ensures that it never replaces those that signers may have begun to sign. */
export async function storeBytes(tx: OrganisationTx, transaction: Named, unsigned: Uint8Array): Promise<void> {
  askAlong(tx, update(tx, transaction).set({ unsigned_tx: unsigned }).where('raw_tx', 'is', null))
}

/** Stores the signed form. From here on it may be sent; the chain may have it already. */
export async function storeSigned(tx: OrganisationTx, transaction: Named, signed: { raw: Uint8Array; txid: string }, nowMs: number): Promise<void> {
  const given = { raw_tx: signed.raw, txid: signed.txid, signed_at: nowMs, ended_at: null, reason: null }
  askAlong(tx, update(tx, transaction).set(given).where('raw_tx', 'is', null))
}

/**
 * Gives up the transaction being made, and says why; with `allowedBy`, only if that order allowed it. Its bytes stay known: if a signature may exist, the
 * chain can still show them.
 */
export async function endOpenTransaction(tx: OrganisationTx, orderId: OrderId, reason: string | null, nowMs: number, allowedBy?: OrderId): Promise<void> {
  await tx
    .updateTable('order_transaction')
    .set({ ended_at: nowMs, reason: reason?.slice(0, 1000) || null })
    .where('org_id', '=', tx.orgId)
    .where('order_id', '=', orderId)
    .where('raw_tx', 'is', null)
    .where('ended_at', 'is', null)
    .$if(allowedBy !== undefined, (open) => open.where('allowed_by', '=', allowedBy as OrderId))
    .execute()
}

const update = (tx: OrganisationTx, { order_id: orderId, number }: Named) =>
  tx.updateTable('order_transaction').where('org_id', '=', tx.orgId).where('order_id', '=', orderId).where('number', '=', number)
