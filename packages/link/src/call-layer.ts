import { bytes, decode, encode, EncodingFault, type Infer, type Shape, struct, text, uint, union } from '@holdfast/encoding'
import type { Ports } from '@holdfast/ports'
import { type CallDefinition, callErrorShape } from '@holdfast/protocol'
import { PeerError, describeError, readError } from './peer-error.ts'
import { LinkError } from './frame-reader.ts'
import { MESSAGE_BYTES_MAX, type SecureChannel } from './secure-channel.ts'

const body = bytes(undefined, MESSAGE_BYTES_MAX)

/** What travels on a link. Each side numbers its own requests; a reply or a failure names the request of the other side it answers. */
const messageShape = union({
  request: struct('holdfast/link/request/v1', { id: uint(53), name: text(64), body }),
  reply: struct('holdfast/link/reply/v1', { id: uint(53), body }),
  failure: struct('holdfast/link/failure/v1', { id: uint(53), error: callErrorShape }),
  ping: struct('holdfast/link/ping/v1', {}),
})
type Message = Infer<typeof messageShape>

/** One thing a side answers to. Made by `on`. */
export type Handler = { definition: CallDefinition; handle(value: never, link: Link): unknown }

/** An open link to one peer, whose key the handshake has proved. */
export type Link = {
  readonly peerKey: Uint8Array
  /** Asks the peer. Throws PeerError; where no answer came (`unavailable`), the call may or may not have had its effect. */
  call<Q extends Shape, A extends Shape>(definition: CallDefinition<Q, A>, value: Infer<Q>, options: { timeoutMs: number }): Promise<Infer<A>>
  close(): void
  /** Resolves, with the reason in words, when the link is no more. */
  readonly closed: Promise<string>
}

/** Answers a call. What the handler throws travels: a PeerError as it is, anything else as a fault without details. */
export function on<Q extends Shape, A extends Shape>(
  definition: CallDefinition<Q, A>,
  handle: (value: Infer<Q>, link: Link) => Promise<Infer<A>> | Infer<A>,
): Handler {
  return { definition, handle }
}

export type CallLayerOptions = {
  ports: Pick<Ports, 'timer' | 'clock'>
  channel: SecureChannel
  peerKey: Uint8Array
  handlers: readonly Handler[]
  /** Hears of what handlers throw that is not a PeerError: bugs, which the peer is not told about. */
  report?: (cause: unknown) => void
}

/** How many calls of the peer are worked on at once; more are told to come again. */
const INCOMING_CALLS_MAX = 256
const PING_EVERY_MS = 10_000
const SILENCE_MAX_MS = 45_000

/** Runs calls in both directions over an open channel until it closes. Nothing the peer sends can throw out of here. */
export function startCalls(options: CallLayerOptions): Link {
  const layer = new CallLayer(options)
  void layer.run()
  return layer
}

type Pending = { reply: (body: Uint8Array) => void; fail: (cause: PeerError) => void }

class CallLayer implements Link {
  readonly peerKey: Uint8Array
  readonly closed: Promise<string>
  readonly #options: CallLayerOptions
  readonly #handlers: Map<string, Handler>
  readonly #pending = new Map<bigint, Pending>()
  readonly #working = new Set<bigint>()
  #nextId = 1n
  #closedBecause: string | null = null
  #resolveClosed: (reason: string) => void = () => {}
  #cancelPing: () => void = () => {}
  #heardAtMs: number

