import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { proposalErrors } from '@holdfast/features/proposal/errors'
import { announce } from '@holdfast/jobs'
import type { ScanNeeds } from './reading/advance.ts'

/**
 * Records that a person has seen an allowance spend: its alarm ends. The first acknowledgement is kept, and a repeated call answers the same. Returns
 * when that was. Throws `order_not_found`, and `state_changed` if the spend is not posted: until then the chain may still take it back.
 */
export async function acknowledgeAllowanceSpend(
  tx: OrganisationTx,
  { ports }: Pick<ScanNeeds, 'ports'>,
  { id, personId }: { id: string; personId: string },
): Promise<number> {
  const row = await tx.selectFrom('token_pull').selectAll().where('org_id', '=', tx.orgId).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
  if (!row) throw new AppError(proposalErrors.order_not_found)
  if (row.acknowledged_at !== null) return Number(row.acknowledged_at)
  if (row.booked_at === null || row.reversed_at !== null) throw new AppError('state_changed')
  const nowMs = Math.max(ports.clock.nowMs(), Number(row.booked_at))
  await tx
    .updateTable('token_pull')
    .set({ acknowledged_by: personId, acknowledged_at: nowMs, told_until_at: row.told_until_at ?? nowMs })
    .where('org_id', '=', tx.orgId)
    .where('id', '=', id)
    .execute()
  await announce(tx, ports, 'pull.changed', { pull_id: id, sub_wallet_id: row.sub_wallet_id })
  return nowMs
}
