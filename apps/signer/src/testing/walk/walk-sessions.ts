import type { Effects } from '@holdfast/chain-core'
import { equalBytes, toHex } from '@holdfast/encoding'
import type { Approval, TransferIntent } from '@holdfast/intent'
import { approversOf, type Needs, readRule, type Rule } from '@holdfast/policy'
import { type Join, joinShape, sessionId, type Signed, signMessage, type SignRequest, type Word } from '@holdfast/protocol'
import { sha256 } from '@noble/hashes/sha2.js'
import { checkFreshness, joinAs, latestLabels, readJoins } from '../../checks/freshness.ts'
import { Refused } from '../../checks/refused.ts'
import { Register, type Stood } from '../../state/register.ts'
import { checkEpoch, checkPair, checkStillGood, type SignOrder, type SignerView } from '../../checks/verify.ts'
import { checkReplacementFee, checkLimits, checkRemembered, checkSlot, reservationOf } from '../../checks/verify-reservation.ts'
import { asksOf, checkTogether, hearAll, NOTHING_HEARD } from '../../checks/words.ts'
import type { MemorySigner } from '../memory-signer.ts'
import { CHAIN } from '../organisation-of.ts'
import { acme, key } from '../world-of.ts'

const seed = (text: string) => sha256(new TextEncoder().encode(text))

/** An order as people approved it. */
export type WalkOrder = { intent: TransferIntent; hash: Uint8Array; approvals: readonly Approval[] }
/** A word that a signer gave, and when. */
export type Spoken = { signed: Signed; by: MemorySigner; step: number }
type Joined = { join: Join; signed: Signed; isAlive: boolean; alone: Word | null }
/** How a signer began: when, by which words of others, and what stood for the third; and when it had the signature. */
type Started = { step: number; atMs: number; heard: readonly Spoken[]; stood: Stood; finished: number | null }

export type WalkSession = {
  pair: readonly [MemorySigner, MemorySigner]
  order: WalkOrder
  slot: bigint
  hash: Uint8Array
  /** How many records each had when it began. */
  positions: readonly [number, number]
  joins: Map<MemorySigner, Joined>
  spoken: Spoken[]
  started: Map<MemorySigner, Started>
}

/** Where a word comes from: from after both joins, as it is; or from each signer's own join, as it must not be. */
export type Knowledge = 'words' | 'joins'

/** Whether both began, so that a signature may exist. */
export const isSigned = ({ started }: WalkSession): boolean => started.size === 2

/**
 * The sessions of a walk. Each signer decides by the very functions by which it decides in production, and writes what it writes there; left out are the bytes,
 * the approvals and the shares, of which nothing here depends on what signers know of each other.
 */
export class WalkSessions {
  readonly all: WalkSession[] = []
  readonly #knowledge: Knowledge
  readonly #now: { ms: number; step: number }

  constructor(now: { ms: number; step: number }, knowledge: Knowledge) {
    this.#now = now
    this.#knowledge = knowledge
  }

  begin(pair: readonly [MemorySigner, MemorySigner], order: WalkOrder, slot: bigint): WalkSession {
    const hash = seed(`session ${this.all.length}`)
    const positions = [pair[0].position, pair[1].position] as const
    const session: WalkSession = { pair, positions, order, slot, hash, joins: new Map(), spoken: [], started: new Map() }
    this.all.push(session)
    return session
  }

  /** A signer joins: what it checks when a session is opened. */
  async open(session: WalkSession, by: MemorySigner): Promise<boolean> {
    if (session.joins.has(by)) return false
    return tries(async () => {
      const { organisation, party } = by
      const { register } = organisation
      const view = this.#viewOf(by)
      checkNamed(by)
      const parties = session.pair.map((each) => BigInt(each.party))
      const peer = checkPair(parties, party, register)
      const order = orderOf(session, by)
      checkStillGood(order, peer, view)
      checkLimits(order.reservation, order.needs, register, view.nowMs)
      checkSlot(order.reservation, view)
      checkReplacementFee(order.reservation, view)
      checkRemembered(session.order.approvals, order.needs, view)
      const { keyId, epoch } = order.key
      await by.write({ kind: 'sessionOpened', requestHash: session.hash, session: 'sign', keyId, epoch, parties, reservation: order.reservation })
      const drawn = { random: seed(`${toHex(session.hash)} ${party} ${++this.#now.step}`), ephemeralKey: new Uint8Array(32) }
      const join = joinAs(organisation, { requestHash: session.hash, asks: asksOf(order, organisation.policy, view.nowMs), ...drawn })
      const alone = this.#knowledge === 'joins' ? knownAlone(session, by, order.needs.rule) : null
      session.joins.set(by, { join, signed: signMessage(joinShape, join, BigInt(party), by.identity.secretKey), isAlive: true, alone })
    })
  }

