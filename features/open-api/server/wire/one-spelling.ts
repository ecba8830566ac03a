import { createHash } from 'node:crypto'
import { claimSpelling } from '@holdfast/http'
import { type Asking, fieldOf } from './asking.ts'

/** The form of ids that calls of the console take; whatever else stands there is refused by those. */
const REQUEST_ID = /^[A-Za-z0-9_-]{8,64}$/

/**
 * The same order with its `request_id` in the one spelling that it has here. The `sign` of an order is over small letters, so it is right for every spelling
 * of the id: whoever has one order of a key, and what signs its requests, would make another of it by each.
 */
export async function inOneSpelling(asking: Asking): Promise<Asking> {
  const { context, caller, fields } = asking
  const requestId = fieldOf(asking, 'request_id')
  if (requestId === undefined || !REQUEST_ID.test(requestId)) return asking
  const { machineId, partyId } = caller.requester
  const scope = createHash('sha256').update(machineId).digest('hex').slice(0, 32)
  const nowMs = Math.floor(context.ports.clock.nowMs())
  const request_id = await context.db.asOrganisation(caller.orgId, (tx) => {
    const readEarlier = async () => {
      const orders = await tx
        .selectFrom('transfer_order as o')
        .innerJoin('idempotency as i', (join) => join.onRef('i.org_id', '=', 'o.org_id').on((on) => on('i.result_id', '=', on.cast<string>('o.id', 'text'))))
        .select('i.request_id')
        .where('o.org_id', '=', tx.orgId)
        .where('o.initiator', '=', partyId as never)
        .orderBy('o.created_at')
        .orderBy('i.request_id')
        .execute()
      return orders.map((row) => row.request_id)
    }
    return claimSpelling(tx, { scope, requestId, readEarlier, nowMs })
  })
  return { ...asking, fields: { ...fields, request_id } }
}
