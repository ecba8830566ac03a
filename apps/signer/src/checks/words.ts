import { decode, EncodingFault, equalBytes, fromHex, toHex } from '@holdfast/encoding'
import { freezeShape, intentHash, isCancellation } from '@holdfast/intent'
import { checkFreeze, findSpeaker, FreezeRefused, type Policy, policyHash } from '@holdfast/policy'
import {
  type Asks,
  COUNTS_MAX,
  type Count,
  type Join,
  joinShape,
  openSigned,
  sessionId,
  type Signed,
  signMessage,
  SPENDS_MAX,
  type Word,
  wordShape,
} from '@holdfast/protocol'
import { at, known } from '@holdfast/units'
import { checkNotEnded, endedHere } from './delegated/delegations.ts'
import { checkLogSize, checkOwnState, ownMark, type Remembered, seenIn } from './freshness.ts'
import { freezesToTell, heardFreeze } from '../state/freezes.ts'
import { positionOfMark } from '../state/journal.ts'
import type { JournalEvent, Reservation } from '../state/journal-events.ts'
import type { Organisation } from '../state/organisation.ts'
import { Refused } from './refused.ts'
import { type Register, slotKeyOf, type Stood } from '../state/register.ts'
import { checkSameStandingOrder, standingOrderHere, stopHeard } from './standing/told.ts'
import { readOr } from './read-or.ts'
import type { SignerView, SignOrder } from './verify.ts'
import { capsOf, checkBegun, checkLimits, spendsWithin } from './verify-reservation.ts'
import { checkUndecided, noesToWaiting, rejectionsIn, votedHere } from './voted.ts'

/*
 * What signers know together. A signer knows what the sessions it took part in taught it, and what was said at its own page. Before two of them sign, all three
 * say what they know that counts for the order, each under its own signature, and the two decide by all of it.
 *
 * Why the words are given after both parties have opened the session, and not in the joins: take two signing sessions s and t. Any two pairs of three signers
 * have one in common, so every signer of t gives its word on s. If s does not count t, then each signer k of t gave its word on s before it opened t. The word
 * names the session id of s, which hashes both joins, so both parties had opened s before that. Hence both had opened s before anybody opened t: "does not
 * count" goes strictly forward in time and never in a circle, and the last of any set of sessions counts all the others. With knowledge inside the joins alone
 * there is a circle of three, which passes a window by half (`knowledge.test.ts`).
 */

/** The parts of a signer's state that its words are made of. */
export type Standing = Remembered & { fingerprint: Uint8Array; register: Register }

/** What a signer needs to hear before it begins to sign an order. */
export function asksOf(
  { intent, decided, reservation, needs, standingOrder }: Pick<SignOrder, 'intent' | 'decided' | 'reservation' | 'needs' | 'standingOrder'>,
  policy: Policy,
  nowMs: number,
): Asks {
  const { intentHash: payment } = reservation
  const approved = intentHash(decided)
  const counts = capsOf(reservation, needs, policy, nowMs).map(({ count }) => count)
  if (counts.length > COUNTS_MAX)
    throw new Refused('c9', `the limits of rule ${needs.rule.id} count this order ${counts.length} times, more than ${COUNTS_MAX}: pay fewer at once`)
  return { orders: equalBytes(payment, approved) ? [payment] : [payment, approved], counts, standingOrder: standingOrder && intent.initiator }
}

/**
 * This signer's word on the session that these joins make: what it knows that counts for the orders they ask about. Gives none if one of the two has seen
 * a later state of this signer than it has (c12). The joins need no other check: the session id binds them, and the parties know their own. Throws Refused.
 */
