import { decode, equalBytes, toHex } from '@holdfast/encoding'
import { type Approval, intentHash, type PolicyChangeIntent } from '@holdfast/intent'
import { findPerson, type Policy, policyShape, quorumsOfChange, waitOfChange } from '@holdfast/policy'
import { VOTED_MAX, type Voted, type Word } from '@holdfast/protocol'
import type { JournalEvent } from '../state/journal-events.ts'
import { Refused } from './refused.ts'
import type { Register } from '../state/register.ts'

/*
 * A version of the policy that those who govern have approved, and that a server gives to no signer. Whoever took their words at its page says so in its word
 * on every session, so that two pages on which some of them approved each are counted together; from the deciding one on nothing is signed by the version
 * before, until all follow the next one. A change that somebody rejected can never be followed, and stops nothing.
 */

/** Open changes that one person may have approved at a page; of more the oldest count no more. So nobody crowds out the words of others. */
const OPEN_MAX = 8

const has = (people: readonly Uint8Array[], person: Uint8Array) => people.some((each) => equalBytes(each, person))
const isSame = (some: readonly Uint8Array[], others: readonly Uint8Array[]) => some.length === others.length && some.every((each) => has(others, each))

/** What the journal is to hold of a checked word on a change of the policy. */
export function votedEvent(intent: PolicyChangeIntent, { person, decision }: Approval, { governance }: Policy): JournalEvent {
  const next = decode(policyShape, intent.newPolicy).governance
  const governors = isSame(governance.approvers, next.approvers) ? [] : next.approvers
  const { policyVersion, initiator } = intent
  return {
    kind: 'policyVoted',
    change: intentHash(intent),
    policyVersion,
    initiator,
    governors,
    threshold: next.threshold,
    person,
    approves: decision === 'approve',
  }
}

/** Keeps a word on a change of the version in force. */
export function keepVote(register: Register, event: Extract<JournalEvent, { kind: 'policyVoted' }>): void {
  const { change, policyVersion, initiator, governors, threshold, person, approves } = event
  // The version after it may have come into force while the server was told of the word.
  if (policyVersion !== register.policy.version) return
  const name = toHex(change)
  const known = register.votes.get(name) ?? { change, initiator, governors, threshold, approvedBy: [], rejectedBy: [] }
  const side = approves ? 'approvedBy' : 'rejectedBy'
  register.votes.set(name, has(known[side], person) ? known : { ...known, [side]: [...known[side], person] })
  const open = [...register.votes].filter(([, { approvedBy }]) => has(approvedBy, person))
  for (const [oldest, vote] of open.slice(0, -OPEN_MAX))
    register.votes.set(oldest, { ...vote, approvedBy: vote.approvedBy.filter((each) => !equalBytes(each, person)) })
}

/** Keeps a no to an order. */
export function keepVeto({ vetoes }: Register, { intentHash: order, person }: Extract<JournalEvent, { kind: 'vetoed' }>): void {
  vetoes.set(toHex(order), [...(vetoes.get(toHex(order)) ?? []), person])
}

/** Keeps until when a change that loosens the policy waits here. Whoever brings it again neither shortens the wait nor begins it anew. */
export function keepLoosening({ loosenings }: Register, { change, untilMs }: Extract<JournalEvent, { kind: 'looseningHeard' }>): void {
  if (!loosenings.has(toHex(change))) loosenings.set(toHex(change), Number(untilMs))
}

/** What this signer's word says of changes of the policy. */
export const votedHere = ({ votes }: Register): Voted[] => [...votes.values()].slice(-VOTED_MAX)

/** What the journal is to hold of rejections, at the pages of others, of a change that people approved here: it stops nothing any more. */
export function rejectionsIn({ change, rejectedBy }: Voted, register: Register): Extract<JournalEvent, { kind: 'policyVoted' }>[] {
  const known = register.votes.get(toHex(change))
  if (!known) return []
  const { approvedBy: _, rejectedBy: before, ...facts } = known
  const unheard = rejectedBy.filter((person) => !has(before, person))
  return unheard.map((person) => ({ kind: 'policyVoted', ...facts, policyVersion: register.policy.version, person, approves: false }))
}

/**
 * What the journal is to hold of rejections, at the pages of others, of a change that loosens the policy and waits here: whoever brings it when its time has
 * come brings it in vain.
 */
export function noesToWaiting({ change, rejectedBy }: Voted, register: Register): Extract<JournalEvent, { kind: 'vetoed' }>[] {
  if (!register.loosenings.has(toHex(change))) return []
  const known = register.vetoes.get(toHex(change)) ?? []
  const unheard = rejectedBy.filter((person) => !has(known, person) && findPerson(register.policy, person))
  return unheard.map((person) => ({ kind: 'vetoed', intentHash: change, person }))
}

/**
 * Whether those who govern decide a change alone and at once. What others decide with them stops no order while it is on its way, nor does what loosens the
 * policy:
 * orders go on by the present version until its time has come.
 */
export function isDecidedByGovernors(intent: PolicyChangeIntent, policy: Policy): boolean {
  const next = decode(policyShape, intent.newPolicy)
  const isOfGovernors = quorumsOfChange(policy, next, intent.initiator).every(({ of }) => of === 'current' || of === 'next')
  return isOfGovernors && waitOfChange(policy, next) === 0n
}

/** c12: no next version of the policy was approved by what all know, and rejected by nobody. Throws Refused. */
export function checkUndecided(register: Register, words: readonly Word[] = []): void {
  const { version, governance } = register.policy
  const all = [...register.votes.values(), ...words.flatMap((word) => word.voted)]
  const decided = all.find((each) => isDecided(each, all, governance))
  if (!decided) return
  throw new Refused('c12', `version ${version + 1n} of the policy was approved by those who govern (order ${toHex(decided.change)}): bring it to all signers`)
}

function isDecided({ change, initiator, governors, threshold }: Voted, all: readonly Voted[], now: Policy['governance']): boolean {
  const same = all.filter((each) => equalBytes(each.change, change))
  const isCounted = (person: Uint8Array, eligible: readonly Uint8Array[]) => has(eligible, person) && !equalBytes(person, initiator)
  if (same.some(({ rejectedBy }) => rejectedBy.some((person) => isCounted(person, [...now.approvers, ...governors])))) return false
  const approvedBy = new Map(same.flatMap((each) => each.approvedBy.map((person) => [toHex(person), person])))
  const isMet = (eligible: readonly Uint8Array[], needed: bigint) =>
    [...approvedBy.values()].filter((person) => isCounted(person, eligible)).length >= Math.max(1, Number(needed))
  return isMet(now.approvers, now.threshold) && (governors.length === 0 || isMet(governors, threshold))
}
