import { ChainError } from '@holdfast/chain-core'
import { codecFor } from '@holdfast/chain-registry/codec'
import { encode, toHex } from '@holdfast/encoding'
import { intentHash, intentShape, type StandingOrderIntent } from '@holdfast/intent'
import { type Join, joinShape, requestHash, sessionId, type Signed, signMessage, type SignRequest } from '@holdfast/protocol'
import { ed25519 } from '@noble/curves/ed25519.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { checkFreshness, joinAs, latestLabels, readJoins } from '../../checks/freshness.ts'
import { checkStillGood, type SignOrder, verifySignRequest } from '../../checks/verify.ts'
import { asksOf, checkTogether, hearAll } from '../../checks/words.ts'
import { Log } from '../log-of.ts'
import { MemorySigner } from '../memory-signer.ts'
import { addressOf, draftOf, OTHER_ADDRESS, RECIPIENT_ADDRESS, requestOf } from '../order-of.ts'
import { CHAIN, COIN, DAY_MS, NOW_MS, TOKEN, TRX } from '../organisation-of.ts'
import { FEE_MOST, standingOrderOf, stopOf, TREASURY_PATH } from '../standing-order-of.ts'
import { tries } from '../walk/walk-sessions.ts'
import { acme, ann, ben, key, ORDER_MAX, signSecrets } from '../world-of.ts'
import { COIN_ORDERS, tonKey } from './coin-orders.ts'
import { batchIn, type Inventing, inventLine, inventOther, otherOrders, PROVIDER } from './other-orders.ts'

/** Numbers at random, the same for the same seed. */
export function randomOf(seed: number): <T>(from: readonly T[]) => T {
  let state = seed
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  return (from) => from[Math.floor(next() * from.length)]!
}

export const OWN_PATHS = { deposit: [0n, 7n], neighbour: [0n, 8n], treasury: TREASURY_PATH, fuel: [4n, 2n], elsewhere: [2n, 1n] }
const own = (path: readonly bigint[]) => addressOf(key, path)
/** What one transfer of coins for fees may move, and how many of them there are to one address in a day. */
export const FUEL_MOST = 20n * FEE_MOST
export const FUELS_MAX = 1n

const id = (number: number) => new Uint8Array(16).fill(number)
const perDay = (each: string, maxCount: bigint) => ({ each, lengthMs: BigInt(DAY_MS), amounts: [], maxTokens: null, maxCount, maxCents: null })
/** What people approved: to collect to the treasury, to collect to an address on the whitelist, to send coins for fees, and the others. */
const standingOrdersIn = (version: bigint): StandingOrderIntent[] => [
  standingOrderOf({ id: id(0x51), version }),
  standingOrderOf({ id: id(0x52), version, does: { kind: 'sweep', to: [{ kind: 'listed', chain: CHAIN, address: RECIPIENT_ADDRESS, memo: null }] } }),
  standingOrderOf({
    id: id(0x53),
    version,
    does: { kind: 'fuel', to: [{ name: 'Gas', keyId: key.keyId, path: [4n] }] },
    assets: [{ asset: COIN, atLeast: 1n, atMost: FUEL_MOST }],
    limits: [perDay('rule', 3n), perDay('destination', FUELS_MAX)],
  }),
  ...otherOrders(version),
]
const known = new Map<bigint, StandingOrderIntent[]>()
function standingOrders(version: bigint): StandingOrderIntent[] {
  const orders = known.get(version) ?? standingOrdersIn(version)
  known.set(version, orders)
  return orders
}
/** The batch is stopped and followed by another one as standing orders are by their next versions. */
const BATCH = standingOrders(1n).length
const MOVES = 3
/** Most of what a request says is usual: what is odd in one way alone comes furthest. */
const ODD_ONE_IN = [true, ...Array.from({ length: 11 }, () => false)]
/** As many as a request of coins or of TON has, and half as many again for requests that are as usual. */
const ODD_PLACES = 24
export const BATCH_NAME = 'batch'

