import { AppError } from '@holdfast/contract'
import { type OrganisationTx, writtenOnce } from '@holdfast/db'
import { equalBytes } from '@holdfast/encoding'
import { at } from '@holdfast/units'
import type { RequestKey } from './request-key.ts'

type Claim = { orgId: string; requestId: string; kind: string; digest: Uint8Array; resultId: string; nowMs: number }

const askClaim = writtenOnce((db, { orgId, requestId }: { orgId: string; requestId: string }) =>
  db.selectFrom('idempotency').selectAll().where('org_id', '=', orgId).where('request_id', '=', requestId),
)

const writeClaim = writtenOnce((db, claim: Claim) =>
  db
    .insertInto('idempotency')
    .values({
      org_id: claim.orgId,
      request_id: claim.requestId,
      kind: claim.kind,
      body_hash: claim.digest,
      result_id: claim.resultId,
      created_at: claim.nowMs,
    })
    .onConflict((conflict) => conflict.columns(['org_id', 'request_id']).doNothing())
    .returning('request_id'),
)

/** Whether a call with this id was claimed before. `claimRequest` says whether it was the same call, and what it created. */
export async function isClaimed(tx: OrganisationTx, key: Pick<RequestKey, 'id'>): Promise<boolean> {
  return (await askClaim(tx, { orgId: tx.orgId, requestId: key.id })).length > 0
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
  const claim: Claim = { orgId: tx.orgId, requestId: key.id, kind, digest: key.digest, resultId, nowMs }
  // Nothing comes back where the key was claimed before.
  if ((await writeClaim(tx, claim)).length === 1) return { fresh: true, resultId }
  const earlier = at(await askClaim(tx, { orgId: tx.orgId, requestId: key.id }), 0)
  if (earlier.kind !== kind || !equalBytes(earlier.body_hash, key.digest)) {
    throw new AppError('duplicate_request', { cause: new Error(`the request id ${key.id} was used for another call: use a new one`) })
  }
  return { fresh: false, resultId: earlier.result_id }
}
