import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { equalBytes } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import { appendToLog, approvalRefused, readApprovals, storeApproval, type Word } from '@holdfast/features/evidence/server'
import type { Approval } from '@holdfast/intent'
import { ApprovalRefused, checkApproval, type Policy } from '@holdfast/policy'
import { bytesToUuid } from '@holdfast/units'
import { quorumsOfChange, tallies } from './change-quorums.ts'
import { currentPolicy } from '../current-policy.ts'
import { announceChange, moveChange, type PolicyChange, readPolicyChangeByIntent } from './policy-change.ts'

type Needs = Pick<ServerContext, 'db' | 'ports'>
export type Decided = { state: string; missing: number }

/**
 * Takes a person's word on a change of the policy: checks it as the signers will, keeps it once, writes it to the log, and counts.
 * One rejection of somebody who governs ends the change. The same word again answers the same; another is refused.
 */
export async function approvePolicyChange(tx: OrganisationTx, needs: Pick<Needs, 'ports'>, approval: Approval, bytes: Uint8Array): Promise<Decided> {
  const change = await readPolicyChangeByIntent(tx, approval.intentHash, true)
  if (!change) throw new AppError('order_not_found')
  const { policy } = await currentPolicy(tx)
  const given = await readApprovals(tx, change.row.intent_hash)
  const earlier = given.find((each) => equalBytes(each.approval.person, approval.person))
  if (earlier)
    return repeat(
      change,
      policy,
      given.map((each) => each.approval),
      earlier,
      { approval, bytes },
    )
  assertOpen(change, policy, needs.ports.clock.nowMs())
  checkWord(approval, change, policy)
  return keep(tx, needs, { change, policy, approval, bytes, others: given.map((each) => each.approval) })
}

function repeat(change: PolicyChange, policy: Policy, given: readonly Approval[], earlier: Word, { approval, bytes }: Word): Decided {
  const isOpen = change.row.state === 'approving' && policy.version === change.row.base_version
  const isSame = equalBytes(earlier.bytes, bytes)
  if (!isSame && (!isOpen || approval.decision !== earlier.approval.decision)) throw new AppError('state_changed')
  if (!isSame) checkWord(approval, change, policy)
  return { state: change.row.state, missing: isOpen ? missingOf(change, policy, given) : 0 }
}

function assertOpen({ row }: PolicyChange, policy: Policy, nowMs: number): void {
  if (row.state === 'expired' || (row.state === 'approving' && row.expires_at < BigInt(nowMs))) throw new AppError('approval_expired')
  if (row.state !== 'approving' || policy.version !== row.base_version) throw new AppError('state_changed')
}

/** A word counts where it is good under the keys of a version that lets this person govern: the one in force, or the next. */
function checkWord(approval: Approval, change: PolicyChange, policy: Policy): void {
  const quorums = quorumsOfChange(change, policy).filter(({ eligible }) => eligible.some((id) => equalBytes(id, approval.person)))
  if (quorums.length === 0) throw approvalRefused('given by somebody who may not approve this change')
  const faults = quorums.map(({ directory }) => faultOf(approval, change, policy, directory))
  const [fault] = faults
  if (fault && faults.every((each) => each !== undefined)) throw approvalRefused(fault.message, fault)
}

function faultOf(approval: Approval, { intent }: PolicyChange, policy: Policy, directory: Policy): ApprovalRefused | undefined {
  try {
    checkApproval(approval, intent, policy, directory)
    return undefined
  } catch (cause) {
    if (cause instanceof ApprovalRefused) return cause
    throw cause
  }
}

function missingOf(change: PolicyChange, policy: Policy, approvals: readonly Approval[]): number {
  return Math.max(...tallies(change, policy, approvals).map(({ tally }) => tally.missing))
}

type Kept = Word & { change: PolicyChange; policy: Policy; others: readonly Approval[] }

async function keep(tx: OrganisationTx, needs: Pick<Needs, 'ports'>, { change, policy, approval, bytes, others }: Kept): Promise<Decided> {
  const { ports } = needs
  const nowMs = ports.clock.nowMs()
  const person = bytesToUuid(approval.person)
  await storeApproval(tx, { approval, bytes }, { random: ports.random, nowMs })
  const all = [...others, approval]
  const missing = missingOf(change, policy, all)
  if (approval.decision === 'reject') {
    const { row } = await moveChange(tx, needs, change, { state: 'rejected', actor: person, log: [{ type: 'approval', body: bytes }] })
    return { state: row.state, missing }
  }
  if (missing === 0) {
    const { row } = await moveChange(tx, needs, change, { state: 'approved', actor: person, log: [{ type: 'approval', body: bytes }] })
    return { state: row.state, missing: 0 }
  }
  await appendToLog(tx, { genesis: change.intent.genesis, type: 'approval', body: bytes, atMs: nowMs })
  await announceChange(tx, needs, change.row)
  return { state: change.row.state, missing }
}
