import { encode, toHex } from '@holdfast/encoding'
import { type SpendingIntent } from '@holdfast/intent'
import { policyHash, type Rule } from '@holdfast/policy'
import { type Asks, type Join, joinShape, sessionId, type Signed, type Word } from '@holdfast/protocol'
import { sha256 } from '@noble/hashes/sha2.js'
import { checkFreshness, type Remembered } from '../freshness.ts'
import type { JournalEvent, Reservation } from '../journal-events.ts'
import { Refused } from '../refused.ts'
import { applyEvent, Register } from '../register.ts'
import { checkBid, checkLimits, checkSlot } from '../verify-reservation.ts'
import { asksOf, checkTogether, hearWords, wordOn } from '../words.ts'
import { CHAIN, COIN, NOW_MS } from './organisation-of.ts'
import { acme, ben, DAY_MAX, key, ORDER_MAX } from './world-of.ts'

const seed = (text: string) => sha256(new TextEncoder().encode(text))
const rule = acme.policy.rules[0] as Rule
const MARK = 2 ** 20
/** What every signer begins with. Read once: it is the same for each. */
const pinned = new Register()
applyEvent(pinned, { kind: 'pinned', record: acme.record }, NOW_MS, 1)

function registerOf(records: readonly { event: JournalEvent }[], party: number): Register {
  const { genesis, fingerprint, genesisRecord, policy, pinnedAtMs } = pinned
  const register = Object.assign(new Register(), { genesis, fingerprint, genesisRecord, policy, pinnedAtMs })
  for (const { event } of records) applyEvent(register, event, NOW_MS, party)
  return register
}

const EMPTY: Asks = { orders: [], rule: null }

/** An order as registers know it. Two thirds of the window each make three of them too many. */
export type WalkOrder = { hash: Uint8Array; amount: bigint }
export const walkOrders: WalkOrder[] = Array.from({ length: 4 }, (_, i) => ({ hash: seed(`order ${i}`), amount: i === 3 ? ORDER_MAX : DAY_MAX / 2n }))

/** One signer without keys and disk: the register that follows from its records, and the decisions that follow from the register. */
class Memory implements Remembered {
  readonly party: number
  readonly fingerprint = acme.fingerprint
  records: { event: JournalEvent; mark: number }[] = []
  register: Register

  constructor(party: number) {
    this.party = party
    this.register = registerOf([], party)
    this.write({ kind: 'checkpointSigned', size: 0n, root: new Uint8Array(32) }, 0)
  }

  get journal() {
    return { position: this.records.length, markAt: (position: number) => this.records[position - 1]?.mark }
  }

  /** `salt` stands for what the seal of a record says: another history has other seals. */
  write(event: JournalEvent, salt: number): void {
    applyEvent(this.register, event, NOW_MS, this.party)
    this.records.push({ event, mark: (this.records.length + 1) * MARK + (salt % MARK) })
  }

  /** The folder is put back to what it was after so many records. */
  putBack(position: number): void {
    this.records = this.records.slice(0, Math.max(1, position))
    this.register = registerOf(this.records, this.party)
  }
}

type WalkSession = {
  name: string
  pair: [number, number]
  order: WalkOrder
  slot: bigint
  hash: Uint8Array
  joins: Map<number, { join: Join; signed: Signed; alive: boolean }>
  words: Map<number, Word[]>
  started: Set<number>
}

/** Where a word comes from: from after both joins, as it is; or from each signer's own join, as it must not be. */
export type Knowledge = 'words' | 'joins'

/** Three signers, and a server that does with them what it likes. Its moves answer whether they went through. */
export class Walk {
  readonly memories = [1, 2, 3].map((party) => new Memory(party))
  readonly sessions: WalkSession[] = []
  readonly #knowledge: Knowledge
  /** Orders that somebody rejected, at which signer, and how many sessions there were then. */
  readonly vetoes: { order: WalkOrder; party: number; after: number }[] = []
  putBack: number | null = null
  #steps = 0

  constructor(knowledge: Knowledge = 'words') {
    this.#knowledge = knowledge
  }

  of(party: number): Memory {
    return this.memories[party - 1]!
  }

  begin(pair: [number, number], order: WalkOrder, slot: bigint): WalkSession {
    const name = `session ${this.sessions.length}`
    const session: WalkSession = { name, pair, order, slot, hash: seed(name), joins: new Map(), words: new Map(), started: new Set() }
    this.sessions.push(session)
    return session
  }

