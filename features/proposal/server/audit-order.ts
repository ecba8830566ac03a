import { AppError, type InputOf, type OutputOf } from '@holdfast/contract'
import { EncodingFault, equalBytes, fromHex } from '@holdfast/encoding'
import { approvalUrl } from '@holdfast/features/approval-url'
import type { ServerContext } from '@holdfast/features/context'
import { approvalRefused, readVote } from '@holdfast/features/evidence/server'
import type { Vote } from '@holdfast/intent'
import { known, uuidToBytes } from '@holdfast/units'
import { type auditOrder as endpoint, ORDER_KINDS } from '../contract.ts'
import { proposalErrors } from '../errors.ts'
import { approveProposal } from './approve.ts'
import { type Proposals, registered, type Viewer } from './proposal-kind.ts'

type Caller = Pick<Viewer, 'language' | 'personId'> & { orgId: string }

/**
 * Hands on a decision that the caller signed at the approval page, on the way that the page's own go (`approveProposal`), and answers how the order stands
 * then. Nothing is decided in the name of a session: without a signed decision it is refused with where to make one. Throws AppError.
 */
export async function auditOrder(
  context: ServerContext,
  proposals: Proposals,
  { orgId, language, personId }: Caller,
  input: InputOf<typeof endpoint>,
): Promise<OutputOf<typeof endpoint>> {
  const { db, ports } = context
  const id = known(input.withdraw_id ?? input.trans_id, 'the order that the call names')
  const order = await db.asOrganisation(orgId, (tx) =>
    tx
      .selectFrom('proposal')
      .select(['kind', 'intent_hash'])
      .where('org_id', '=', orgId)
      .where('subject_id', '=', id)
      .where('kind', 'in', ORDER_KINDS)
      .executeTakeFirst(),
  )
  const hash = order?.intent_hash
  if (!order || !hash) throw new AppError(proposalErrors.order_not_found)
  // Who decides by another hash has seen another order.
  if (!equalBytes(hash, fromHex(input.payload_hash))) throw new AppError('state_changed')
  if (input.approval === undefined) throw new AppError(proposalErrors.decide_on_page, { details: { approval_url: approvalUrl(context, hash), need_qrc: true } })
  const { intentHash, person, decision } = readDecision(input.approval)
  if (!equalBytes(intentHash, hash)) throw approvalRefused('it is about another order')
  if (!equalBytes(person, uuidToBytes(personId))) throw approvalRefused('somebody else signed it')
  if (decision !== (input.result === '1' ? 'approve' : 'reject')) throw approvalRefused('the result and the signed decision say different things')
  await approveProposal(context, proposals, input.approval, input.remark)
  const [item] = await db.asOrganisation(orgId, (tx) =>
    registered(proposals, order.kind).todo({ tx, context, language, personId, nowMs: ports.clock.nowMs(), fiat: 'USD' }, [id]),
  )
  const { status, node } = known(item, `the order ${id} in the list`)
  return { status, node: { done: node.done, need: node.need }, need_qrc: false }
}

function readDecision(encoded: string): Vote {
  try {
    return readVote(fromHex(encoded))
  } catch (cause) {
    if (cause instanceof EncodingFault) throw approvalRefused(cause.message, cause)
    throw cause
  }
}
