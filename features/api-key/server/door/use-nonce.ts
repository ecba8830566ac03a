import type { OrganisationTx } from '@holdfast/db'

/** Uses the nonce of a call up; false where it was used before. It is remembered until `overAtMs`, after which no call with it is taken any more. */
export async function useNonce(tx: OrganisationTx, { machineId, nonce, overAtMs }: { machineId: string; nonce: string; overAtMs: number }): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('machine_nonce')
    .values({ org_id: tx.orgId, machine_id: machineId, nonce, over_at: Math.ceil(overAtMs) })
    .onConflict((conflict) => conflict.columns(['org_id', 'machine_id', 'nonce']).doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}
