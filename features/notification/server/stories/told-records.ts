import type { OrganisationTx } from '@holdfast/db'

/** Of some records, those of which any endpoint was told something. */
export async function toldRecords(tx: OrganisationTx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const rows = await tx
    .selectFrom('webhook_record')
    .select('record_id')
    .distinct()
    .where('org_id', '=', tx.orgId)
    .where('record_id', 'in', [...ids])
    .execute()
  return new Set(rows.map((row) => row.record_id))
}