  /** A signer joins: what it checks when a session is opened. */
  open(session: WalkSession, party: number): boolean {
    if (session.joins.has(party)) return false
    const memory = this.of(party)
    const reservation = reservationOf(session)
    return this.#tries(() => {
      const view = { party, register: memory.register, nowMs: NOW_MS, codecFor: () => undefined }
      this.#checkNotVetoed(memory, session)
      checkLimits(reservation, rule, memory.register, NOW_MS)
      checkSlot(reservation, view)
      checkBid(reservation, view)
      const parties = session.pair.map(BigInt)
      const event = { kind: 'sessionOpened' as const, requestHash: session.hash, session: 'sign', keyId: key.keyId, epoch: 0n, parties, reservation }
      memory.write(event, this.#steps++)
      const asks = asksOf({ intentHash: session.order.hash, reservation, rule }, NOW_MS)
      const join: Join = {
        genesis: acme.fingerprint,
        requestHash: session.hash,
        party: BigInt(party),
        random: seed(`${session.name} ${party} ${this.#steps}`),
        ephemeralKey: new Uint8Array(32),
        policyVersion: acme.policy.version,
        logSize: 0n,
        journal: BigInt(memory.journal.markAt(memory.journal.position)!),
        seen: [...memory.register.seen].map(([peer, mark]) => ({ party: BigInt(peer), journal: BigInt(mark) })),
        asks,
      }
      session.joins.set(party, { join, signed: { message: encode(joinShape, join), party: BigInt(party), signature: new Uint8Array(64) }, alive: true })
      if (this.#knowledge === 'joins') session.words.set(party, [this.#knownAlone(session, memory)])
    })
  }

  /** A signer says what it knows. The server keeps every word, and hands over whichever it likes. */
  speak(session: WalkSession, party: number): boolean {
    if (this.#knowledge === 'joins') return false
    return this.#tries(() => {
      const word = wordOn(this.of(party), this.#joinsOf(session), NOW_MS)
      session.words.set(party, [...(session.words.get(party) ?? []), word])
    })
  }

