import { equalBytes, fromHex, toHex } from '@holdfast/encoding'
import { type Decision, seatOf } from '@holdfast/intent'
import { findSpeaker, type Person, type Policy, type Speaker } from '@holdfast/policy'
import type { KeyRecord } from '../keys/key-store.ts'
import type { Deputy, Order, Quorum } from './read-order.ts'

/** With what somebody can sign from this browser. */
export type Method = {
  method: { kind: 'device'; key: KeyRecord } | { kind: 'passkey'; credentialIds: Uint8Array[]; rpId: string }
  /** False for a passkey that this browser has never seen: it may be on a phone or a stick of theirs. */
  knownHere: boolean
}

/** Somebody who could decide from this browser, and with what. */
export type Approver = Method & {
  person: Person
  /** For whom the person would decide, and by what; null where for themselves. */
  inPlaceOf: Pick<Deputy, 'delegator' | 'delegation'> | null
  directory: Policy
  /** Who has approved may still say no, as long as the order waits for others; and everybody may, while it waits after the last approval. */
  may: readonly Decision[]
}

/** A person with a key here who cannot decide, and why. */
export type Silent = { person: Person; why: 'initiator' | 'not-eligible' | 'rejected' }

/** Who can decide on the order from this browser, and who has a key here but cannot. */
export function listApprovers(order: Order, keys: readonly KeyRecord[], origin: string): { approvers: Approver[]; silent: Silent[] } {
  const here = keys.filter((key) => key.acceptedGenesis === null || key.acceptedGenesis === toHex(order.intent.genesis))
  const approvers = new Map<string, Approver>()
  const where = { origin, isDecided: isWaiting(order) }
  const possible = order.quorums.flatMap((quorum) => [
    ...quorum.eligible.flatMap((person) => approversOf(person, quorum, here, where)),
    ...order.deputies.flatMap((deputy) => deputiesOf(deputy, quorum, here, where)),
  ])
  for (const approver of possible.filter((each) => isFree(order, each))) {
    // One assertion counts in every quorum whose version names its key.
    const keyIds = approver.method.kind === 'device' ? [approver.method.key.id] : approver.method.credentialIds.map(toHex)
    const name = `${toHex(approver.person.id)}|${toHex(seatOfApprover(approver).id)}|${keyIds.join('|')}`
    if ((approvers.get(name)?.may.length ?? 0) < approver.may.length) approvers.set(name, approver)
  }
  const silent = new Map<string, Silent>()
  for (const key of here) {
    const owner = ownerOf(key, order)
    const why = owner && silenceOf(owner, order, [...approvers.values()])
    if (why) silent.set(toHex(owner.id), { person: owner, why })
  }
  const inOrder = [...approvers.values()].sort((a, b) => b.may.length - a.may.length)
  return { approvers: inOrder, silent: [...silent.values()] }
}

/** Whether everybody has approved what the signers wait with, so that only a no is still to be said: a change of the policy, or an order whose rule says so. */
export function isWaiting({ wait, quorums, state }: Pick<Order, 'wait' | 'quorums' | 'state'>): boolean {
  const waits = wait !== null || (state === 'approved' && quorums.some(({ delayMs }) => delayMs > 0n))
  return waits && quorums.every(({ tally }) => tally.met)
}

type Where = { origin: string; isDecided: boolean }

function approversOf(person: Person, quorum: Quorum, keys: readonly KeyRecord[], { origin, isDecided }: Where): Approver[] {
  const may = decisionsLeft(person, quorum, isDecided)
  if (may.length === 0) return []
  return methodsOf(person, quorum.directory, keys, origin).map((each) => ({ person, inPlaceOf: null, directory: quorum.directory, may, ...each }))
}

/** What can still be said for a seat, by whom it may be. */
function decisionsLeft(seat: Person, quorum: Quorum, isDecided: boolean): Decision[] {
  const { tally } = quorum
  if (isAmong(tally.rejectedBy, seat)) return []
  return isDecided || isAmong(tally.approvedBy, seat) || !counts(quorum, seat) ? ['reject'] : ['approve', 'reject']
}

