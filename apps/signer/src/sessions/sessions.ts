import { SIGNATURES_MAX } from '@holdfast/chain-core'
import { bytes, decode, encode, EncodingFault, list, struct, toHex, uint } from '@holdfast/encoding'
import { agreementKeyOf, clipText, PeerError } from '@holdfast/link'
import { CheatError, isEcdsa, type Message, ProtocolFault, type Step } from '@holdfast/mpc'
import type { Ports } from '@holdfast/ports'
import { type Asks, joinShape, requestHash, sessionId, type SessionRequest, type Signed, signMessage } from '@holdfast/protocol'
import { at, known } from '@holdfast/units'
import { agreeOnSecret, type Channel, EnvelopeFault, openEnvelope, type Peer, sealEnvelope } from './envelopes.ts'
import { checkFreshness, joinAs, latestLabels, readJoins } from '../checks/freshness.ts'
import type { Identity } from '../state/identity.ts'
import type { JournalEvent, SessionOutcome } from '../state/journal-events.ts'
import type { Organisation } from '../state/organisation.ts'
import { Refused } from '../checks/refused.ts'
import type { StoredSignature, Stood } from '../state/register.ts'
import { SessionQuota } from './session-quota.ts'
import { sessionRandomness } from './session-randomness.ts'
import { protocolContext, takeOn } from '../session-kinds/index.ts'
import type { Task, TaskContext } from '../session-kinds/task.ts'
import { hearAll, NOTHING_HEARD } from '../checks/words.ts'

export type Turn = { session: Uint8Array; outgoing: Signed[]; done: boolean; result: Uint8Array }
type Running = { channel: Channel; step: Step<unknown>; stood: Stood }
/** Joined; the joins of all are being checked; messages go to and fro. */
type Stage = 'joined' | 'starting' | 'running'
type Live = {
  organisation: Organisation
  request: SessionRequest
  hash: Uint8Array
  task: Task
  /** What is given back of the quota once it has signed. */
  shared: string | null
  ephemeralSecret: Uint8Array
  join: Signed
  /** Resolves when the journal holds that the session was opened. */
  opened: Promise<unknown>
  stage: Stage
  running: Running | null
  cancelTimer: () => void
}

type SessionsOptions = { ports: Pick<Ports, 'clock' | 'random' | 'kernelRandom' | 'timer'>; identity: Identity; codecFor: TaskContext['codecFor'] }

/** How long a session waits for its next message before it ends. */
const SILENCE_MAX_MS = 60_000
const SESSIONS_MAX = 64
/** Answers of a signing session leave on multiples of this, so that they tell less of how long the arithmetic took. */
const TICK_MS = 5

const FINISHED_KEPT = 64

/** Signatures that one side has from before travel in this round; no protocol has so many. */
const KNOWN_SIGNATURES_ROUND = 0xffff
const knownSignaturesShape = struct('holdfast/known-signatures/v2', {
  signatures: list(struct('holdfast/known-signature/v1', { r: bytes(32), s: bytes(32), recovery: uint(8) }), SIGNATURES_MAX),
})

/** The sessions under way. They live in memory only: a crash ends them, and the next attempt is a new session with new nonces. */
export class Sessions {
  readonly #options: SessionsOptions
  readonly #byRequest = new Map<string, Live>()
  readonly #bySession = new Map<string, Live>()
  /** The last turns of the sessions that ended well, for a caller that missed them. */
  readonly #finished = new Map<string, Turn>()
  readonly #quota = new SessionQuota()

  constructor(options: SessionsOptions) {
    this.#options = options
  }

