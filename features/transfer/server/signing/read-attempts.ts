import { askAlong, type OrganisationTx } from '@holdfast/db'
import type { OrderId } from '@holdfast/units'
import type { Attempt } from './choose-parties.ts'
import type { OrderTransaction } from '../order/order-transactions.ts'

/** The sessions in which signers were asked to sign transactions of an order, in order. */
export async function readAttempts(tx: OrganisationTx, orderId: OrderId): Promise<(Attempt & { transaction_number: number })[]> {
  const rows = await tx
    .selectFrom('signing_attempt')
    .leftJoin('signing_start', (join) =>
      join
        .onRef('signing_start.org_id', '=', 'signing_attempt.org_id')
        .onRef('signing_start.order_id', '=', 'signing_attempt.order_id')
        .onRef('signing_start.number', '=', 'signing_attempt.number'),
    )
    .select(['transaction_number', 'parties', 'outcome', 'party', 'failed_check', 'handed_over_at', 'signing_start.number as start'])
    .where('signing_attempt.org_id', '=', tx.orgId)
    .where('signing_attempt.order_id', '=', orderId)
    .orderBy('signing_attempt.number')
    .execute()
  // For an attempt without a stored start, nobody knows whether the signers began.
  return rows.map(({ start, ...attempt }) => ({ ...attempt, handed_over_at: start === null ? 0n : attempt.handed_over_at }))
}

/** Writes that a session is about to open. Its outcome is unknown until it is written. */
export async function beginAttempt(
  tx: OrganisationTx,
  { order_id: orderId, number: transactionNumber }: Pick<OrderTransaction, 'order_id' | 'number'>,
  parties: readonly number[],
  nowMs: number,
): Promise<number> {
  const last = await tx
    .selectFrom('signing_attempt')
    .select((row) => row.fn.max('number').as('number'))
    .where('org_id', '=', tx.orgId)
    .where('order_id', '=', orderId)
    .executeTakeFirst()
  const number = (last?.number ?? 0) + 1
  const begun = { org_id: tx.orgId, order_id: orderId, number, transaction_number: transactionNumber, parties: [...parties], started_at: nowMs }
  askAlong(tx, tx.insertInto('signing_attempt').values(begun))
  askAlong(tx, tx.insertInto('signing_start').values({ org_id: tx.orgId, order_id: orderId, number, handed_over_at: null }))
  return number
}

/** Writes that signers are about to be told to begin: from here on a signature may exist. */
export async function handOver(tx: OrganisationTx, orderId: OrderId, number: number, nowMs: number): Promise<void> {
  const started = tx.updateTable('signing_start').set({ handed_over_at: nowMs }).where('org_id', '=', tx.orgId)
  askAlong(tx, started.where('order_id', '=', orderId).where('number', '=', number))
}

export type AttemptEnd = { outcome: 'signed' | 'refused' | 'unclear' | 'cheat'; party?: number; failedCheck?: string; reason?: string; nowMs: number }

export async function endAttempt(tx: OrganisationTx, orderId: OrderId, number: number, end: AttemptEnd): Promise<void> {
  const { outcome, party, failedCheck, reason, nowMs } = end
  const ended = { outcome, party: party ?? null, failed_check: failedCheck ?? null, reason: reason?.slice(0, 1000) ?? null, ended_at: nowMs }
  const attempt = tx.updateTable('signing_attempt').set(ended).where('org_id', '=', tx.orgId).where('order_id', '=', orderId).where('number', '=', number)
  askAlong(tx, attempt.where('outcome', 'is', null))
}
