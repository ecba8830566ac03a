import { isUuid } from '@holdfast/units'
import type { Asking } from './asking.ts'

/** The orders that were asked for with these `request_id`, the oldest first. */
export async function ordersAskedFor({ context, caller }: Pick<Asking, 'context' | 'caller'>, requestIds: readonly string[]) {
  const { db } = context
  const made = await db.readOrganisation(caller.orgId, (tx) =>
    tx.selectFrom('idempotency').select('result_id').where('org_id', '=', tx.orgId).where('request_id', 'in', requestIds).execute(),
  )
  const ids = made.map((row) => row.result_id).filter((id) => isUuid(id))
  if (ids.length === 0) return []
  return db.readOrganisation(caller.orgId, (tx) =>
    tx
      .selectFrom('transfer_order')
      .select(['id', 'kind', 'sub_wallet_id', 'initiator'])
      .where('org_id', '=', tx.orgId)
      .where('id', 'in', ids)
      .orderBy('created_at')
      .execute(),
  )
}