export function wordOn(standing: Standing, signedJoins: readonly Signed[], nowMs: number): Word {
  const { register, party, fingerprint, journal } = standing
  const joins = readOr('c1', 'the joins', () => signedJoins.map((signed) => decode(joinShape, signed.message)))
  const { asks, requestHash } = asked(joins, fingerprint)
  for (const join of joins) checkOwnState(standing, Number(join.party), join.seen)
  const policy = register.policy
  const [payment] = asks.orders as [Uint8Array]
  const vetoes = asks.orders.flatMap((order) => (register.vetoes.get(toHex(order)) ?? []).map((person) => ({ order, person })))
  return {
    kind: 'word',
    genesis: fingerprint,
    party: BigInt(party),
    session: sessionId(
      fingerprint,
      requestHash,
      signedJoins.map(({ message }) => message),
    ),
    policyVersion: policy.version,
    policyHash: policyHash(policy),
    logSize: BigInt(register.logSize),
    journal: ownMark(journal),
    seen: [...register.seen].map(([peer, mark]) => ({ party: BigInt(peer), journal: BigInt(mark) })),
    frozen: freezesToTell(register),
    vetoes: vetoes.slice(0, 256),
    binding: bindingOf(register, payment),
    voted: votedHere(register),
    book: { version: register.book.version, hash: register.book.hash },
    standingOrder: standingOrderHere(register, asks.standingOrder),
    ended: endedHere(register),
    counted: asks.counts.map((count) => countedHere(register, count, payment, { most: Math.floor(SPENDS_MAX / asks.counts.length), nowMs })),
    atMs: BigInt(nowMs),
  }
}

/** What both joins ask about, which is the same but for the time since when each counts: then the earlier. */
function asked(joins: readonly Join[], fingerprint: Uint8Array): { asks: Asks; requestHash: Uint8Array } {
  const [one, two] = joins
  if (joins.length !== 2 || !one?.asks || !two?.asks) throw new Refused('c1', 'a word is given on the two joins of a session that signs')
  const isOne = equalBytes(one.requestHash, two.requestHash) && [one, two].every(({ genesis }) => equalBytes(genesis, fingerprint))
  if (!isOne) throw new Refused('c1', 'the joins are not of one session of this organisation')
  const [counts, theirs] = [one.asks.counts, two.asks.counts]
  const [orders, others] = [one.asks.orders, two.asks.orders]
  const sameOrders = orders.length === others.length && orders.every((order, i) => equalBytes(order, at(others, i)))
  const sameCounts = counts.length === theirs.length && counts.every((count, i) => isSameCount(count, at(theirs, i)))
  const [standing, other] = [one.asks.standingOrder, two.asks.standingOrder]
  const sameStanding = standing === null || other === null ? standing === other : equalBytes(standing, other)
  if (!sameOrders || orders.length === 0 || !sameCounts || !sameStanding) throw new Refused('c1', 'the parties ask about different orders')
  const earlier = (a: bigint, b: bigint) => (a < b ? a : b)
  return {
    requestHash: one.requestHash,
    asks: { orders, standingOrder: standing, counts: counts.map((count, i) => ({ ...count, sinceMs: earlier(count.sinceMs, at(theirs, i).sinceMs) })) },
  }
}

const isSameCount = (a: Count, b: Count): boolean => a.rule === b.rule && a.asset === b.asset && a.each === b.each && a.of === b.of

function bindingOf(register: Register, payment: Uint8Array): Word['binding'] {
  const bound = register.bindings.get(toHex(payment))
  return bound ? { slot: bound.slotKey, committed: bound.committed, cancelled: bound.cancelled, unsigned: bound.bytes?.unsigned ?? null } : null
}

/** The newest `most` orders each by itself, so that all counts together fit one word; the others as one sum. */
function countedHere(register: Register, count: Count, payment: Uint8Array, { most, nowMs }: { most: number; nowMs: number }): Word['counted'][number] {
  const newest = [...spendsWithin(register, count, toHex(payment), nowMs)].toSorted(([, a], [, b]) => b.atMs - a.atMs)
  const spends = newest.slice(0, most).map(([order, { amount, atMs }]) => ({ order: fromHex(order), amount, atMs: BigInt(atMs) }))
  const older = newest.slice(most)
  return { spends, older: older.reduce((sum, [, { amount }]) => sum + amount, 0n), olderCount: BigInt(older.length) }
}

/** This signer's word under its signature, once all that it says is on disk. Nothing is written. Throws Refused or JournalError. */
export async function giveWord(
  organisation: Organisation,
  joins: readonly Signed[],
  { nowMs, secretKey }: { nowMs: number; secretKey: Uint8Array },
): Promise<Signed> {
  const word = wordOn(organisation, joins, nowMs)
  await organisation.journal.settled()
  return signMessage(wordShape, word, BigInt(organisation.party), secretKey)
}