  constructor(options: CallLayerOptions) {
    this.#options = options
    this.peerKey = options.peerKey
    this.#handlers = new Map(options.handlers.map((handler) => [handler.definition.name, handler]))
    this.closed = new Promise((resolve) => (this.#resolveClosed = resolve))
    this.#heardAtMs = options.ports.clock.monotonicMs()
    // A peer that sends a large message speaks, though none of it can be read before its end: no ping of its own comes before that.
    options.channel.onHeard = () => (this.#heardAtMs = options.ports.clock.monotonicMs())
    this.#planPing()
  }

  async run(): Promise<void> {
    try {
      for (;;) {
        const message = await this.#options.channel.receive()
        if (!message) return this.#end('the peer closed the connection')
        this.#take(decode(messageShape, message))
      }
    } catch (cause) {
      this.#end(cause instanceof LinkError || cause instanceof EncodingFault ? cause.message : 'the connection was lost')
    }
  }

  call<Q extends Shape, A extends Shape>(definition: CallDefinition<Q, A>, value: Infer<Q>, { timeoutMs }: { timeoutMs: number }): Promise<Infer<A>> {
    if (this.#closedBecause !== null) return Promise.reject(new PeerError('unavailable', `no connection: ${this.#closedBecause}`))
    return new Promise((resolve, reject) => {
      const id = this.#nextId++
      const request: Message = { kind: 'request', id, name: definition.name, body: encode<Shape>(definition.request, value) }
      const fail = (cause: PeerError) => {
        cancelTimeout()
        this.#pending.delete(id)
        reject(cause)
      }
      const reply = (answer: Uint8Array) => {
        try {
          const read: unknown = decode<Shape>(definition.reply, answer)
          cancelTimeout()
          this.#pending.delete(id)
          resolve(read as Infer<A>)
        } catch (cause) {
          fail(new PeerError('fault', `the answer to ${definition.name} cannot be read: ${(cause as Error).message}`, { cause }))
        }
      }
      const cancelTimeout = this.#options.ports.timer.after(timeoutMs, () =>
        fail(new PeerError('unavailable', `no answer to ${definition.name} within ${timeoutMs} ms`)),
      )
      this.#pending.set(id, { reply, fail })
      this.#send(request)
    })
  }

  close(): void {
    this.#end('closed on this side')
  }

  #take(message: Message): void {
    switch (message.kind) {
      case 'request':
        if (this.#working.has(message.id)) throw new LinkError('a second request of one number')
        return void this.#answer(message.id, message.name, message.body)
      case 'reply':
        // An answer that comes after its timeout finds nobody; that is no mistake of the peer.
        return this.#pending.get(message.id)?.reply(message.body)
      case 'failure':
        return this.#pending.get(message.id)?.fail(readError(message.error))
      case 'ping':
    }
  }

  async #answer(id: bigint, name: string, request: Uint8Array): Promise<void> {
    this.#working.add(id)
    try {
      if (this.#working.size > INCOMING_CALLS_MAX) throw new PeerError('unavailable', 'too many calls at once: ask again later')
      this.#send({ kind: 'reply', id, body: await this.#handle(name, request) })
    } catch (cause) {
      this.#send({ kind: 'failure', id, error: describeError(this.#asPeerError(cause, name)) })
    } finally {
      this.#working.delete(id)
    }
  }

  async #handle(name: string, request: Uint8Array): Promise<Uint8Array> {
    const handler = this.#handlers.get(name)
    if (!handler) throw new PeerError('fault', `nobody here answers to ${name}`)
    const { definition } = handler
    let value: unknown
    try {
      value = decode<Shape>(definition.request, request)
    } catch (cause) {
      throw new PeerError('fault', `the request ${name} cannot be read: ${(cause as Error).message}`, { cause })
    }
    return encode<Shape>(definition.reply, await handler.handle(value as never, this))
  }

  #asPeerError(cause: unknown, name: string): PeerError {
    if (cause instanceof PeerError) return cause
    this.#options.report?.(cause)
    return new PeerError('fault', `${name} failed: see the log of the process that was asked`, { cause })
  }

  #send(message: Message): void {
    if (this.#closedBecause !== null) return
    this.#options.channel.send(encode(messageShape, message)).catch(() => this.#end('the connection was lost'))
  }

  #planPing(): void {
    this.#cancelPing = this.#options.ports.timer.after(PING_EVERY_MS, () => {
      if (this.#options.ports.clock.monotonicMs() - this.#heardAtMs > SILENCE_MAX_MS) return this.#end('the peer fell silent')
      this.#send({ kind: 'ping' })
      this.#planPing()
    })
  }

  #end(reason: string): void {
    if (this.#closedBecause !== null) return
    this.#closedBecause = reason
    this.#cancelPing()
    this.#options.channel.close()
    for (const { fail } of [...this.#pending.values()]) fail(new PeerError('unavailable', `the connection ended before the answer: ${reason}`))
    this.#resolveClosed(reason)
  }
}
