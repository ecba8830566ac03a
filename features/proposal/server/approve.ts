import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { EncodingFault, equalBytes, fromHex } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import { appendToLog, approvalRefused, readApprovals, readMachineWords, readVote, storeApproval, type Word } from '@holdfast/features/evidence/server'
import { delegationOf, type MachineSignature, seatOf, type Vote } from '@holdfast/intent'
import { isInForce, type Policy } from '@holdfast/policy'
import { bytesToUuid } from '@holdfast/units'
import { proposalErrors } from '../errors.ts'
import { delegatorOf } from './delegated.ts'
import { findProposal } from './find-proposal.ts'
import { type ByApproval, byApproval, type Proposals, readSubject, type Subject } from './proposal-kind.ts'
import { faultOf, isIn, type Quorum, tallyOf } from './quorum.ts'
import { noteWord } from './write-proposal.ts'

type Needs = Pick<ServerContext, 'db' | 'ports' | 'settings'>
/** The state of the proposal, and how many approvals it still lacks. */
export type Decided = { state: string; missing: number }
type Given = Word & { remark: string }
type Asked = { proposals: Proposals; by: ByApproval; subject: Subject; policy: Policy; given: readonly Word[]; machines: readonly MachineSignature[] }

/**
 * Takes a person's decision from the approval page: checks it as the signers will, stores it once, writes it to the log, and counts. One
 * rejection ends the proposal, also one of somebody who approved it before; the last missing approval starts its execution at once. The same decision again
 * answers the same; a yes after a no is refused. `remark` is the reason of a rejection: it stands in the timeline of an order, and is not signed.
 */
export async function approveProposal(needs: Needs, proposals: Proposals, encoded: string, remark = ''): Promise<Decided> {
  const { approval, bytes } = readApproval(encoded)
  const { orgId, subjectId, kind } = await findProposal(needs, approval.intentHash)
  const by = byApproval(proposals, kind)
  const decided = await needs.db.asOrganisation(orgId, async (tx) => {
    // In this order: decisions are read once nobody else can add one.
    const [, subject, policy, given, spoken] = await Promise.all([
      refuseSuspended(tx, approval),
      readSubject(tx, by, subjectId, true),
      proposals.policyInForce(tx),
      readApprovals(tx, approval.intentHash),
      readMachineWords(tx, approval.intentHash),
    ])
    const machines = spoken.map(({ signed }) => signed)
    await refuseEnded(tx, needs, proposals, approval)
    return take(tx, needs, { proposals, by, subject, policy, given, machines }, { approval, bytes, remark })
  })
  if (decided.state === 'approved') by.poke(needs)
  return decided
}

/**
 * A suspended person decides nothing through this server. What stops their key for good is a policy that no longer names it:
 * the signers go by that.
 */
export async function refuseSuspended(tx: OrganisationTx, { person }: Pick<Vote, 'person'>): Promise<void> {
  const row = await tx.selectFrom('person').select(['name', 'state']).where('org_id', '=', tx.orgId).where('id', '=', bytesToUuid(person)).executeTakeFirst()
  if (row?.state === 'suspended' || row?.state === 'removed') throw approvalRefused(`${row.name} is ${row.state} and cannot decide`)
}

function readApproval(encoded: string): { approval: Vote; bytes: Uint8Array } {
  try {
    const bytes = fromHex(encoded)
    return { approval: readVote(bytes), bytes }
  } catch (cause) {
    if (cause instanceof EncodingFault) throw approvalRefused(cause.message, cause)
    throw cause
  }
}

async function take(tx: OrganisationTx, needs: Needs, asked: Asked, word: Given): Promise<Decided> {
  const { given, subject } = asked
  const { row } = subject
  const approvals = given.map((each) => each.approval)
  const isOpen = isOpenTo(asked, word.approval)
  if (isFilled(given, word.approval)) throw new AppError('state_changed')
  const earlier = given.find((each) => equalBytes(each.approval.person, word.approval.person))
  const isNoAfterYes = earlier?.approval.decision === 'approve' && word.approval.decision === 'reject' && isOpen
  if (isNoAfterYes) return takeBack(tx, needs, asked, word)
  if (earlier) return repeat({ ...asked, isOpen }, approvals, earlier, word)
  if (row.state === 'expired' || (row.state === 'approving' && row.expires_at < BigInt(needs.ports.clock.nowMs())))
    throw new AppError(proposalErrors.approval_expired)
  if (!isOpen) throw new AppError('state_changed')
  const quorums = quorumsOf(asked)
  checkWord(asked, quorums, word.approval)
  return keep(tx, needs, { ...asked, quorums }, { ...word, others: approvals })
}

/** Whether somebody else filled the seat before: the person's own word, which goes before that of who decides for them, always finds it free. */
const isFilled = (given: readonly Word[], vote: Vote): boolean =>
  delegationOf(vote) !== undefined && given.some(({ approval }) => equalBytes(seatOf(approval), seatOf(vote)) && !equalBytes(approval.person, vote.person))