  /** A signer says what it knows. The server keeps every word, and hands over whichever it likes. */
  async speak(session: WalkSession, by: MemorySigner): Promise<boolean> {
    if (this.#knowledge === 'joins') return false
    return tries(async () => {
      const signed = await by.calls.giveWord({ genesis: by.organisation.fingerprint, joins: joinsOf(session) })
      session.spoken.push({ signed, by, step: ++this.#now.step })
    })
  }

  /** A signer begins with words that the server chooses, which may be of another session. */
  async start(session: WalkSession, by: MemorySigner, words: readonly Spoken[] = newestOf(session)): Promise<boolean> {
    const own = session.joins.get(by)
    if (!own?.isAlive || session.started.has(by) || session.joins.size < 2) return false
    const went = await tries(async () => {
      const view = this.#viewOf(by)
      const { register } = by.organisation
      const joins = readJoins(by.organisation, session.hash, partiesOf(session), own.signed, joinsOf(session))
      checkFreshness(by.organisation, joins.get(by.party)!, joins)
      const heard = this.#knowledge === 'words' ? await this.#hear(session, by, joins, words) : aloneOf(session)
      const order = orderOf(session, by)
      checkStillGood(order, otherOf(session, by).party, view)
      // In the joins alone: each decides by what both knew when they joined.
      checkTogether(order, heard.words, { ...view, register: this.#knowledge === 'joins' ? blankOf(register) : register })
      const seen = latestLabels(by.party, [...heard.words, ...joins.values()])
      await by.write({ kind: 'signingStarted', requestHash: session.hash, seen, ...heard.stood })
      const others = words.filter((each) => each.by.party !== by.party)
      session.started.set(by, { step: ++this.#now.step, atMs: this.#now.ms, heard: others, stood: heard.stood, finished: null })
    })
    if (!went) await this.end(session, by)
    return went
  }

  /** The last message reaches a signer: it has the signature. The server need not carry it to both. */
  async finish(session: WalkSession, by: MemorySigner): Promise<void> {
    const [own, joined] = [session.started.get(by), session.joins.get(by)]
    if (!own || !joined?.isAlive || !isSigned(session)) return
    joined.isAlive = false
    own.finished = ++this.#now.step
    await by.write({ kind: 'sessionEnded', requestHash: session.hash, outcome: 'signed', reason: '' })
  }

  /** A session ends at one signer: its slot and its amount are free again where it never began. */
  async end(session: WalkSession, by: MemorySigner): Promise<void> {
    const joined = session.joins.get(by)
    if (!joined?.isAlive) return
    joined.isAlive = false
    await by.write({ kind: 'sessionEnded', requestHash: session.hash, outcome: 'ended', reason: '' })
  }

  /** Every session under way at a signer ends. */
  async endAllOf(by: MemorySigner): Promise<void> {
    for (const session of this.all) await this.end(session, by)
  }

  /** A signer stops without a word, and begins again. */
  async restart(by: MemorySigner): Promise<void> {
    for (const { joins } of this.all) if (joins.has(by)) joins.get(by)!.isAlive = false
    await by.write({ kind: 'restarted' })
  }

  #hear(session: WalkSession, by: MemorySigner, joins: ReadonlyMap<number, Join>, words: readonly Spoken[]) {
    const id = sessionId(
      acme.fingerprint,
      session.hash,
      joinsOf(session).map(({ message }) => message),
    )
    const given = words.map(({ signed }) => signed)
    const asked = { asks: true, own: joins.get(by.party)!, session: id, peer: otherOf(session, by).party }
    return hearAll(by.organisation, asked, given, this.#now.ms)
  }

  #viewOf({ party, organisation }: MemorySigner): SignerView {
    return { party, register: organisation.register, nowMs: this.#now.ms, codecFor: () => undefined }
  }
}

/** Whether something went through. What a signer refuses, or says that it cannot, does not. */
export async function tries(act: () => Promise<unknown>): Promise<boolean> {
  try {
    await act()
    return true
  } catch (cause) {
    if (cause instanceof Refused || (cause as Error).name === 'PeerError') return false
    throw cause
  }
}

/** The newest word of every signer, where several machines were one signer that of the one that came last. */
export const newestOf = ({ spoken }: WalkSession): Spoken[] => [...new Map(spoken.map((each) => [each.by.party, each])).values()]

/** As every call of the server: a signer that was replaced serves no more. */
function checkNamed(machine: MemorySigner): void {
  if (!isNamed(machine)) throw new Refused('c1', 'another signer has taken the place of this one')
}

/** Whether the policy that a machine follows names it as one of the three. */
export function isNamed({ party, identity, organisation }: MemorySigner): boolean {
  const named = organisation.signKeyOf(party)
  return named !== undefined && equalBytes(named, identity.publicKey)
}

const partiesOf = ({ pair }: WalkSession) => pair.map(({ party }) => BigInt(party))
const joinsOf = ({ pair, joins }: WalkSession): Signed[] => pair.flatMap((each) => joins.get(each)?.signed ?? [])
const otherOf = ({ pair }: WalkSession, by: MemorySigner) => pair.find((each) => each !== by)!

/** The order as a signer has read it: what is left out of it says nothing of what signers know. Throws Refused c1. */
function orderOf({ order, slot, pair }: WalkSession, { organisation }: MemorySigner): SignOrder {
  const { intent, hash } = order
  const policy = organisation.policy
  const rule = policy.rules[0] as Rule
  const needs: Needs = { kind: 'needs', rule, ...readRule(rule, policy), mayStop: approversOf(rule, policy) }
  // The server asks for the epoch that the first of them has.
  const { epoch } = pair[0].organisation.register.keys.get(toHex(key.keyId)) ?? { epoch: 0n }
  const effects = { chain: CHAIN, slot, feeMax: 1n, transfers: [], cosigned: [] } as unknown as Effects
  const request = { unsigned: new TextEncoder().encode(`${toHex(hash)} ${slot}`) } as unknown as SignRequest
  const reservation = reservationOf(request, { intent, payment: intent, effects, needs }, policy)
  const held = checkEpoch(key.keyId, epoch, organisation.register)
  return {
    delegated: [],
    intent,
    payment: intent,
    intentHash: hash,
    effects,
    needs,
    deniedAt: () => undefined,
    decided: intent,
    standingOrder: null,
    key: held,
    known: undefined,
    reservation,
    counted: [],
    toSign: [],
  } as unknown as SignOrder
}

/** What a signer let through, as its join would say it if joins carried what is known. */
function knownAlone({ order }: WalkSession, { organisation, party }: MemorySigner, rule: Rule): Word {
  const { register } = organisation
  const known = [...register.spends].filter(([hash, { ruleId }]) => hash !== toHex(order.hash) && ruleId === rule.id)
  const spends = known.map(([hash, { amount, atMs }]) => ({ order: Uint8Array.from(Buffer.from(hash, 'hex')), amount, atMs: BigInt(atMs) }))
  const counted = [{ spends, older: 0n, olderCount: 0n }]
  return { party: BigInt(party), journal: 0n, seen: [], frozen: [], vetoes: [], binding: null, voted: [], counted, ended: [] } as unknown as Word
}

const blankOf = ({ policy }: Register) => Object.assign(new Register(), { policy })
const aloneOf = ({ joins }: WalkSession) => ({ ...NOTHING_HEARD, words: [...joins.values()].flatMap(({ alone }) => alone ?? []) })
