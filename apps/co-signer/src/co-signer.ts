import type { ChainCodec } from '@holdfast/chain-core'
import { decode, encode, EncodingFault, toHex } from '@holdfast/encoding'
import { signEd25519 } from '@holdfast/encoding/ed25519'
import { actOf, intentHash, intentShape, judgedAs, machineMessage, machineSignatureShape, movesMoney } from '@holdfast/intent'
import { clipText, PeerError } from '@holdfast/link'
import { policyHash } from '@holdfast/policy'
import type { Ports } from '@holdfast/ports'
import { type CoSignerAnswer, type DecideRequest, type ExaminedStep, isMarkOf, type SignedMark, signMark } from '@holdfast/protocol/co-signer-calls'
import { askCallback, type CallbackAnswer } from './callback/ask-callback.ts'
import type { CallbackEvent } from './callback/field-form.ts'
import { beginAt, checkNewest, type Followed, followChange } from './checks/follow.ts'
import { Refused } from './checks/refused.ts'
import { type Asked, checkOpen, ownMachine, verifyOrder } from './checks/verify-order.ts'
import type { Figures } from './figures.ts'
import { checkLimits, type Verdict } from './limits/check-limits.ts'
import { type Config, ConfigError } from './read-config.ts'
import { readLimits } from './limits/read-limits.ts'
import type { Counted, JournalEvent } from './state/journal-events.ts'
import type { Journal } from './state/journal.ts'
import type { CoSignerKey } from './state/sealed-key.ts'

export const VERSION = '1.1.0'

export type CoSignerPorts = Pick<Ports, 'clock' | 'disk' | 'net'>
export type CoSignerOptions = {
  ports: CoSignerPorts
  config: Config
  key: CoSignerKey
  journal: Journal
  figures: Figures
  codecFor(chain: string): ChainCodec | undefined
  say(line: string): void
}

const AGAIN_MS = 5_000
const EARLY_MS = 2_000
const REASON_BYTES_MAX = 1_000

const later = (reason: string, afterMs: number): CoSignerAnswer => ({ kind: 'later', reason: clipText(reason, REASON_BYTES_MAX), afterMs: BigInt(afterMs) })

/** One co-signer of one organisation: what it is told, what it decides, and what it remembers. */
export class CoSigner {
  readonly #options: CoSignerOptions
  #followed: Followed | null = null
  /** Why nothing is decided before a person has looked, if so. */
  #behind: string | undefined
  /** Orders that are being decided, by the hash of the intent: the second who asks gets the answer of the first. */
  readonly #deciding = new Map<string, Promise<CoSignerAnswer>>()

  constructor(options: CoSignerOptions) {
    this.#options = options
  }

