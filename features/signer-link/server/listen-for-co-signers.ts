import { type Infer, type Shape, toHex } from '@holdfast/encoding'
import { PeerError, type Link, type LinkIdentity, listenLink, on } from '@holdfast/link'
import type { Ports } from '@holdfast/ports'
import { type CallDefinition, pageCall, signerCalls } from '@holdfast/protocol'
import { at } from '@holdfast/units'
import { CoSignerError } from './co-signers.ts'
import type { CoSigners, NamedSigners } from './types.ts'
import { relaySession } from './relay-session.ts'

/** A session's calls do cryptography for seconds on a busy machine; the others answer at once or not at all. */
const LONG_CALL_TIMEOUT_MS = 60_000
const CALL_TIMEOUT_MS = 5_000
/** What takes a signer long: the steps of a session, and to check every version of a policy. */
const LONG_CALLS: readonly string[] = [signerCalls.openSession, signerCalls.startSession, signerCalls.deliver, signerCalls.pinGenesis].map(({ name }) => name)

export type CoSignerOptions = {
  ports: Ports
  host: string
  port: number
  me: LinkIdentity
  /** The link keys of signers 1, 2 and 3, in this order, until the policy of an organisation names its signers. */
  signerKeys: readonly Uint8Array[]
  /** Who the policies in force name when the door opens. */
  named?: readonly NamedSigners[]
  report?: (cause: unknown) => void
}

type PageHandler = (method: string, body: unknown) => Promise<{ status: number; body: unknown }>

/**
 * Opens the door signers dial in by. Only the keys that the policies in force name are let in, before a founding those of the configuration, each as its own
 * party.
 */
export async function listenForCoSigners(options: CoSignerOptions): Promise<{ coSigners: CoSigners; port: number; close(): Promise<void> }> {
  // The newest link is the last.
  const links = new Map<string, { party: number; link: Link }>()
  let named = options.named ?? []
  const allowed = () => (named.length > 0 ? named.map(({ signKeys }) => signKeys) : [options.signerKeys])
  const partyOf = (key: Uint8Array) => Math.max(...allowed().map((keys) => keys.findIndex((each) => toHex(each) === toHex(key)))) + 1
  const callbacks = new Set<() => void>()
  let answerPage: PageHandler = async () => ({ status: 503, body: { error: 'The server is starting. Try again in a moment.' } })
  const changed = () => callbacks.forEach((callback) => callback())

  const onLink = (link: Link) => {
    const [key, party] = [toHex(link.peerKey), partyOf(link.peerKey)]
    // A version of the policy may have come into force while it dialled.
    if (party === 0) return link.close()
    links.delete(key)
    links.set(key, { party, link })
    changed()
    void link.closed.then(() => {
      // A signer that dialled again has a newer link, which stays.
      if (links.get(key)?.link === link) links.delete(key)
      changed()
    })
  }
  /** The link of a party of the organisation of this fingerprint, where its policy names its signers. */
  const linkOf = (party: number, genesis: unknown): Link | undefined => {
    const keys = genesis instanceof Uint8Array ? named.find((each) => toHex(each.genesis) === toHex(genesis))?.signKeys : undefined
    if (keys) return links.get(toHex(at(keys, party - 1)))?.link
    return [...links.values()].findLast((each) => each.party === party)?.link
  }
  const page = on(pageCall, async ({ method, body }) => {
    const answer = await answerPage(method, parseJson(body))
    return { status: BigInt(answer.status), body: JSON.stringify(answer.body) }
  })
  const report = options.report ? { report: options.report } : {}
  const listener = await listenLink({
    ports: options.ports,
    host: options.host,
    port: options.port,
    me: options.me,
    get allowed() {
      return allowed().flat()
    },
    handlers: [page],
    onLink,
    ...report,
  })

  const callOf =
    (genesis?: Uint8Array): CoSigners['call'] =>
    async <Q extends Shape, A extends Shape>(party: number, definition: CallDefinition<Q, A>, value: Infer<Q>, organisation = genesis): Promise<Infer<A>> => {
      const link = linkOf(party, organisation ?? (value as { genesis?: unknown }).genesis)
      if (!link) throw new CoSignerError({ kind: 'unavailable', party, check: '', message: `signer ${party} is not connected` })
      try {
        return await link.call(definition, value, { timeoutMs: LONG_CALLS.includes(definition.name) ? LONG_CALL_TIMEOUT_MS : CALL_TIMEOUT_MS })
      } catch (cause) {
        if (!(cause instanceof PeerError)) throw cause
        throw new CoSignerError({ kind: cause.kind, party, check: cause.check, message: cause.message, statement: cause.statement ?? undefined }, { cause })
      }
    }
  const coSigners: CoSigners = {
    online: () => [...new Set([...links.values()].map(({ party }) => party))].sort(),
    call: callOf(),
    runSession: (request, onJoined) => relaySession(callOf(request.genesis), request, onJoined),
    admit: (signers) => {
      named = signers
      for (const { link } of links.values()) if (partyOf(link.peerKey) === 0) link.close()
    },
    onChange: (callback) => {
      callbacks.add(callback)
      return () => void callbacks.delete(callback)
    },
    onPage: (handler) => void (answerPage = handler),
  }
  return { coSigners, port: listener.port, close: () => listener.close() }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