  /** A signer begins with words that the server chooses, which may be of another session. */
  start(session: WalkSession, party: number, words: ReadonlyMap<number, Word> = newestOf(session)): boolean {
    const own = session.joins.get(party)
    if (!own?.alive || session.started.has(party) || session.joins.size < 2) return false
    const memory = this.of(party)
    // A signer has one session of a key at a time, which this walk does not keep: what another one of the order gave up here does not begin.
    if (!memory.register.bindings.has(toHex(session.order.hash))) return false
    const went = this.#tries(() => {
      const joins = new Map([...session.joins].map(([each, { join }]) => [each, join]))
      checkFreshness(memory, own.join, joins)
      const peer = session.pair.find((each) => each !== party)!
      const heard = this.#knowledge === 'joins' ? [...words.values()] : this.#hear(memory, session, { own: own.join, peer }, words)
      this.#checkNotVetoed(memory, session)
      // In the joins alone: each decides by what both knew when they joined.
      const register = this.#knowledge === 'joins' ? new Register() : memory.register
      checkTogether({ intent: { kind: 'transfer' } as SpendingIntent, reservation: reservationOf(session), rule }, heard, { register, nowMs: NOW_MS })
      const seen = [...words.values(), ...joins.values()]
        .filter((each) => Number(each.party) !== party)
        .map((each) => ({ party: each.party, mark: each.journal }))
      memory.write({ kind: 'signingStarted', requestHash: session.hash, seen: seen.slice(0, 3), witness: null, absence: null }, this.#steps++)
      session.started.add(party)
    })
    if (!went) this.end(session, party)
    else if (session.started.size === 2)
      for (const each of session.pair) this.#finish(session, each, each === party || this.#steps % 2 === 0 ? 'signed' : 'ended')
    return went
  }

  /** A session ends at one signer: its slot and its amount are free again where it never began. */
  end(session: WalkSession, party: number): void {
    const joined = session.joins.get(party)
    if (!joined?.alive || session.started.size === 2) return
    joined.alive = false
    this.of(party).write({ kind: 'sessionEnded', requestHash: session.hash, outcome: 'ended', reason: '' }, this.#steps++)
  }

  restart(party: number): void {
    for (const session of this.sessions) if (session.joins.has(party)) session.joins.get(party)!.alive = false
    this.of(party).write({ kind: 'restarted' }, this.#steps++)
  }

  /** One folder is put back to an older copy, which ends what was under way there. */
  rollBack(party: number, position: number): void {
    this.putBack = party
    for (const session of this.sessions) if (session.joins.has(party)) session.joins.get(party)!.alive = false
    this.of(party).putBack(position)
    this.of(party).write({ kind: 'restarted' }, this.#steps++)
  }

  veto(order: WalkOrder, party: number): void {
    this.vetoes.push({ order, party, after: this.sessions.length })
    this.of(party).write({ kind: 'vetoed', intentHash: order.hash, person: ben.person.id }, this.#steps++)
  }

  /** What went wrong: an order in two slots, a window passed, or an order signed that somebody had rejected before. Undefined where nothing. */
  fault(): string | undefined {
    const signed = this.sessions.filter(({ started }) => started.size === 2)
    const slots = new Map<string, bigint>()
    for (const { order, slot } of signed) {
      const known = slots.get(toHex(order.hash))
      if (known !== undefined && known !== slot) return `an order was signed in slots ${known} and ${slot}`
      slots.set(toHex(order.hash), slot)
    }
    const total = walkOrders.filter(({ hash }) => slots.has(toHex(hash))).reduce((sum, { amount }) => sum + amount, 0n)
    if (total > DAY_MAX) return `${total} let through where ${DAY_MAX} may be`
    // What only the signer whose folder was put back had heard, nobody knows any more.
    const lasting = this.vetoes.filter(({ party }) => party !== this.putBack)
    const late = lasting.find(({ order, after }) => this.sessions.slice(after).some((each) => each.order === order && each.started.size === 2))
    return late && 'an order was signed that somebody had rejected before'
  }

  #hear(memory: Memory, session: WalkSession, { own, peer }: { own: Join; peer: number }, words: ReadonlyMap<number, Word>): readonly Word[] {
    const others = new Map([...words].filter(([each]) => each !== memory.party))
    const id = sessionId(
      acme.fingerprint,
      session.hash,
      this.#joinsOf(session).map(({ message }) => message),
    )
    const { words: given, learnt } = hearWords(memory, { own, session: id, peer }, others, NOW_MS)
    for (const event of learnt) memory.write(event, this.#steps++)
    return given
  }

  #joinsOf({ pair, joins }: WalkSession): Signed[] {
    return pair.flatMap((party) => joins.get(party)?.signed ?? [])
  }

  #knownAlone(session: WalkSession, memory: Memory): Word {
    const { asks } = session.joins.get(memory.party)!.join
    const spends = [...memory.register.spends].filter(([order]) => order !== toHex(session.order.hash))
    const base = {
      genesis: acme.fingerprint,
      party: BigInt(memory.party),
      session: session.hash,
      policyVersion: 1n,
      policyHash: policyHash(acme.policy),
    }
    const known = spends.map(([order, { amount, atMs }]) => ({ order: Uint8Array.from(Buffer.from(order, 'hex')), amount, atMs: BigInt(atMs) }))
    return {
      ...base,
      logSize: 0n,
      journal: 0n,
      seen: [],
      frozen: [],
      vetoes: [],
      binding: null,
      spends: (asks ?? EMPTY).rule ? known : [],
      older: 0n,
      atMs: 0n,
    }
  }

  /** The server need not carry the last message to both: one of them then never learns that it was signed. */
  #finish(session: WalkSession, party: number, outcome: 'signed' | 'ended'): void {
    this.of(party).write({ kind: 'sessionEnded', requestHash: session.hash, outcome, reason: '' }, this.#steps++)
  }

  #checkNotVetoed({ register }: Memory, { order }: WalkSession): void {
    if ((register.vetoes.get(toHex(order.hash)) ?? []).length > 0) throw new Refused('c6', 'rejected')
  }

  #tries(act: () => void): boolean {
    try {
      act()
      return true
    } catch (cause) {
      if (cause instanceof Refused) return false
      throw cause
    }
  }
}

export const newestOf = ({ words }: WalkSession): Map<number, Word> =>
  new Map([...words].flatMap(([party, given]) => (given.length > 0 ? [[party, given.at(-1)!]] : [])))

function reservationOf({ order, slot }: WalkSession): Reservation {
  const held = { intentHash: order.hash, chain: CHAIN, contract: COIN.contract, from: '0xa', slot, ruleId: rule.id, amount: order.amount }
  const unsigned = sha256(new TextEncoder().encode(`${toHex(order.hash)} ${slot}`))
  return { kind: 'attempt', ...held, unsigned, feeMax: 1n, cancels: false, validUntilMs: null, expiresAtMs: BigInt(NOW_MS) * 2n, policyVersion: 1n }
}