/** The words of the other signers, each opened with the key that the policy names for its party. Throws Refused c1. */
export function readWords(organisation: Organisation, words: readonly Signed[]): Map<number, Word> {
  const read = new Map<number, Word>()
  for (const signed of words) {
    const party = Number(signed.party)
    if (party === organisation.party) continue
    const signKey = organisation.signKeyOf(party)
    const word = readOr('c1', `the word of party ${party}`, () => (signKey ? openSigned(wordShape, signed, signKey) : undefined))
    if (!word || word.party !== signed.party) throw new Refused('c1', `a word that party ${party} did not sign`)
    if (word.kind !== 'word') throw new Refused('c1', `party ${party} speaks as earlier versions did: bring its signer up to date`)
    if (read.has(party)) throw new Refused('c1', `two words of party ${party}`)
    read.set(party, word)
  }
  return read
}

/** The words a signer begins by, and what stands for the one that is missing. */
export type Heard = { words: readonly Word[]; stood: Stood; learnt: JournalEvent[] }

/** A session that signs, as this signer begins it: the join it gave, and with whom it signs. */
type Session = { own: Join; session: Uint8Array; peer: number }

/**
 * c12: every other signer gave its word, or the one that takes no part is away by the word of people, and none knows anything newer: of this signer, of the
 * policy, of the log. Answers what this signer learns from them, which it writes down before it decides. Throws Refused.
 */
export function hearWords(standing: Standing, { own, session, peer }: Session, words: ReadonlyMap<number, Word>, nowMs: number): Heard {
  const { register, party: me, fingerprint } = standing
  const third = Number(
    known(
      register.signers.find(({ party }) => Number(party) !== me && Number(party) !== peer),
      'the third signer',
    ).party,
  )
  for (const [party, word] of words) {
    if (!equalBytes(word.genesis, fingerprint) || !equalBytes(word.session, session))
      throw new Refused('c1', `the word of party ${party} is on another session`)
    if (word.counted.length !== (own.asks?.counts.length ?? 0)) throw new Refused('c1', `the word of party ${party} does not count what was asked`)
    checkWord(standing, own, party, word)
    checkSameStandingOrder(register, own.asks?.standingOrder ?? null, party, word.standingOrder)
  }
  const away = register.absenceAt(nowMs)
  for (const party of [peer, third]) {
    if (words.has(party) || (party === third && away?.party === third)) continue
    throw new Refused('c12', `signer ${party} gave no word on this session: it must answer, or those who govern approve that it is away`)
  }
  const given = [...words.values()]
  const stood = words.has(third)
    ? { witness: BigInt(third), absence: null }
    : { witness: null, absence: known(away, 'the order that the third signer is away').intentHash }
  return { words: given, stood, learnt: learntFrom(given, standing, own.asks?.standingOrder ?? null) }
}

/**
 * `hearWords` on the words as they came, where they are asked for. What this signer learns from them is on disk before it decides. A signer that was said to be
 * away and has given its word is back; a join alone does not show that, since one that was put back to an older copy joins as well. Throws Refused or
 * JournalError.
 */
export async function hearAll(
  organisation: Organisation,
  { asks, ...session }: Session & { asks: boolean },
  given: readonly Signed[],
  nowMs: number,
): Promise<Heard> {
  const { register, journal } = organisation
  const words = asks ? readWords(organisation, given) : new Map<number, Word>()
  const heard = asks ? hearWords(organisation, session, words, nowMs) : NOTHING_HEARD
  const away = register.absence?.party
  const isBack = away !== undefined && words.has(away)
  const learnt: JournalEvent[] = [...heard.learnt, ...(isBack ? [{ kind: 'signerBack' as const, party: BigInt(away) }] : [])]
  if (learnt.length > 0) await journal.write(learnt)
  return heard
}

export const NOTHING_HEARD: Heard = { words: [], stood: { witness: null, absence: null }, learnt: [] }

