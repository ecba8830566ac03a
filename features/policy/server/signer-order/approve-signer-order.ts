import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { equalBytes } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import { appendToLog, approvalRefused, assertApproval, readApprovals, storeApproval, type Word } from '@holdfast/features/evidence/server'
import type { Approval } from '@holdfast/intent'
import { countApprovals, type Policy, type Tally } from '@holdfast/policy'
import { bytesToUuid } from '@holdfast/units'
import type { Decided } from '../change/approve-policy-change.ts'
import { currentPolicy } from '../current-policy.ts'
import { announceSignerOrder, moveSignerOrder, readSignerOrderByIntent, type SignerOrder, writeSignerOrderPlaces } from './signer-order.ts'

type Needs = Pick<ServerContext, 'db' | 'ports'>

/** The people who can approve an order: those who govern, but who asked. */
export function governorsFor({ intent }: Pick<SignerOrder, 'intent'>, policy: Policy): Uint8Array[] {
  return policy.governance.approvers.filter((id) => !equalBytes(id, intent.initiator))
}

/** How far an order is with those who govern the policy it was made under. */
export function tallyOfSignerOrder(order: Pick<SignerOrder, 'intent'>, policy: Policy, approvals: readonly Approval[]): Tally {
  const { threshold } = policy.governance
  return countApprovals({ policy, intent: order.intent, approvals, eligible: governorsFor(order, policy), threshold: Number(threshold) })
}

/**
 * Takes a person's word on an order to the signers: checks it as the signers will, keeps it once, writes it to the log, and counts. One rejection of somebody who
 * governs ends it, also after its quorum, as long as no signer has said that it would follow. The same word again answers the same; another is refused.
 */
export async function approveSignerOrder(tx: OrganisationTx, needs: Pick<Needs, 'ports'>, approval: Approval, bytes: Uint8Array): Promise<Decided> {
  const order = await readSignerOrderByIntent(tx, approval.intentHash, true)
  if (!order) throw new AppError('order_not_found')
  const { row } = order
  const { policy } = await currentPolicy(tx)
  const given = await readApprovals(tx, row.intent_hash)
  const approvals = given.map((each) => each.approval)
  const canStop = row.state === 'approved' && row.endorsements === null && approval.decision === 'reject'
  const isOpen = (row.state === 'approving' || canStop) && policy.version === row.policy_version
  const earlier = given.find((each) => equalBytes(each.approval.person, approval.person))
  if (earlier) {
    const isSame = equalBytes(earlier.bytes, bytes)
    if (!isSame && (!isOpen || approval.decision !== earlier.approval.decision)) throw new AppError('state_changed')
    if (!isSame) checkWord(approval, order, policy)
    return { state: row.state, missing: isOpen ? tallyOfSignerOrder(order, policy, approvals).missing : 0 }
  }
  if (row.state === 'expired' || (row.state === 'approving' && row.expires_at < BigInt(needs.ports.clock.nowMs()))) throw new AppError('approval_expired')
  if (!isOpen) throw new AppError('state_changed')
  checkWord(approval, order, policy)
  return keep(tx, needs, { order, approval, bytes, tally: tallyOfSignerOrder(order, policy, [...approvals, approval]) })
}

function checkWord(approval: Approval, order: SignerOrder, policy: Policy): void {
  if (!governorsFor(order, policy).some((id) => equalBytes(id, approval.person))) throw approvalRefused('given by somebody who may not approve this order')
  assertApproval(approval, order.intent, policy)
}

type Kept = Word & { order: SignerOrder; tally: Tally }

async function keep(tx: OrganisationTx, needs: Pick<Needs, 'ports'>, { order, approval, bytes, tally }: Kept): Promise<Decided> {
  const { ports } = needs
  const nowMs = ports.clock.nowMs()
  const person = bytesToUuid(approval.person)
  await storeApproval(tx, { approval, bytes }, { random: ports.random, nowMs })
  const sequence = await appendToLog(tx, { genesis: order.intent.genesis, type: 'approval', body: bytes, atMs: nowMs })
  await writeSignerOrderPlaces(tx, order, { ...order.places, words: { ...order.places.words, [person]: Number(sequence) } })
  if (approval.decision === 'reject') {
    await moveSignerOrder(tx, needs, order, { state: 'rejected', actor: person })
    return { state: 'rejected', missing: tally.missing }
  }
  if (tally.met) {
    await moveSignerOrder(tx, needs, order, { state: 'approved', actor: person })
    return { state: 'approved', missing: 0 }
  }
  await announceSignerOrder(tx, needs, order.row)
  return { state: order.row.state, missing: tally.missing }
}