/** Nobody decides for another out of time, by a statement that a newer one ended, or for somebody who is suspended: signers check the first two themselves. */
async function refuseEnded(tx: OrganisationTx, { ports }: Needs, proposals: Proposals, vote: Vote): Promise<void> {
  const delegation = delegationOf(vote)
  if (!delegation) return
  const { statement } = delegation
  await refuseSuspended(tx, { person: statement.delegator })
  const last = await proposals.lastDelegation(tx, bytesToUuid(statement.delegator))
  if (last > statement.sequence || !isInForce(delegation, BigInt(ports.clock.nowMs()))) throw new AppError(proposalErrors.delegation_over)
}

/** Whether a decision still has an effect: people are asked, or a rejection still stops what they approved. */
function isOpenTo({ by, subject, policy }: Asked, { decision }: Vote): boolean {
  const isAsked = subject.row.state === 'approving' || (decision === 'reject' && (by.canStop?.(subject, policy) ?? false))
  return isAsked && policy.version === subject.intent.policyVersion
}

/**
 * The answer to a repeated decision. A person who never got our answer may sign the same decision once more: it is checked
 * and answered the same, and the first one is kept. A yes after a no is refused.
 */
function repeat(asked: Asked & { isOpen: boolean }, approvals: readonly Vote[], earlier: Word, { approval, bytes }: Word): Decided {
  const { subject, policy, isOpen, machines } = asked
  const isSame = equalBytes(earlier.bytes, bytes)
  if (!isSame && (!isOpen || approval.decision !== earlier.approval.decision)) throw new AppError('state_changed')
  if (!isOpen) return { state: subject.row.state, missing: 0 }
  const quorums = quorumsOf(asked)
  if (!isSame) checkWord(asked, quorums, approval)
  const missing = Math.max(...quorums.map((quorum) => tallyOf(quorum, approvals, subject.intent, policy, machines).missing))
  return { state: subject.row.state, missing }
}

/**
 * Whoever approved may still say no as long as a no stops anything: it ends the proposal as that of anybody does. What they said first stays where approvals
 * are kept, one for each person; the no stands in the log, under their signature.
 */
async function takeBack(tx: OrganisationTx, needs: Needs, asked: Asked, { approval, bytes, remark }: Given): Promise<Decided> {
  const { by, subject } = asked
  checkWord(asked, quorumsOf(asked), approval)
  await by.lockBeforeLog?.(tx, subject)
  await appendToLog(tx, { genesis: subject.intent.genesis, type: 'approval', body: bytes, atMs: needs.ports.clock.nowMs() })
  return { state: await by.decided(tx, needs, subject, { verdict: 'rejected', personId: bytesToUuid(approval.person), remark }), missing: 0 }
}

/** Throws AppError `state_changed` if the policy in force denies the request. */
function quorumsOf({ by, subject, policy }: Asked): readonly Quorum[] {
  const quorums = by.quorums(subject, policy)
  if (quorums.length === 0) throw new AppError('state_changed')
  return quorums
}

/** A decision counts if it is valid by the keys of a quorum that this person is in. */
function checkWord({ subject, policy }: Asked, quorums: readonly Quorum[], approval: Vote): void {
  const own = quorums.filter((quorum) => isIn(quorum, seatOf(approval)))
  if (own.length === 0) throw approvalRefused('given by somebody who may not approve this order')
  const faults = own.map((quorum) => faultOf(approval, subject.intent, policy, quorum))
  const [fault] = faults
  if (fault && faults.every((each) => each !== undefined)) throw approvalRefused(fault.message, fault)
}

type Kept = Given & { others: readonly Vote[] }

async function keep(tx: OrganisationTx, needs: Needs, asked: Asked & { quorums: readonly Quorum[] }, word: Kept): Promise<Decided> {
  const { proposals, by, subject, policy, quorums, machines } = asked
  const { approval, bytes, remark, others } = word
  const { random, clock } = needs.ports
  const nowMs = clock.nowMs()
  const personId = bytesToUuid(approval.person)
  await storeApproval(tx, { approval, bytes }, { random, nowMs })
  await noteWord(tx, subject.row.id, { personId, atMs: nowMs })
  await by.lockBeforeLog?.(tx, subject)
  const sequence = await appendToLog(tx, { genesis: subject.intent.genesis, type: 'approval', body: bytes, atMs: nowMs })
  await by.keepPlace?.(tx, subject, { personId, sequence: Number(sequence) })
  const tallies = quorums.map((quorum) => tallyOf(quorum, [...others, approval], subject.intent, policy, machines))
  const missing = Math.max(...tallies.map((tally) => tally.missing))
  const verdict = approval.decision === 'reject' ? 'rejected' : tallies.every(({ met }) => met) ? 'approved' : undefined
  const state = verdict ? await by.decided(tx, needs, subject, { verdict, personId, remark }) : subject.row.state
  if (!verdict) await by.announce(tx, needs, subject)
  const delegatorId = delegatorOf(approval)
  if (delegatorId !== undefined)
    await proposals.tellOfWord(tx, needs, { delegatorId, delegateId: personId, subjectId: subject.row.id, decision: approval.decision as 'approve' | 'reject' })
  return { state, missing }
}