  /** Checks a request whole, writes it down and joins. Asked again before the start, it gives the same join. Throws Refused or PeerError. */
  async open(organisation: Organisation, request: SessionRequest): Promise<Signed> {
    const hash = requestHash(request)
    const asked = this.#byRequest.get(toHex(hash))
    if (asked?.stage === 'joined') return asked.opened.then(() => asked.join)
    if (organisation.register.requests.has(toHex(hash))) throw new Refused('c1', 'this request was used before: make a new one with a fresh nonce')
    const { ports, identity, codecFor } = this.#options
    const task = takeOn(request, { organisation, identity, codecFor, nowMs: () => ports.clock.nowMs() })
    this.#checkRoom(organisation, request)
    const shared = this.#quota.take(organisation, task, ports.clock.nowMs())
    const ephemeralSecret = ports.random.bytes(32)
    const { keyId, epoch, parties } = request
    // From here on the register counts with this session, also for a request that comes before the disk has answered.
    const event = { kind: 'sessionOpened' as const, requestHash: hash, session: request.kind, keyId, epoch, parties, reservation: task.reservation }
    const opened = organisation.journal.write([event, ...task.joining])
    const join = this.#joinOf(organisation, hash, ephemeralSecret, task.asks)
    const live: Live = { organisation, request, hash, task, shared, ephemeralSecret, join, opened, stage: 'joined', running: null, cancelTimer: () => {} }
    this.#byRequest.set(toHex(hash), live)
    this.#awaitNext(live)
    return opened.then(() => join)
  }

