import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { approvalUrl } from '@holdfast/features/approval-url'
import type { ServerContext } from '@holdfast/features/context'
import { policyErrors } from '@holdfast/features/policy/errors'
import { policyChanges } from '@holdfast/features/policy/server'

/** Nobody decides a change of the policy by a call: it is refused with the place where it is decided, or with how it ended. */
export async function refuseAudit(tx: OrganisationTx, context: Pick<ServerContext, 'settings'>, id: string): Promise<never> {
  const change = await policyChanges.read(tx, id)
  if (!change) throw new AppError('resource_not_found')
  if (change.row.state === 'rejected' || change.row.state === 'refused') throw new AppError(policyErrors.strategy_rejected, { details: { change_id: id } })
  if (change.row.is_final) throw new AppError('state_changed')
  const url = approvalUrl(context, change.row.intent_hash)
  throw new AppError(policyErrors.decided_by_key, { details: { url, change_id: id } })
}
