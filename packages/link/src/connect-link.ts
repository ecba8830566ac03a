import type { Infer, Shape } from '@holdfast/encoding'
import type { CallDefinition } from '@holdfast/protocol'
import { at } from '@holdfast/units'
import { PeerError } from './peer-error.ts'
import type { Link } from './call-layer.ts'
import { type LinkOptions, openAsDialer } from './open-link.ts'

const RETRY_FIRST_MS = 250
// A dial that is refused costs nothing, and while a signer is away payments stand still.
const RETRY_MAX_MS = 2_000

export type ConnectOptions = LinkOptions & {
  host: string
  port: number
  /** The Ed25519 public key the listener must prove. */
  serverKey: Uint8Array
  /** Hears of every change: connected, or not and why. */
  onState?: (state: { connected: true } | { connected: false; reason: string }) => void
}

/** A link that is dialled again whenever it is lost. */
export type StandingLink = {
  readonly connected: boolean
  /** As `Link.call`; fails at once with `unavailable` while there is no connection. */
  call<Q extends Shape, A extends Shape>(definition: CallDefinition<Q, A>, value: Infer<Q>, options: { timeoutMs: number }): Promise<Infer<A>>
  /** Ends the link and the dialling for good. */
  close(): void
}

/** Dials the listener and keeps dialling, with growing pauses, until closed. */
export function connectLink(options: ConnectOptions): StandingLink {
  const { ports } = options
  const stop = new AbortController()
  let link: Link | null = null

  const keepDialling = async (): Promise<void> => {
    for (let failures = 0; !stop.signal.aborted; ) {
      try {
        link = await openAsDialer(await ports.net.connect(options.host, options.port), { ...options, peer: options.serverKey })
        if (stop.signal.aborted) return link.close()
        failures = 0
        options.onState?.({ connected: true })
        const reason = await link.closed
        options.onState?.({ connected: false, reason })
      } catch (cause) {
        failures++
        options.onState?.({ connected: false, reason: (cause as Error).message })
      }
      link = null
      await ports.timer.sleep(pauseMs(failures, at(ports.random.bytes(1), 0)), stop.signal).catch(() => {})
    }
  }
  void keepDialling()

  return {
    get connected() {
      return link !== null
    },
    call: (definition, value, callOptions) => link?.call(definition, value, callOptions) ?? Promise.reject(new PeerError('unavailable', 'not connected now')),
    close: () => {
      stop.abort()
      link?.close()
    },
  }
}

// Doubles with every failure, and differs by up to a half so that peers of a restarted listener do not come all at once.
function pauseMs(failures: number, chance: number): number {
  const base = Math.min(RETRY_MAX_MS, RETRY_FIRST_MS * 2 ** Math.min(failures, 10))
  return Math.round(base * (0.5 + chance / 512))
}
