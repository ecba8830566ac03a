import type { OrganisationTx } from '@holdfast/db'

/** Takes the lock under which the notifications of a record to one endpoint are numbered, settled and released. */
export async function lockRecord(tx: OrganisationTx, endpointId: string, recordId: string): Promise<void> {
  await tx
    .selectFrom('webhook_record')
    .select('record_id')
    .where('org_id', '=', tx.orgId)
    .where('endpoint_id', '=', endpointId)
    .where('record_id', '=', recordId)
    .forUpdate()
    .execute()
}

/**
 * Lets the first undelivered notification of a record go, where it may: one that was given up is waited for, until somebody
 * sends it again or gives it up for good. To be called under `lockRecord`.
 */
export async function releaseNext(tx: OrganisationTx, endpointId: string, recordId: string, nowMs: number): Promise<boolean> {
  const first = await tx
    .selectFrom('webhook_delivery')
    .select(['id', 'state', 'next_at'])
    .where('org_id', '=', tx.orgId)
    .where('endpoint_id', '=', endpointId)
    .where('record_id', '=', recordId)
    .where('state', 'in', ['retrying', 'failed'])
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst()
  if (first?.state !== 'retrying' || first.next_at !== null) return false
  await tx.updateTable('webhook_delivery').set({ next_at: nowMs }).where('org_id', '=', tx.orgId).where('id', '=', first.id).execute()
  return true
}