  /**
   * With the joins of all, and the words of the signers where it signs: who they are (c1), that nobody was put back and none knows anything newer
   * (c12), and the
   * first messages (c14). Throws Refused or PeerError.
   */
  async start(hash: Uint8Array, joins: readonly Signed[], words: readonly Signed[]): Promise<Turn> {
    const began = this.#options.ports.clock.monotonicMs()
    const live = this.#byRequest.get(toHex(hash))
    if (live?.stage !== 'joined') throw new PeerError('unavailable', 'no session waits for these joins: open one first')
    live.stage = 'starting'
    const { organisation, request, task } = live
    try {
      await live.opened
      const read = readJoins(organisation, live.hash, request.parties, live.join, joins)
      const own = known(read.get(organisation.party), 'the own join of this signer')
      checkFreshness(organisation, own, read, task.anew)
      const session = sessionId(
        organisation.fingerprint,
        live.hash,
        joins.map((join) => join.message),
      )
      const peer = Number(request.parties.find((party) => party !== BigInt(organisation.party)))
      const asks = task.asks !== null && !task.known
      const heard = await hearAll(organisation, { asks, own, session, peer }, words, this.#options.ports.clock.nowMs())
      const begin = task.known ? null : await task.prepare()
      this.#checkLive(live)
      task.recheck(heard.words)
      const channel = this.#channelOf(live, session, new Map([...read].map(([party, { ephemeralKey }]) => [party, ephemeralKey])))
      // What is given again needs no word of the peer, so nothing is learnt of it.
      if (!begin)
        return await this.#giveAgain(live, channel, known(task.known, 'what was signed before'), { kind: 'sessionStarted', requestHash: live.hash, seen: [] })
      const started = startedEvent(live, latestLabels(organisation.party, [...heard.words, ...read.values()]), heard.stood)
      const random = sessionRandomness(this.#options.ports, this.#options.identity, session)
      const running = { channel, step: begin(protocolContext(organisation, request, task.protocol, session), random), stood: heard.stood }
      await organisation.journal.write([started])
      // Meanwhile it may have been ended, and its key be in another session. What went on unnoticed would burn nothing if a check fails.
      this.#checkLive(live)
      live.stage = 'running'
      live.running = running
      this.#bySession.set(toHex(session), live)
      this.#awaitNext(live)
      return await this.#onTick(live, began, turnOf(channel, running.step.outgoing))
    } catch (cause) {
      return this.#fail(live, cause)
    }
  }

  /**
   * Takes one round's messages and gives the next, or the result. Throws PeerError; whatever it throws, the session is over.
   * After the end nothing is read any more: a session that ended well gives its result again.
   */
  async deliver(session: Uint8Array, envelopes: readonly Signed[]): Promise<Turn> {
    const began = this.#options.ports.clock.monotonicMs()
    const finished = this.#finished.get(toHex(session))
    if (finished) return finished
    const live = this.#bySession.get(toHex(session))
    if (!live?.running) throw new PeerError('unavailable', 'no such session: it has ended, or was never started here')
    try {
      const { running, task } = live
      const messages = envelopes.map((envelope) => openEnvelope(running.channel, envelope))
      const known = knownSignatures(messages, task)
      if (known) return await this.#finish(live, known, turnOf(running.channel, []), await task.keep(known))
      running.step = running.step.receive(messages)
      this.#awaitNext(live)
      const { awaiting, outgoing, result } = running.step
      const turn = turnOf(running.channel, outgoing)
      return await this.#onTick(live, began, awaiting ? turn : await this.#finish(live, result, turn, await task.keep(result)))
    } catch (cause) {
      return this.#fail(live, cause)
    }
  }

  /** Ends a session that nobody will go on with; does nothing if there is none. */
  async end(hash: Uint8Array): Promise<void> {
    const live = this.#byRequest.get(toHex(hash))
    if (live) await this.#close(live, 'ended', 'ended by the caller')
  }

  /**
   * Ends every session, or every one of an organisation: who carried their messages is gone, or who took part in them. Whoever comes next knows nothing of
   * them, and each key is free again at once.
   */
  async endAll(reason: string, organisation?: Organisation): Promise<void> {
    const ended = [...this.#byRequest.values()].filter((live) => organisation === undefined || live.organisation === organisation)
    await Promise.all(ended.map((live) => this.#close(live, 'ended', reason)))
  }

  #checkRoom(organisation: Organisation, { keyId }: SessionRequest): void {
    if (this.#byRequest.size >= SESSIONS_MAX) throw new PeerError('unavailable', 'too many sessions at once: ask again later')
    // One session a key: concurrent runs over one set of secrets are outside what the protocol's proof covers.
    const busy = [...this.#byRequest.values()].some((live) => live.organisation === organisation && toHex(live.request.keyId) === toHex(keyId))
    if (busy) throw new PeerError('unavailable', 'another session with this key is under way: ask again when it has ended')
  }

  #joinOf(organisation: Organisation, hash: Uint8Array, ephemeralSecret: Uint8Array, asks: Asks | null): Signed {
    const { ports, identity } = this.#options
    const drawn = { random: ports.random.bytes(32), ephemeralKey: agreementKeyOf(ephemeralSecret) }
    return signMessage(joinShape, joinAs(organisation, { requestHash: hash, asks, ...drawn }), BigInt(organisation.party), identity.secretKey)
  }

  #channelOf({ organisation, ephemeralSecret }: Live, session: Uint8Array, ephemeralKeys: ReadonlyMap<number, Uint8Array>): Channel {
    const peers = new Map<number, Peer>()
    for (const [party, ephemeralKey] of ephemeralKeys) {
      if (party !== organisation.party)
        peers.set(party, {
          sharedSecret: agreeOnSecret(ephemeralSecret, ephemeralKey),
          signKey: known(organisation.signKeyOf(party), `the key of signer ${party}`),
        })
    }
    return { genesis: organisation.fingerprint, session, me: organisation.party, signSecret: this.#options.identity.secretKey, peers }
  }

  /** The signatures from before, for the caller, and for the peer in case it does not have them. */
  #giveAgain(live: Live, channel: Channel, known: StoredSignature[], started: JournalEvent): Promise<Turn> {
    const body = encode(knownSignaturesShape, { signatures: known })
    return this.#finish(live, known, turnOf(channel, [{ round: KNOWN_SIGNATURES_ROUND, from: channel.me, to: 0, body }]), [started])
  }

  async #finish(live: Live, result: unknown, turn: Turn, events: JournalEvent[]): Promise<Turn> {
    this.#checkLive(live)
    await this.#close(live, live.task.signs ? 'signed' : 'made', '', events)
    if (live.shared !== null) this.#quota.giveBack(live.shared)
    const under = { session: turn.session, stood: live.running?.stood ?? stoodBefore(live) }
    const last = { ...turn, done: true, result: live.task.answer(result, this.#options.ports.clock.nowMs(), under) }
    this.#finished.set(toHex(turn.session), { ...last, outgoing: [] })
    for (const oldest of this.#finished.keys()) if (this.#finished.size > FINISHED_KEPT) this.#finished.delete(oldest)
    return last
  }

  /** c15: says what a failure was. A cheat is on disk, with the pair locked, before anybody hears of it. */
  async #fail(live: Live, cause: unknown): Promise<never> {
    const reason = cause instanceof Error ? cause.message : String(cause)
    if (cause instanceof CheatError) {
      await this.#burn(live, cause.peer, reason)
      throw new PeerError('cheat', reason, { check: 'c15', cause })
    }
    const outside = [ProtocolFault, EnvelopeFault, EncodingFault].some((kind) => cause instanceof kind)
    const isForeseen = outside || cause instanceof Refused || cause instanceof PeerError
    if (!isForeseen && live.running && live.task.signs && isEcdsa(live.task.protocol)) {
      // Nobody foresaw it, so nobody knows whether it depends on a secret. It is treated as a failed check, though not as somebody's fault.
      const peer = at([...live.running.channel.peers.keys()], 0)
      await this.#burn(live, peer, `an error that nobody foresaw counts as a failed check: ${reason}`)
      throw new PeerError('fault', reason, { check: 'c15', cause })
    }
    await this.#close(live, cause instanceof Refused ? 'refused' : 'fault', reason)
    throw outside ? new PeerError('fault', reason, { check: 'c15', cause }) : cause
  }

  async #burn(live: Live, peer: number, reason: string): Promise<void> {
    const { organisation, request, task } = live
    const { keyId, epoch } = request
    // Only what has signed can have told something. A key, an epoch or a set-up of a pair that is still being made is dropped, and can be made again.
    const burned: JournalEvent[] = task.signs ? [{ kind: 'burned', keyId, epoch, peer: BigInt(peer), reason: clipText(reason, 1000) }] : []
    await this.#close(live, 'cheat', reason, burned)
    if (task.signs) await organisation.forgetSeeds(request, [peer])
    for (const other of [...this.#byRequest.values()]) {
      const samePair = other.organisation === organisation && toHex(other.request.keyId) === toHex(keyId) && other.request.parties.includes(BigInt(peer))
      if (samePair) await this.#close(other, 'cheat', `party ${peer} cheated in another session`)
    }
  }

  #isLive(live: Live): boolean {
    return this.#byRequest.get(toHex(live.hash)) === live
  }

  #checkLive(live: Live): void {
    if (!this.#isLive(live)) throw new PeerError('unavailable', 'the session has ended')
  }

  /** Takes a session away, and writes how it ended together with what else came of it. */
  async #close(live: Live, outcome: SessionOutcome, reason: string, events: JournalEvent[] = []): Promise<void> {
    if (!this.#isLive(live)) return
    live.cancelTimer()
    this.#byRequest.delete(toHex(live.hash))
    if (live.running) this.#bySession.delete(toHex(live.running.channel.session))
    await live.organisation.journal.write([...events, { kind: 'sessionEnded', requestHash: live.hash, outcome, reason: clipText(reason, 1000) }])
  }

  #awaitNext(live: Live): void {
    live.cancelTimer()
    // A write that fails here is known to every later call: the journal then refuses them all.
    live.cancelTimer = this.#options.ports.timer.after(
      SILENCE_MAX_MS,
      () => void this.#close(live, 'timeout', `nothing came for ${SILENCE_MAX_MS} ms`).catch(() => {}),
    )
  }

  async #onTick(live: Live, began: number, turn: Turn): Promise<Turn> {
    if (!live.task.signs) return turn
    const spentMs = this.#options.ports.clock.monotonicMs() - began
    await this.#options.ports.timer.sleep(Math.ceil(spentMs / TICK_MS) * TICK_MS - spentMs)
    return turn
  }
}

/** What stood behind the signatures of an order when they were made, for when they are given again. */
const stoodBefore = ({ organisation, task }: Live): Stood =>
  (task.reservation && organisation.register.stood.get(toHex(task.reservation.intentHash))) ?? NOTHING_HEARD.stood

function startedEvent({ hash, task }: Live, seen: { party: bigint; mark: bigint }[], stood: Stood): JournalEvent {
  return task.signs ? { kind: 'signingStarted', requestHash: hash, seen, ...stood } : { kind: 'sessionStarted', requestHash: hash, seen }
}

function turnOf(channel: Channel, outgoing: readonly Message[]): Turn {
  return { session: channel.session, outgoing: outgoing.map((message) => sealEnvelope(channel, message)), done: false, result: new Uint8Array(0) }
}

/**
 * The signatures a peer hands over because it has them from before; undefined for ordinary messages. Throws EnvelopeFault if they are not this
 * session's.
 */
function knownSignatures(messages: readonly Message[], task: Task) {
  const handed = messages.find((message) => message.round === KNOWN_SIGNATURES_ROUND)
  if (!handed) return undefined
  const { signatures } = decode(knownSignaturesShape, handed.body)
  if (messages.length !== 1 || !task.accepts(signatures))
    throw new EnvelopeFault(`party ${handed.from} handed over signatures that are not those of this session`)
  return signatures
}
