import { AppError } from '@holdfast/contract'
import { toHex } from '@holdfast/encoding'
import { approvalUrl } from '@holdfast/features/approval-url'
import type { ServerContext } from '@holdfast/features/context'
import { getEvidence } from '@holdfast/features/evidence/contract'
import type { OrganisationTx } from '@holdfast/db'
import { currentPolicy, wholeEvidence, wholeRefusal } from '@holdfast/features/policy/server'
import { proposalErrors } from '@holdfast/features/proposal/errors'
import { handle, type HandledEndpoint, requesterIdOf } from '@holdfast/http'
import type { OrderId } from '@holdfast/units'
import * as contract from '../contract.ts'
import { resumeOrder } from './opening/resume-order.ts'
import { refusalsOf } from './order/refusals.ts'
import { statusOf } from './order/states.ts'
import { orderCpfp, cpfpInfo } from './replacement/cpfp.ts'
import { speedUp, speedUpInfo } from './replacement/speed-up.ts'
import { pokeTransfers } from './run-transfers.ts'

/** What people do to an order that was requested, and the proof of what was signed. */
export function transferEndpoints(context: ServerContext): HandledEndpoint[] {
  const { db } = context
  return [
    handle(contract.resumeWithdrawal, async ({ orgId, personId }, { id }) => {
      const { row, state } = await db.asOrganisation(orgId, (tx) => resumeOrder(tx, context, id, personId))
      pokeTransfers(context)
      return { status: statusOf(state), sub_status: row.sub_status ?? '' }
    }),
    handle(contract.getSpeedUp, async (viewer, { trans_id }) => (await cpfpInfo(context, viewer, trans_id)) ?? speedUpInfo(context, viewer, trans_id)),
    handle(
      contract.speedUp,
      async ({ requester, ...rest }, input) => {
        const isMachine = !('personId' in requester)
        const caller = { ...rest, requesterId: requesterIdOf(requester), isMachine }
        const child = isMachine ? undefined : await orderCpfp(context, caller, input)
        const { order, needsApproval } = child ?? (await speedUp(context, caller, input))
        if (!needsApproval) pokeTransfers(context)
        return {
          new_trans_id: order.row.id,
          needs_approval: needsApproval,
          approval_url: needsApproval ? approvalUrl(context, order.row.intent_hash) : null,
          status: statusOf(order.state),
          sub_status: order.row.sub_status ?? '',
        }
      },
      'machines too',
    ),
    handle(getEvidence, ({ orgId }, { id, kind, number }) =>
      db.asOrganisation(orgId, async (tx) => {
        const order = await tx.selectFrom('transfer_order').select(['id', 'refusal']).where('org_id', '=', tx.orgId).where('id', '=', id).executeTakeFirst()
        if (!order) throw new AppError(proposalErrors.order_not_found)
        const refusal = refusalsOf(order).at(-1)
        const evidence = await (kind === 'signature' ? readEvidence(tx, id, number) : refusal && wholeRefusal(tx, refusal))
        if (!evidence) throw new AppError('resource_not_found')
        const bundle = Buffer.from(evidence).toString('base64')
        return { bundle, file_name: evidenceName(kind, id, number), fingerprint: toHex((await currentPolicy(tx)).fingerprint) }
      }),
    ),
  ]
}

/** The bundle of one of an order's signatures, as anybody can verify it: of the first, unless another one is named. */
export async function readEvidence(tx: OrganisationTx, orderId: OrderId, number?: number): Promise<Uint8Array | undefined> {
  const later =
    number === undefined
      ? undefined
      : await tx
          .selectFrom('replacement_evidence')
          .select('bundle')
          .where('org_id', '=', tx.orgId)
          .where('order_id', '=', orderId)
          .where('number', '=', number)
          .executeTakeFirst()
  const first = tx.selectFrom('evidence').select('bundle').where('org_id', '=', tx.orgId).where('order_id', '=', orderId)
  const kept = later ?? ((number ?? 1) > 1 ? undefined : await first.executeTakeFirst())
  return kept && wholeEvidence(tx, new Uint8Array(kept.bundle))
}

/** The file name of the bundle of a signature or of a refusal. */
export const evidenceName = (kind: 'signature' | 'refusal', id: string, number?: number) =>
  `holdfast-${kind}-${id}${number === undefined ? '' : `-${number}`}.evidence`