  /** Why no order can be decided now, in words; undefined if one can. */
  get obstacle(): string | undefined {
    if (this.#behind !== undefined) return this.#behind
    return this.#followed ? undefined : 'the policy has not been told yet'
  }

  /** The newest mark of the journal, signed. */
  get mark(): SignedMark {
    const { journal, key, config } = this.#options
    const { position, seal } = journal.last
    return signMark({ genesis: config.organisation, position: BigInt(position), seal }, key.secretKey)
  }

  /** Begins with the founding document, and with what the server was shown of this journal. Throws Refused for another organisation. */
  begin(genesisRecord: Uint8Array, mark: SignedMark | null): { policyVersion: bigint } {
    this.#followed = beginAt(genesisRecord, this.#options.config.organisation)
    if (mark) this.#compare(mark)
    return { policyVersion: this.#followed.policy.version }
  }

  /** Follows the next version of the policy. One that was followed before is answered the same. Throws Refused. */
  follow(change: Uint8Array): { policyVersion: bigint } {
    const followed = this.#known()
    this.#followed = followChange(change, followed)
    return { policyVersion: this.#followed.policy.version }
  }

  /** Its decision on an order, for good, or why it says nothing now. Throws Refused where the request does not hold. */
  decide(request: DecideRequest): Promise<CoSignerAnswer> {
    const name = toHex(request.intent)
    const running = this.#deciding.get(name)
    if (running) return running
    const begun = this.#decide(request).finally(() => this.#deciding.delete(name))
    this.#deciding.set(name, begun)
    return begun
  }

  /** Tells the callback that an order that was approved here was sent. False where it does not take word of it now. */
  async sent(encoded: Uint8Array, txid: string): Promise<boolean> {
    const { journal } = this.#options
    const intent = readIntent(encoded)
    const hash = intentHash(intent)
    const order = journal.register.orders.get(toHex(hash))
    if (order?.decision?.decision !== 'approve' || order.isTold || !movesMoney(intent)) return true
    const answer = await this.#ask({ type: 'sign_success', intent, act: actOf(judgedAs(intent)), txid })
    if (answer.kind === 'none') return false
    // Another one who asked meanwhile may have written it already.
    if (!order.isTold) await journal.write({ kind: 'told', intentHash: hash })
    return true
  }

  /** Looks at everything that a decision needs, step by step. */
  async examine(): Promise<ExaminedStep[]> {
    const { ports, config, key } = this.#options
    const steps: ExaminedStep[] = []
    const look = async (name: string, act: () => Promise<string> | string) => {
      const from = ports.clock.monotonicMs()
      const told = await (async () => act())().then(
        (message) => ({ ok: true, message }),
        (cause: Error) => ({ ok: false, message: cause.message }),
      )
      const ms = BigInt(Math.round(ports.clock.monotonicMs() - from))
      steps.push({ name, ok: told.ok, message: clipText(told.message, REASON_BYTES_MAX), ms })
    }
    await look('journal', () => {
      if (this.#behind !== undefined) throw new ConfigError(this.#behind)
      return `at ${this.#options.journal.last.position}`
    })
    await look('policy', () => {
      const followed = this.#known()
      const { name } = ownMachine({ followed, machine: this.#machine(), nowMs: ports.clock.nowMs() })
      return `version ${followed.policy.version} names this co-signer ${name}`
    })
    await look('limits', async () => `SHA-256 ${(await readLimits(ports, config.files.limits)).digest}`)
    await look('callback', async () => {
      if (!config.callback) throw new ConfigError('no callback is configured, so every order is refused')
      const answer = await askCallback(ports, config.callback, { type: 'verify_public_hash', publicHash: toHex(key.publicKey) }, key)
      if (answer.kind !== 'yes') throw new ConfigError(answer.reason)
      return 'the callback knows this co-signer'
    })
    return steps
  }

  async #decide(request: DecideRequest): Promise<CoSignerAnswer> {
    const { journal, figures, say } = this.#options
    const intent = readIntent(request.intent)
    const known = journal.register.orders.get(toHex(intentHash(intent)))
    if (this.#behind !== undefined) throw new Refused('journal', this.#behind)
    if (known?.decision) return this.#decided(known.decision)
    const order = verifyOrder(request, { followed: this.#known(), machine: this.#machine(), codecFor: this.#options.codecFor, nowMs: this.#nowMs })
    await this.#goBy(this.#known())
    this.#checkUnknown(order)
    if (order.isEarly) return this.#putOff('early', 'who asks for it, or people before this step, have not signed yet', EARLY_MS)
    const verdict = await this.#begin(order)
    if (verdict.kind === 'later') return this.#putOff('hours', verdict.reason, verdict.afterMs)
    if (verdict.kind === 'refused') return this.#finish(order, 'reject', verdict.reason)
    const answer = await this.#ask({ type: 'sign_start', intent: order.intent, act: order.act })
    say(`order ${toHex(order.intent.orderId)}: the callback says ${answer.kind}${answer.kind === 'yes' ? '' : ` (${answer.reason})`}`)
    figures.count('callback', answer.kind)
    if (answer.kind === 'none') return this.#putOff('callback', answer.reason, AGAIN_MS)
    if (answer.kind === 'no') return this.#finish(order, 'reject', answer.reason)
    // The callback took its time: what was true before may not be any more.
    checkOpen(order.intent, this.#nowMs)
    if (this.#known().policy.version !== order.intent.policyVersion)
      throw new Refused('policy', 'another version of the policy came while the callback was asked')
    return this.#finish(order, 'approve', '')
  }

  /**
   * Weighs an order by the limits and, where it is within them, writes down that it counts. Nothing is awaited between the two, so that no two orders pass each
   * other. What is refused is written down with its decision.
   */
  async #begin(order: Asked): Promise<Verdict> {
    const { ports, config, journal } = this.#options
    const { register } = journal
    const hash = toHex(order.hash)
    if (!config.callback) return { kind: 'refused', reason: 'no callback is configured, and without one every order is refused' }
    const { limits } = await readLimits(ports, config.files.limits)
    const measured = { hash, intent: order.intent, act: order.act, rule: order.needs.rule }
    const verdict = checkLimits(limits, measured, this.#known().policy, { register, nowMs: this.#nowMs })
    if (verdict.kind === 'within' && !register.orders.has(hash)) await journal.write(reserved(order, verdict.counted))
    return verdict
  }

  /** Signs a decision and writes it down; it leaves only once it is on disk. */
  async #finish(order: Asked, decision: 'approve' | 'reject', reason: string): Promise<CoSignerAnswer> {
    const { journal, key, config, figures, say } = this.#options
    const { hash, intent } = order
    const { genesis, policyHash: policy } = intent
    const statement = { genesis, intentHash: hash, policyHash: policy, machine: config.machine, decision, signedAtMs: BigInt(Math.floor(this.#nowMs)) }
    const spoken = encode(machineSignatureShape, { ...statement, signature: signEd25519(machineMessage(statement), key.secretKey) })
    const told = clipText(reason, REASON_BYTES_MAX)
    const begun = journal.register.orders.has(toHex(hash)) ? [] : [reserved(order, [])]
    await journal.write(...begun, { kind: 'decided', intentHash: hash, decision, reason: told, spoken })
    figures.count('decisions', decision)
    say(`order ${toHex(intent.orderId)}: ${decision}${told === '' ? '' : `: ${told}`}`)
    return this.#decided({ reason: told, spoken })
  }

  #decided({ reason, spoken }: { reason: string; spoken: Uint8Array }): CoSignerAnswer {
    return { kind: 'decided', spoken, reason, mark: this.mark }
  }

  #putOff(why: string, reason: string, afterMs: number): CoSignerAnswer {
    this.#options.figures.count('waiting', why)
    return later(reason, afterMs)
  }

  async #ask(event: CallbackEvent): Promise<CallbackAnswer> {
    const { ports, config, key, figures } = this.#options
    if (!config.callback) return { kind: 'no', reason: 'no callback is configured' }
    const from = ports.clock.monotonicMs()
    const answer = await askCallback(ports, config.callback, event, key)
    figures.callbackMs += ports.clock.monotonicMs() - from
    return answer
  }

  /** Writes down which version of the policy it goes by: from then on it goes by no older one. */
  async #goBy({ policy }: Followed): Promise<void> {
    const { journal } = this.#options
    checkNewest(policy, journal.register, this.#nowMs)
    if (journal.register.policy?.version !== policy.version) await journal.write({ kind: 'followed', version: policy.version, hash: policyHash(policy) })
  }

  /** One order has one decision, under whatever intent it is asked for; and of those from before the folder was put back nobody knows here. */
  #checkUnknown({ hash, intent }: Asked): void {
    const { register } = this.#options.journal
    const earlier = register.byOrder.get(toHex(intent.orderId))
    if (earlier !== undefined && earlier !== toHex(hash)) throw new Refused('order', 'this order was begun before, and said something else then')
    if (BigInt(register.resumedAtMs) >= intent.notBeforeMs && !register.orders.has(toHex(hash)))
      throw new Refused('journal', 'the order was made before the folder of this co-signer was put back: it may have been decided then. Ask for a new one')
  }

  #compare(signed: SignedMark): void {
    const { journal, key, config } = this.#options
    if (!isMarkOf(signed, { genesis: config.organisation, publicKey: key.publicKey })) throw new Refused('journal', 'a mark that this co-signer did not sign')
    const position = Number(signed.mark.position)
    const isKnown = journal.hasBeen({ position, seal: signed.mark.seal })
    this.#behind = isKnown
      ? undefined
      : `the server has seen this journal at ${position}, and here it is another one at ${journal.last.position}: its folder was put back. ` +
        `Put back the newest copy; or, if there is none, say \`resume --past ${position}\``
    if (this.#behind !== undefined) this.#options.say(this.#behind)
  }

  #known(): Followed {
    if (!this.#followed) throw new PeerError('unavailable', 'the policy has not been told yet')
    return this.#followed
  }

  #machine() {
    return { id: this.#options.config.machine, publicKey: this.#options.key.publicKey }
  }

  get #nowMs(): number {
    return this.#options.ports.clock.nowMs()
  }
}

function reserved({ hash, intent }: Asked, counted: Counted[]): JournalEvent {
  return { kind: 'reserved', intentHash: hash, orderId: intent.orderId, expiresAtMs: intent.expiresAtMs, counted }
}

function readIntent(encoded: Uint8Array) {
  try {
    return decode(intentShape, encoded)
  } catch (cause) {
    if (cause instanceof EncodingFault) throw new Refused('order', cause.message, { cause })
    throw cause
  }
}
