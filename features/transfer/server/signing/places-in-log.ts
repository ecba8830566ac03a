import type { OrganisationTx } from '@holdfast/db'
import type { OrderId, PersonId } from '@holdfast/units'

/** Where an order (`null`) and the approval of each person stand in the log. */
export async function placesInLog(tx: OrganisationTx, orderId: OrderId): Promise<(personId: PersonId | null) => number> {
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
