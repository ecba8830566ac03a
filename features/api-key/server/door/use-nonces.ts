import type { OrganisationTx } from '@holdfast/db'

type Used = { machineId: string; nonces: readonly string[]; overAtMs: number }

/** Uses nonces of a call up, and answers those that were not used before. They are remembered until `overAtMs`, after which no call with them is taken any more. */
export async function useNonces(tx: OrganisationTx, { machineId, nonces, overAtMs }: Used): Promise<Set<string>> {
  const over_at = Math.ceil(overAtMs)
  const fresh = await tx
    .insertInto('machine_nonce')
    // In one order, so that two calls never wait for each other.
    .values([...new Set(nonces)].toSorted().map((nonce) => ({ org_id: tx.orgId, machine_id: machineId, nonce, over_at })))
    .onConflict((conflict) => conflict.columns(['org_id', 'machine_id', 'nonce']).doNothing())
    .returning('nonce')
    .execute()
  return new Set(fresh.map(({ nonce }) => nonce))
}
