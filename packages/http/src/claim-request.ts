import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { equalBytes } from '@holdfast/encoding'
import type { RequestKey } from './request-key.ts'

/** Whether a call with this id was claimed before. `claimRequest` says whether it was the same call, and what it created. */
export async function isClaimed(tx: OrganisationTx, key: RequestKey): Promise<boolean> {
  const earlier = await tx.selectFrom('idempotency').select('request_id').where('org_id', '=', tx.orgId).where('request_id', '=', key.id).executeTakeFirst()
  return earlier !== undefined
}

/**
 * Carries out a call once for each key that its caller made. Returns `resultId` if the call is new and must be carried out in this transaction, or the id of
 * what the same call created before. A concurrent call with the same key waits for this transaction. Throws AppError `duplicate_request` if the key was used
 * for something else.
 */
export async function claimRequest(
  tx: OrganisationTx,
  { key, kind, resultId, nowMs }: { key: RequestKey; kind: string; resultId: string; nowMs: number },
): Promise<{ fresh: boolean; resultId: string }> {
  const inserted = await tx
    .insertInto('idempotency')
    .values({ org_id: tx.orgId, request_id: key.id, kind, body_hash: key.digest, result_id: resultId, created_at: nowMs })
    .onConflict((conflict) => conflict.columns(['org_id', 'request_id']).doNothing())
    .executeTakeFirst()
  if (inserted.numInsertedOrUpdatedRows === 1n) return { fresh: true, resultId }
  const earlier = await tx.selectFrom('idempotency').selectAll().where('org_id', '=', tx.orgId).where('request_id', '=', key.id).executeTakeFirstOrThrow()
  if (earlier.kind !== kind || !equalBytes(earlier.body_hash, key.digest)) {
    throw new AppError('duplicate_request', { cause: new Error(`the request id ${key.id} was used for another call: use a new one`) })
  }
  return { fresh: false, resultId: earlier.result_id }
}
