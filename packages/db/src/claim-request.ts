import { createHash } from 'node:crypto'
import type { OrganisationTx } from './run-transaction.ts'

/** The key was used before for another order. */
export class RequestConflict extends Error {
  override name = 'RequestConflict'
}

/**
 * Makes an order happen once for each key its caller made. Returns `resultId` where the order is new and must be carried
 * out in this transaction, or the id of the order that the same request made before. A concurrent request with the same
 * key waits for this transaction. `body` is the request's canonical bytes; another body under the same key throws RequestConflict.
 */
export async function claimRequest(
  tx: OrganisationTx,
  request: { requestId: string; kind: string; body: Uint8Array; resultId: string; nowMs: number },
): Promise<{ fresh: boolean; resultId: string }> {
  const bodyHash = Uint8Array.from(createHash('sha256').update(request.body).digest())
  const inserted = await tx
    .insertInto('idempotency')
    .values({
      org_id: tx.orgId,
      request_id: request.requestId,
      kind: request.kind,
      body_hash: bodyHash,
      result_id: request.resultId,
      created_at: request.nowMs,
    })
    .onConflict((conflict) => conflict.columns(['org_id', 'request_id']).doNothing())
    .executeTakeFirst()
  if (inserted.numInsertedOrUpdatedRows === 1n) return { fresh: true, resultId: request.resultId }
  const earlier = await tx
    .selectFrom('idempotency')
    .selectAll()
    .where('org_id', '=', tx.orgId)
    .where('request_id', '=', request.requestId)
    .executeTakeFirstOrThrow()
  if (earlier.kind !== request.kind || Buffer.compare(earlier.body_hash, bodyHash) !== 0) {
    throw new RequestConflict(`the request id ${request.requestId} was used for another order: use a new one`)
  }
  return { fresh: false, resultId: earlier.result_id }
}