/** The hashes of the versions up to one of a standing order, or of the batch. */
export const standingOrderHashes = (standing: string, upTo: bigint): string[] =>
  Array.from({ length: Number(upTo) }, (_, i) =>
    standing === BATCH_NAME ? batchIn(BigInt(i + 1)) : standingOrders(BigInt(i + 1)).find((each) => toHex(each.id) === standing),
  )
    .filter((each) => each !== undefined)
    .map((each) => toHex(intentHash(each)))

type Request = { kind: 'sign' } & SignRequest
type Joined = { join: Join; signed: Signed; order: SignOrder; isAlive: boolean }
type Session = { request: Request; openedAt: number; joins: Map<MemorySigner, Joined>; spoken: Signed[]; started: Set<MemorySigner> }
/** A signature that both signers let happen, as whoever judges reads it from the bytes alone. */
export type Made = { request: Request; atMs: number; openedAt: number }

/**
 * Three signers that follow standing orders, and a server that does what it likes with them: it makes up transfers, spoils them, asks for them again in other
 * words, reorders and withholds, and tells one signer what it does not tell the next. Each signer decides by the functions by which it decides in production,
 * from bytes, log and register, and writes what it writes there. Left out is the arithmetic of the threshold protocol: where both have begun, the signature
 * counts as made.
 */
export class HostileWalk {
  readonly machines: MemorySigner[]
  readonly made: Made[] = []
  /** When a signer was told that versions of a standing order to this one have ended: all of them said so to whoever asked later. */
  readonly ended: { id: string; upTo: bigint; atStep: number }[] = []
  step = 0
  nowMs = NOW_MS
  readonly #pick: ReturnType<typeof randomOf>
  readonly #log = new Log(acme.fingerprint)
  readonly #sessions: Session[] = []
  readonly #requests: Request[] = []
  readonly #first: readonly bigint[]
  readonly #versions: bigint[]

  /** So many batches were approved, the last of which nobody has stopped. */
  get batches(): bigint {
    return this.#versions[BATCH]!
  }

