import type { OrganisationTx } from '@holdfast/db'
import { readApprovals, readMachineWords } from '@holdfast/features/evidence/server'
import type { OrderId, PersonId } from '@holdfast/units'
import type { Order } from '../order/read-order.ts'

/** How people and machines allowed an order: the approvals of it, what machines signed, and where the order itself and then each of them stands in the log. */
export async function readApproved(tx: OrganisationTx, { row }: Pick<Order, 'row'>): Promise<{ approvals: Uint8Array[]; sequences: number[] }> {
  const [words, machines, placeOf] = await Promise.all([readApprovals(tx, row.intent_hash), readMachineWords(tx, row.intent_hash), placesInLog(tx, row.id)])
  const approvals = words.filter((each) => each.approval.decision === 'approve')
  const signed = machines.filter((each) => each.signed.decision !== 'reject')
  return {
    approvals: [...approvals, ...signed].map(({ bytes }) => bytes),
    sequences: [placeOf(null), ...approvals.map((each) => placeOf(each.personId)), ...signed.map(({ sequence }) => sequence)],
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
