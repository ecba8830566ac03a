import { claimRequest, isClaimed } from '@holdfast/http'
import { type Asking, fieldOf } from './asking.ts'

/** The form of ids that calls of the console take; whatever else stands there is refused by those. */
const REQUEST_ID = /^[A-Za-z0-9_-]{8,64}$/
/** A spelling is claimed with nothing else. */
const NO_DIGEST = new Uint8Array(32)

/**
 * The same order with its `request_id` in the one spelling that it has here: the one in which the key used it first. The `sign` of an order is over small
 * letters, so it is right for every spelling of the id: whoever has one order of a key, and what signs its requests, would make another of it by each.
 */
export async function inOneSpelling(asking: Asking): Promise<Asking> {
  const { context, caller, fields } = asking
  const requestId = fieldOf(asking, 'request_id')
  if (requestId === undefined || !REQUEST_ID.test(requestId)) return asking
  const request_id = await context.db.asOrganisation(caller.orgId, async (tx) => {
    // What was asked for in this very spelling keeps it.
    if (await isClaimed(tx, { id: requestId })) return requestId
    // No id that a caller makes has a colon or an equals sign: none of these claims is in the way of a call, nor taken for something made.
    const key = { id: `spelling:${caller.requester.partyId}:${requestId.toLowerCase()}`, digest: NO_DIGEST }
    const nowMs = Math.floor(context.ports.clock.nowMs())
    const { resultId } = await claimRequest(tx, { key, kind: 'request_spelling', resultId: `=${requestId}`, nowMs })
    return resultId.slice(1)
  })
  return { ...asking, fields: { ...fields, request_id } }
}
