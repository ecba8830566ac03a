import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { equalBytes } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import { appendToLog, approvalRefused, assertApproval, readApprovals, storeApproval, type Word } from '@holdfast/features/evidence/server'
import { currentPolicy, type Decided } from '@holdfast/features/policy/server'
import type { Approval } from '@holdfast/intent'
import { countApprovals, type Policy, type Tally } from '@holdfast/policy'
import { bytesToUuid } from '@holdfast/units'
import { announceKeyChange, isKeyOrder, type KeyChange, moveKeyChange, readKeyChangeByIntent } from './key-change.ts'

type Needs = Pick<ServerContext, 'db' | 'ports'>

/** How far an order is with those who govern the policy it was made under. */
export function tallyOfChange({ intent }: Pick<KeyChange, 'intent'>, policy: Policy, approvals: readonly Approval[]): Tally {
  const { approvers, threshold } = policy.governance
  return countApprovals({ policy, intent, approvals, eligible: approvers, threshold: Number(threshold) })
}

/** The people who can approve an order: those who govern, but who asked. */
export function eligibleFor({ intent }: Pick<KeyChange, 'intent'>, policy: Policy): Uint8Array[] {
  return policy.governance.approvers.filter((id) => !equalBytes(id, intent.initiator))
}

/**
 * Takes a person's word on an order for new shares: checks it as the signers will, keeps it once, writes it to the log, and counts. One rejection of somebody
 * who governs ends the order. The same word again answers the same; another is refused.
 */
export async function approveKeyChange(tx: OrganisationTx, needs: Pick<Needs, 'ports'>, approval: Approval, bytes: Uint8Array): Promise<Decided> {
  const change = await readKeyChangeByIntent(tx, approval.intentHash, true)
  if (!change) throw new AppError('order_not_found')
  const { row } = change
  const { policy } = await currentPolicy(tx)
  const given = await readApprovals(tx, row.intent_hash)
  const approvals = given.map((each) => each.approval)
  // What the signers have not followed yet can still be rejected, also after it has its quorum.
  const canStop = row.state === 'approved' && isKeyOrder(change) && change.progress.steps[0]!.state === 'waiting' && approval.decision === 'reject'
  const isOpen = (row.state === 'approving' || canStop) && policy.version === row.policy_version
  const earlier = given.find((each) => equalBytes(each.approval.person, approval.person))
  if (earlier) {
    const isSame = equalBytes(earlier.bytes, bytes)
    if (!isSame && (!isOpen || approval.decision !== earlier.approval.decision)) throw new AppError('state_changed')
    if (!isSame) checkWord(approval, change, policy)
    return { state: row.state, missing: isOpen ? tallyOfChange(change, policy, approvals).missing : 0 }
  }
  if (row.state === 'expired' || (row.state === 'approving' && row.expires_at < BigInt(needs.ports.clock.nowMs()))) throw new AppError('approval_expired')
  if (!isOpen) throw new AppError('state_changed')
  checkWord(approval, change, policy)
  return keep(tx, needs, { change, approval, bytes, tally: tallyOfChange(change, policy, [...approvals, approval]) })
}

function checkWord(approval: Approval, change: KeyChange, policy: Policy): void {
  const isEligible = eligibleFor(change, policy).some((id) => equalBytes(id, approval.person))
  if (!isEligible) throw approvalRefused('given by somebody who may not approve this order')
  assertApproval(approval, change.intent, policy)
}

type Kept = Word & { change: KeyChange; tally: Tally }

async function keep(tx: OrganisationTx, needs: Pick<Needs, 'ports'>, { change, approval, bytes, tally }: Kept): Promise<Decided> {
  const { ports } = needs
  const nowMs = ports.clock.nowMs()
  const person = bytesToUuid(approval.person)
  await storeApproval(tx, { approval, bytes }, { random: ports.random, nowMs })
  const sequence = await appendToLog(tx, { genesis: change.intent.genesis, type: 'approval', body: bytes, atMs: nowMs })
  const places = { ...change.places, words: { ...change.places.words, [person]: Number(sequence) } }
  await tx
    .updateTable('key_change')
    .set({ places: JSON.stringify(places) })
    .where('org_id', '=', tx.orgId)
    .where('id', '=', change.row.id)
    .execute()
  if (approval.decision === 'reject') {
    const { row } = await moveKeyChange(tx, needs, change, { state: 'rejected', actor: person })
    return { state: row.state, missing: tally.missing }
  }
  if (tally.met) {
    const { row } = await moveKeyChange(tx, needs, change, { state: 'approved', actor: person })
    return { state: row.state, missing: 0 }
  }
  await announceKeyChange(tx, needs, change.row)
  return { state: change.row.state, missing: tally.missing }
}
