import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { equalBytes } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import { appendToLog, approvalRefused, type MachineWord, readApprovals, readMachineWords, storeMachineWord } from '@holdfast/features/evidence/server'
import type { MachineSignature } from '@holdfast/intent'
import { ApprovalRefused, checkMachineSignature, type Machine, partyOfMachine, type Policy } from '@holdfast/policy'
import { bytesToUuid } from '@holdfast/units'
import { proposalErrors } from '../errors.ts'
import type { Decided } from './approve.ts'
import { findProposal } from './find-proposal.ts'
import { type ByApproval, byApproval, type Proposals, readSubject, type Subject } from './proposal-kind.ts'
import { isIn, tallyOf } from './quorum.ts'

type Needs = Pick<ServerContext, 'db' | 'ports'>
type Given = { signed: MachineSignature; bytes: Uint8Array }
type Asked = { by: ByApproval; subject: Subject; policy: Policy }

/**
 * Takes what a machine signed of an order: that it asks for it, or what it decided as a co-signer. It is checked as the signers will, stored once,
 * written to the log and counted, like the decision of a person. The same again answers the same; anything else by the same machine is refused.
 */
export async function takeMachineSignature(needs: Needs, proposals: Proposals, given: Given): Promise<Decided> {
  const { orgId, subjectId, kind } = await findProposal(needs, given.signed.intentHash)
  const by = byApproval(proposals, kind)
  const decided = await needs.db.asOrganisation(orgId, async (tx) => {
    const [subject, policy] = await Promise.all([readSubject(tx, by, subjectId, true), proposals.policyInForce(tx)])
    return take(tx, needs, { by, subject, policy }, given)
  })
  if (decided.state === 'approved') by.poke(needs)
  return decided
}

async function take(tx: OrganisationTx, needs: Needs, asked: Asked, { signed, bytes }: Given): Promise<Decided> {
  const { by, subject, policy } = asked
  const nowMs = needs.ports.clock.nowMs()
  const words = await readMachineWords(tx, signed.intentHash)
  const earlier = words.find((each) => each.signed.machine === signed.machine)
  if (earlier) {
    if (earlier.signed.decision !== signed.decision) throw new AppError('state_changed')
    if (!equalBytes(earlier.bytes, bytes)) checkedMachine(signed, asked, nowMs)
    return { state: subject.row.state, missing: subject.row.state === 'approving' ? await missingOf(tx, asked, words) : 0 }
  }
  if (subject.row.state === 'expired' || subject.row.expires_at < BigInt(nowMs)) throw new AppError(proposalErrors.approval_expired)
  const isAsked = subject.row.state === 'approving' || (signed.decision === 'reject' && (by.canStop?.(subject, policy) ?? false))
  if (!isAsked || policy.version !== subject.intent.policyVersion) throw new AppError('state_changed')
  const party = partyOfMachine(checkedMachine(signed, asked, nowMs))
  const isStanding = signed.decision === 'ask' || by.quorums(subject, policy).some((quorum) => isIn(quorum, party))
  if (!isStanding) throw approvalRefused('signed by a machine that stands in no step of this order')
  await by.lockBeforeLog?.(tx, subject)
  const sequence = Number(await appendToLog(tx, { genesis: subject.intent.genesis, type: 'approval', body: bytes, atMs: nowMs }))
  storeMachineWord(tx, { signed, bytes, sequence }, nowMs)
  const missing = await missingOf(tx, asked, [...words, { signed, bytes, sequence }])
  const verdict = signed.decision === 'reject' ? 'rejected' : missing === 0 ? 'approved' : undefined
  if (verdict) return { state: await by.decided(tx, needs, subject, { verdict, personId: bytesToUuid(party), remark: '' }), missing }
  await by.announce(tx, needs, subject)
  return { state: subject.row.state, missing }
}

/** How much an order still lacks. A no ends an order where it is given, so those that are still open have none. */
async function missingOf(tx: OrganisationTx, { by, subject, policy }: Asked, words: readonly MachineWord[]): Promise<number> {
  const quorums = by.quorums(subject, policy)
  if (quorums.length === 0) throw new AppError('state_changed')
  const approvals = (await readApprovals(tx, subject.row.intent_hash)).map(({ approval }) => approval)
  const machines = words.map(({ signed }) => signed)
  return Math.max(...quorums.map((quorum) => tallyOf(quorum, approvals, subject.intent, policy, machines).missing))
}

/** The machine, where what it signed counts. */
function checkedMachine(signed: MachineSignature, { subject, policy }: Asked, nowMs: number): Machine {
  try {
    return checkMachineSignature(signed, subject.intent, policy, nowMs)
  } catch (cause) {
    if (cause instanceof ApprovalRefused) throw approvalRefused(cause.message, cause)
    throw cause
  }
}