function checkWord(standing: Standing, own: Join, party: number, word: Word): void {
  const { register } = standing
  const policy = register.policy
  checkOwnState(standing, party, word.seen)
  const known = seenIn(own, party)
  if (known !== undefined && positionOfMark(Number(word.journal)) < positionOfMark(known)) {
    throw new Refused('c12', `party ${party} was at record ${positionOfMark(known)} before and now says ${positionOfMark(Number(word.journal))}`)
  }
  if (word.policyVersion !== policy.version || !equalBytes(word.policyHash, policyHash(policy))) {
    throw new Refused('c12', `party ${party} follows policy version ${word.policyVersion}, this signer ${policy.version}: bring both to the newer`)
  }
  checkLogSize(register, party, word.logSize)
  checkBook(register, party, word.book)
}

/** c12: nobody has a newer whitelist than this signer, or another one of the same version. */
function checkBook({ book }: Register, party: number, { version, hash }: Word['book']): void {
  if (version > book.version)
    throw new Refused('c12', `party ${party} has version ${version} of the whitelist, this signer ${book.version}: bring it the newer version`)
  if (version === book.version && !equalBytes(hash, book.hash))
    throw new Refused('c12', `party ${party} has another whitelist of version ${version} than this signer`)
}

/**
 * Rejections of people and co-signers of this policy, of people also of a change that was approved here, and freezes that somebody who may freeze has signed,
 * which this signer has not heard of.
 */
function learntFrom(words: readonly Word[], { register, fingerprint }: Standing, standingOrder: Uint8Array | null): JournalEvent[] {
  const policy = register.policy
  const learnt = new Map<string, JournalEvent>()
  for (const word of words) {
    const { vetoes, frozen } = word
    for (const event of stopHeard(register, standingOrder, word.standingOrder)) learnt.set('stop', event)
    for (const each of word.voted) {
      for (const event of rejectionsIn(each, register)) learnt.set(toHex(event.change) + toHex(event.person), event)
      for (const event of noesToWaiting(each, register)) learnt.set(`no ${toHex(event.intentHash)}${toHex(event.person)}`, event)
    }
    for (const { order, person } of vetoes) {
      const known = register.vetoes.get(toHex(order))?.some((each) => equalBytes(each, person))
      if (!known && findSpeaker(policy, person)) learnt.set(toHex(order) + toHex(person), { kind: 'vetoed', intentHash: order, person })
    }
    for (const freeze of frozen) {
      const heard = newFreeze(freeze, policy, register, fingerprint)
      for (const event of heard?.events ?? []) learnt.set(event.kind + heard?.hash, event)
    }
  }
  return [...learnt.values()]
}

/** A freeze that counts here, with what is to be written down of it; undefined for any other, which is no reason to stop. */
function newFreeze(encoded: Uint8Array, policy: Policy, register: Register, fingerprint: Uint8Array): ReturnType<typeof heardFreeze> | undefined {
  try {
    const heard = heardFreeze(encoded, register)
    if (heard.events.length > 0) checkFreeze(decode(freezeShape, encoded), policy, fingerprint)
    return heard
  } catch (cause) {
    if (cause instanceof EncodingFault || cause instanceof FreezeRefused) return undefined
    throw cause
  }
}

/**
 * c6, c9, c10 and c12 by what all know: who decides in whose place, the window, the order's one slot, that it was not cancelled, and that the policy is the
 * newest. Throws Refused.
 */
export function checkTogether(
  { intent, reservation, needs, delegated }: Pick<SignOrder, 'intent' | 'reservation' | 'needs' | 'delegated'>,
  words: readonly Word[],
  { register, nowMs }: Pick<SignerView, 'register' | 'nowMs'>,
): void {
  checkUndecided(register, words)
  checkNotEnded(delegated, register, words)
  checkBegun(intent, reservation, register, words)
  for (const { party, binding } of words) if (binding) checkBinding(reservation, isCancellation(intent), party, binding)
  checkLimits(reservation, needs, register, nowMs, words)
}

function checkBinding(reservation: Reservation, cancels: boolean, party: bigint, { slot, cancelled, unsigned }: NonNullable<Word['binding']>): void {
  const slotKey = slotKeyOf(reservation)
  if (slot !== slotKey) throw new Refused('c10', `party ${party} has bound this order to slot ${slot}; it cannot move to ${slotKey}`)
  const same = unsigned !== null && 'unsigned' in reservation && equalBytes(unsigned, reservation.unsigned)
  if (cancelled && !cancels && !same) throw new Refused('c10', `party ${party} knows that this payment was cancelled: nothing else is signed for it`)
}