  constructor(seed: number) {
    this.#pick = randomOf(seed)
    // Walks begin with one batch or another.
    this.#first = Array.from({ length: BATCH + 1 }, (_, which) => (which === BATCH ? BigInt(1 + (seed % 3)) : 1n))
    this.#versions = [...this.#first]
    this.machines = signSecrets.map((secretKey, i) => {
      const identity = { secretKey, publicKey: ed25519.getPublicKey(secretKey) }
      const options = { party: i + 1, identity, record: acme.record, nowMs: () => this.nowMs, askServer: async () => ({ status: 500, body: {} }) }
      const machine: MemorySigner = new MemorySigner({ ...options, endSessions: () => this.#endAllOf(machine) })
      void machine.write({ kind: 'keyMade', ...key, protocol: 'dkls23/v1', curve: 'secp256k1' })
      void machine.write({ kind: 'keyOfKindMade', ...tonKey, curve: 'ed25519' })
      for (const order of standingOrders(1n)) void machine.write({ kind: 'standingOrderFollowed', intent: encode(intentShape, order) })
      const entry = { id: id(7), name: 'Cold', chains: [CHAIN], address: RECIPIENT_ADDRESS, memo: null, lists: [], sinceMs: NOW_MS - 1, usableAtMs: NOW_MS }
      machine.organisation.register.book.entries.set('07', entry)
      machine.organisation.register.book.places.set(JSON.stringify([CHAIN, RECIPIENT_ADDRESS, null]), '07')
      machine.organisation.register.book.entries.set('08', { ...entry, id: id(8), name: 'Provider', chains: [TRX.chain], address: PROVIDER })
      machine.organisation.register.book.places.set(JSON.stringify([TRX.chain, PROVIDER, null]), '08')
      return machine
    })
    this.#log.append('genesis', acme.record)
  }

  /** The server does something, most often asking for something that it should not get. */
  async move(): Promise<void> {
    this.step++
    const pick = this.#pick
    const act = pick([
      'whole',
      'whole',
      'whole',
      'open',
      'open',
      'open',
      'speak',
      'speak',
      'start',
      'start',
      'end',
      'again',
      'again',
      'wait',
      'tell',
      'coins',
    ] as const)
    const session = pick(this.#sessions.slice(-12))
    const machine = pick(this.machines)
    if (act === 'whole') return this.#carryWhole(this.#begin(this.#invent(false)))
    if (act === 'coins') return this.#carryWhole(this.#begin(this.#invent(true)))
    if (act === 'open') return this.#open(session && pick([true, false]) ? session : this.#begin(this.#invent(false)), machine)
    if (act === 'again' && this.#requests.length > 0) return this.#carryWhole(this.#begin(this.#spoil(pick(this.#requests))))
    if (act === 'wait') return void (this.nowMs += pick([1, 60_000, 3_600_000]))
    if (act === 'tell' && pick([true, false, false, false])) return this.#tell(machine)
    if (!session) return
    if (act === 'speak') return this.#speak(session, machine)
    if (act === 'start') return this.#start(session, machine)
    if (act === 'end') return this.#end(session, machine)
  }

  /** A stop or a newer version reaches one signer, or all of them. */
  async #tell(machine: MemorySigner): Promise<void> {
    const which = this.#pick(this.#versions.map((_, i) => i))
    if (which === BATCH) return this.#stopBatch(machine)
    const version = this.#versions[which]!
    const told = this.#pick([[machine], this.machines])
    const [order, next] = [standingOrders(version)[which]!, standingOrders(version + 1n)[which]!]
    const isStop = this.#pick([true, false])
    for (const each of told) {
      if (isStop) await each.calls.stopStandingOrders({ genesis: acme.fingerprint, stop: stopOf(ben, [order]) })
      else await each.write({ kind: 'standingOrderFollowed', intent: encode(intentShape, next) })
    }
    this.ended.push({ id: toHex(order.id), upTo: version, atStep: this.step })
    // People approve the next version once all follow the one before: else nothing would be signed any more.
    if (!isStop || told.length > 1) {
      this.#versions[which] = version + 1n
      if (this.#pick([true, true, false]))
        for (const each of this.machines) await each.write({ kind: 'standingOrderFollowed', intent: encode(intentShape, next) })
    }
  }

  /** Somebody says no to the batch at one signer, or at all; people approve another one. */
  async #stopBatch(machine: MemorySigner): Promise<void> {
    const version = this.#versions[BATCH]!
    const told = this.#pick([[machine], this.machines])
    for (const each of told) await each.write({ kind: 'vetoed', intentHash: intentHash(batchIn(version)), person: ben.person.id })
    this.ended.push({ id: BATCH_NAME, upTo: version, atStep: this.step })
    this.#versions[BATCH] = version + 1n
  }

  /** Of what is asked for, under some version of something that people approved. What no bytes say, such as a token that moves by nothing, is made up anew. */
  #invent(isOfCoins: boolean): Request {
    for (;;) {
      try {
        return this.#inventOnce(isOfCoins)
      } catch (cause) {
        if (!(cause instanceof ChainError)) throw cause
      }
    }
  }

  #inventOnce(isOfCoins: boolean): Request {
    const pick = this.#pick
    const which = pick(this.#versions.map((_, i) => i).filter((i) => i === BATCH || i >= BATCH - COIN_ORDERS === isOfCoins))
    const version = pick([this.#versions[which]!, this.#versions[which]!, this.#versions[which]!, this.#first[which]!])
    const odd = isOfCoins ? this.#oddOnce() : <T>(usual: T, others: readonly T[]): T => (pick(ODD_ONE_IN) ? pick(others) : usual)
    const made = which < MOVES ? this.#inventMove(which, standingOrders(version)[which]!, odd) : this.#inventOther(which, version, odd)
    this.#requests.push(made)
    const { size, root } = this.#log.checkpoint
    for (const machine of this.machines) void machine.write({ kind: 'checkpointSigned', size: BigInt(size), root })
    return made
  }

  /** One of the places where a request can be odd is, and all others are as usual; or all of them are. */
  #oddOnce(): Inventing['odd'] {
    const place = this.#pick(Array.from({ length: ODD_PLACES }, (_, i) => i))
    let asked = 0
    return (usual, others) => (asked++ === place ? this.#pick(others) : usual)
  }

  #inventOther(which: number, version: bigint, odd: Inventing['odd']): Request {
    const inventing = { pick: this.#pick, odd, step: this.step, nowMs: this.nowMs, log: this.#log }
    const standing = standingOrders(version)[which]
    const { request, own } = standing ? inventOther(standing, inventing) : inventLine(batchIn(version), inventing)
    return { ...request, own, parties: this.#parties(), standingOrder: this.#named(standing ? intentHash(standing) : null, odd) }
  }

  readonly #parties = () =>
    this.#pick([
      [1n, 2n],
      [1n, 3n],
      [2n, 3n],
    ])
  readonly #named = (usual: Uint8Array | null, odd: Inventing['odd']) =>
    odd<Uint8Array | null>(usual, [null, new Uint8Array(32), this.#requests.at(-1)?.standingOrder ?? null])

  /** A transfer as no honest server would ask for it, or as one would. */
  #inventMove(which: number, standing: StandingOrderIntent, odd: Inventing['odd']): Request {
    const usualTo = [own(TREASURY_PATH), RECIPIENT_ADDRESS, own(OWN_PATHS.fuel)][which]!
    const asset = which === 2 ? COIN : odd(TOKEN, [COIN])
    const changes = {
      to: odd(usualTo, [OTHER_ADDRESS, own(OWN_PATHS.neighbour), own(OWN_PATHS.elsewhere), own(TREASURY_PATH), RECIPIENT_ADDRESS]),
      initiator: odd(standing.id, [ann.person.id, id(0x51), id(0x99)]),
      feeCap: odd(FEE_MOST, [FEE_MOST + 1n, 10n * FEE_MOST, FEE_MOST / 2n]),
      memo: odd(null, ['1']),
      expiresAtMs: BigInt(this.nowMs) + odd(BigInt(DAY_MS), [BigInt(200 * DAY_MS), -1n]),
    }
    const amount = odd(which === 2 ? FUEL_MOST : ORDER_MAX, [1n, 10n, ORDER_MAX + 1n, FUEL_MOST + 1n, 2n ** 128n])
    const path = odd(OWN_PATHS.deposit, Object.values(OWN_PATHS))
    const salt = odd(this.step, [this.step - 1])
    const nonce = BigInt(odd(this.step, [this.step - 1, 0]))
    const draft = draftOf({
      fingerprint: acme.fingerprint,
      policy: acme.policy,
      key,
      initiator: ann,
      asset,
      amount,
      path,
      salt,
      nonce,
      nowMs: this.nowMs,
      changes,
    })
    draft.transaction.maxFeePerGas = odd(draft.transaction.maxFeePerGas, [1_000_000_000n, 10n ** 14n])
    draft.transaction.to = odd(draft.transaction.to, [OTHER_ADDRESS])
    draft.transaction.amount = odd(draft.transaction.amount, [draft.transaction.amount + 1n])
    const { request } = requestOf({ key, draft, approvals: [], log: this.#log, parties: this.#parties(), salt: this.step })
    const place = { address: draft.intent.to, keyId: key.keyId, path: odd(OWN_PATHS.fuel, [TREASURY_PATH]) }
    return { ...request, standingOrder: this.#named(intentHash(standing), odd), own: odd([place], [[]]) }
  }

  /** The same once more, with something of another: bytes, order, log, parties, standing order, or unknown bytes. */
  #spoil(request: Request): Request {
    const pick = this.#pick
    const other = pick(this.#requests)
    const nonce = sha256(new TextEncoder().encode(`again ${this.step}`))
    const flipped = (bytes: Uint8Array) => bytes.map((byte, i) => (i === this.step % bytes.length ? byte ^ 1 : byte))
    const changes: Partial<SignRequest>[] = [
      {},
      { parties: other.parties },
      { unsigned: other.unsigned },
      { unsigned: flipped(request.unsigned) },
      { intent: other.intent },
      { intent: other.intent, logged: other.logged, checkpoint: other.checkpoint },
      { intent: flipped(request.intent) },
      { standingOrder: other.standingOrder },
      { batch: other.batch },
      { logged: other.logged },
      { own: other.own },
      { approvals: [other.intent] },
    ]
    return { ...request, ...pick(changes), ...pick([{}, {}, ...changes]), nonce }
  }

  #begin(request: Request): Session {
    const session: Session = { request, openedAt: this.step, joins: new Map(), spoken: [], started: new Set() }
    this.#sessions.push(session)
    return session
  }

  async #carryWhole(session: Session): Promise<void> {
    const pair = this.#pairOf(session)
    for (const each of pair) await this.#open(session, each)
    if (session.joins.size < 2) return
    for (const each of this.machines) await this.#speak(session, each)
    for (const each of pair) await this.#start(session, each)
    for (const each of pair) await this.#end(session, each)
  }

  readonly #pairOf = ({ request }: Session) => this.machines.filter(({ party }) => request.parties.includes(BigInt(party)))
  readonly #joinsOf = (session: Session): Signed[] => this.#pairOf(session).flatMap((each) => session.joins.get(each)?.signed ?? [])
  readonly #viewOf = ({ party, organisation }: MemorySigner) => ({ party, register: organisation.register, nowMs: this.nowMs, codecFor })

  /** A signer joins: what it does when a session is opened. */
  async #open(session: Session, by: MemorySigner): Promise<void> {
    if (session.joins.has(by)) return
    await tries(async () => {
      const { request } = session
      const { organisation, party, identity } = by
      const order = verifySignRequest(request, this.#viewOf(by))
      const hash = requestHash(request)
      const { keyId, epoch, parties } = request
      await by.write({ kind: 'sessionOpened', requestHash: hash, session: 'sign', keyId, epoch, parties, reservation: order.reservation })
      const drawn = { random: sha256(new TextEncoder().encode(`${toHex(hash)} ${party}`)), ephemeralKey: new Uint8Array(32) }
      const join = joinAs(organisation, { requestHash: hash, asks: asksOf(order, organisation.policy, this.nowMs), ...drawn })
      session.joins.set(by, { join, signed: signMessage(joinShape, join, BigInt(party), identity.secretKey), order, isAlive: true })
    })
  }

  async #speak(session: Session, by: MemorySigner): Promise<void> {
    if (session.joins.size < 2) return
    await tries(async () => {
      const word = await by.calls.giveWord({ genesis: acme.fingerprint, joins: this.#joinsOf(session) })
      session.spoken = [...session.spoken.filter(({ party }) => party !== word.party), word]
    })
  }

  /** A signer begins with the words that the server hands it. */
  async #start(session: Session, by: MemorySigner): Promise<void> {
    const own = session.joins.get(by)
    if (!own?.isAlive || session.started.has(by) || session.joins.size < 2) return
    let hasBegun = false
    await tries(async () => {
      const { organisation, party } = by
      const hash = requestHash(session.request)
      const signedJoins = this.#joinsOf(session)
      const joins = readJoins(organisation, hash, session.request.parties, own.signed, signedJoins)
      checkFreshness(organisation, own.join, joins)
      const name = sessionId(
        acme.fingerprint,
        hash,
        signedJoins.map(({ message }) => message),
      )
      const peer = Number(session.request.parties.find((each) => each !== BigInt(party)))
      const words = this.#pick([session.spoken, session.spoken, session.spoken, session.spoken.slice(1), this.#sessions.at(-2)?.spoken ?? []])
      const heard = await hearAll(organisation, { asks: true, own: own.join, session: name, peer }, words, this.nowMs)
      checkStillGood(own.order, peer, this.#viewOf(by))
      checkTogether(own.order, heard.words, this.#viewOf(by))
      await by.write({ kind: 'signingStarted', requestHash: hash, seen: latestLabels(party, [...heard.words, ...joins.values()]), ...heard.stood })
      hasBegun = true
    })
    if (!hasBegun) return this.#end(session, by)
    session.started.add(by)
    if (session.started.size === 2) this.made.push({ request: session.request, atMs: this.nowMs, openedAt: session.openedAt })
  }

  async #end(session: Session, by: MemorySigner): Promise<void> {
    const own = session.joins.get(by)
    if (!own?.isAlive) return
    own.isAlive = false
    await by.write({ kind: 'sessionEnded', requestHash: requestHash(session.request), outcome: session.started.has(by) ? 'signed' : 'ended', reason: '' })
  }

  async #endAllOf(by: MemorySigner): Promise<void> {
    for (const session of this.#sessions) await this.#end(session, by)
  }
}
