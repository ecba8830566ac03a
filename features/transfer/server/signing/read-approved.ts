import type { OrganisationTx } from '@holdfast/db'
import { newestScreenings, readApprovals, readMachineWords, screeningsOf } from '@holdfast/features/evidence/server'
import { known, type OrderId, type PersonId } from '@holdfast/units'
import type { Order } from '../order/read-order.ts'
import { type ApprovedBatch, readBatch } from './read-batch.ts'

/** How people and machines allowed an order, and where in the log the order and then each of their words stands. */
export type Approved = {
  approvals: Uint8Array[]
  sequences: number[]
  /** The batch that they approved instead of the order itself. */
  batch: ApprovedBatch | undefined
}

/**
 * How people and machines allowed an order: the approvals of it, or of the batch of which it pays lines, what machines and screeners signed, and the places in
 * the log.
 */
export async function readApproved(tx: OrganisationTx, { row }: Pick<Order, 'row'>): Promise<Approved> {
  const batch = await readBatch(tx, row)
  const hash = batch?.hash ?? row.intent_hash
  const [words, machines, screenings, placeOf] = await Promise.all([
    readApprovals(tx, hash),
    readMachineWords(tx, hash),
    screeningsOf(tx, hash),
    placesInLog(tx, row.id),
  ])
  const approvals = words.filter((each) => each.approval.decision === 'approve')
  const signed = [...machines.filter((each) => each.signed.decision !== 'reject'), ...newestScreenings(screenings)]
  const placeOfWord = (personId: PersonId) => (batch ? known(batch.words[personId], `the place in the log of the approval of ${personId}`) : placeOf(personId))
  return {
    approvals: [...approvals, ...signed].map(({ bytes }) => bytes),
    sequences: [placeOf(null), ...approvals.map((each) => placeOfWord(each.personId as PersonId)), ...signed.map(({ sequence }) => sequence)],
    batch,
  }
}

/** Where an order (`null`) and the approval of each person stand in the log. */
async function placesInLog(tx: OrganisationTx, orderId: OrderId): Promise<(personId: PersonId | null) => number> {
  const places = await tx
    .selectFrom('order_log_place')
    .select(['sequence', 'person_id'])
    .where('org_id', '=', tx.orgId)
    .where('order_id', '=', orderId)
    .execute()
  return (personId) => {
    const place = places.find((each) => each.person_id === personId)
    if (!place) throw new Error(`order ${orderId} has an entry whose place in the log is not known`)
    return Number(place.sequence)
  }
}
