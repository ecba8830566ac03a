import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { openApiErrors } from '../errors.ts'
import { SKEW_MS } from './read-call.ts'

/** Uses a nonce up, and forgets those whose time is over. Throws AppError `call_replayed` where it was used before. */
export async function useNonce(tx: OrganisationTx, { machineId, nonce, nowMs }: { machineId: string; nonce: string; nowMs: number }): Promise<void> {
  await tx
    .deleteFrom('machine_nonce')
    .where('org_id', '=', tx.orgId)
    .where('machine_id', '=', machineId)
    .where('over_at', '<', BigInt(Math.floor(nowMs)))
    .execute()
  // A call is taken from this long before its time to as long after it.
  const overAt = Math.ceil(nowMs) + 2 * SKEW_MS + 1000
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('machine_nonce')
    .values({ org_id: tx.orgId, machine_id: machineId, nonce, over_at: overAt })
    .onConflict((conflict) => conflict.columns(['org_id', 'machine_id', 'nonce']).doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows !== 1n) throw new AppError(openApiErrors.call_replayed)
}