/** The same for who may decide in somebody's place. */
function deputiesOf({ delegate, delegator, delegation }: Deputy, quorum: Quorum, keys: readonly KeyRecord[], { origin, isDecided }: Where): Approver[] {
  const { directory, eligible } = quorum
  const may = eligible.some(({ id }) => equalBytes(id, delegator.id)) ? decisionsLeft(delegator, quorum, isDecided) : []
  if (may.length === 0) return []
  return methodsOf(delegate, directory, keys, origin).map((each) => ({ person: delegate, inPlaceOf: { delegator, delegation }, directory, may, ...each }))
}

/** Whose word an approver's would be. */
export const seatOfApprover = ({ person, inPlaceOf }: Pick<Approver, 'person' | 'inPlaceOf'>): Person => inPlaceOf?.delegator ?? person

/** Whether a word of theirs would be the first of this human and of this seat, or is the other word of whoever filled it: one of each counts. */
function isFree({ votes }: Order, approver: Approver): boolean {
  const seat = seatOfApprover(approver)
  return votes.every((vote) => {
    const isSameHuman = equalBytes(vote.person, approver.person.id)
    const isSameSeat = equalBytes(seatOf(vote), seat.id)
    // The person's own word goes before that of who decides for them.
    return isSameHuman === isSameSeat || (isSameSeat && approver.inPlaceOf === null)
  })
}

/** With what a person of a policy can sign at this origin. */
export function methodsOf(person: Person, { origins }: Policy, keys: readonly KeyRecord[], origin: string): Method[] {
  const passkeys = person.credentials.filter((each) => each.kind === 'webauthn').map((each) => each.id)
  const rpId = origins.find((each) => each.origin === origin)?.rpId
  const own = keys.find((key) => key.kind === 'device' && key.privateKey !== null && owns(person, key))
  const found: Method[] = []
  if (own) found.push({ method: { kind: 'device', key: own }, knownHere: true })
  if (passkeys.length > 0 && rpId !== undefined) {
    const knownHere = keys.some((key) => key.kind === 'webauthn' && owns(person, key))
    found.push({ method: { kind: 'passkey', credentialIds: passkeys, rpId }, knownHere })
  }
  return found
}

/** Whether somebody's yes may count. Of an order to pay that hangs on the rule that decides; of any other, whoever stands in no step only says no. */
const counts = ({ rule, steps }: Quorum, { id }: Person): boolean =>
  rule !== null || steps.some(({ eligible }) => eligible.some((each) => equalBytes(each, id)))

function isAmong(people: readonly Speaker[], person: Person): boolean {
  return people.some((each) => equalBytes(each.id, person.id))
}

function owns(person: Person, key: KeyRecord): boolean {
  const id = fromHex(key.id)
  return person.credentials.some((each) => equalBytes(each.id, id) && each.kind === key.kind && toHex(each.publicKey) === key.publicKey)
}

function ownerOf(key: KeyRecord, order: Order): Person | undefined {
  const directories = [order.policy, ...order.quorums.map((quorum) => quorum.directory)]
  return directories.flatMap((directory) => directory.people).find((person) => owns(person, key))
}

function silenceOf(person: Person, order: Order, approvers: readonly Approver[]): Silent['why'] | undefined {
  if (approvers.some((approver) => equalBytes(approver.person.id, person.id))) return undefined
  if (equalBytes(person.id, order.intent.initiator)) return 'initiator'
  return order.quorums.some((quorum) => isAmong(quorum.tally.rejectedBy, person)) ? 'rejected' : 'not-eligible'
}

/** The name of whoever asked, for the words; undefined if the policy does not know them. */
export function initiatorOf(order: Order): Speaker | undefined {
  return findSpeaker(order.policy, order.intent.initiator)
}

/** Whether a key of this browser speaks for the person but for another organisation than the order's. */
export function acceptedAnother(order: Order, keys: readonly KeyRecord[]): boolean {
  const genesis = toHex(order.intent.genesis)
  return keys.some((key) => key.acceptedGenesis !== null && key.acceptedGenesis !== genesis && ownerOf(key, order) !== undefined)
}
