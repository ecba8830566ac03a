import { equalBytes, type Infer, type Shape } from '@holdfast/encoding'
import { CallError, type Link, type LinkIdentity, listenLink, on } from '@holdfast/link'
import type { Ports } from '@holdfast/ports'
import { type CallDefinition, pageCall, signerCalls } from '@holdfast/protocol'
import { type CoSigners, CoSignerFailure } from './co-signers.ts'
import { relaySession } from './relay-session.ts'

/** A session's calls do cryptography for seconds on a busy machine; the others answer at once or not at all. */
const SESSION_TIMEOUT_MS = 60_000
const CALL_TIMEOUT_MS = 5_000
const SESSION_CALLS: readonly string[] = [signerCalls.openSession, signerCalls.startSession, signerCalls.deliver].map(({ name }) => name)

export type CoSignerOptions = {
  ports: Ports
  host: string
  port: number
  me: LinkIdentity
  /** The link keys of signers 1, 2 and 3, in this order. */
  signerKeys: readonly Uint8Array[]
  report?: (cause: unknown) => void
}

type PageHandler = (method: string, body: unknown) => Promise<{ status: number; body: unknown }>

/** Opens the door signers dial in by. Only the three configured keys are let in, each as its own party. */
export async function listenForCoSigners(options: CoSignerOptions): Promise<{ coSigners: CoSigners; port: number; close(): Promise<void> }> {
  const links = new Map<number, Link>()
  const callbacks = new Set<() => void>()
  let answerPage: PageHandler = async () => ({ status: 503, body: { error: 'The server is starting. Try again in a moment.' } })
  const changed = () => callbacks.forEach((callback) => callback())

  const onLink = (link: Link) => {
    const party = options.signerKeys.findIndex((key) => equalBytes(key, link.peerKey)) + 1
    links.set(party, link)
    changed()
    void link.closed.then(() => {
      // A signer that dialled again has a newer link, which stays.
      if (links.get(party) === link) links.delete(party)
      changed()
    })
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
    allowed: options.signerKeys,
    handlers: [page],
    onLink,
    ...report,
  })

  const call = async <Q extends Shape, A extends Shape>(party: number, definition: CallDefinition<Q, A>, value: Infer<Q>): Promise<Infer<A>> => {
    const link = links.get(party)
    if (!link) throw new CoSignerFailure({ kind: 'unavailable', party, check: '', message: `signer ${party} is not connected` })
    try {
      return await link.call(definition, value, { timeoutMs: SESSION_CALLS.includes(definition.name) ? SESSION_TIMEOUT_MS : CALL_TIMEOUT_MS })
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      throw new CoSignerFailure({ kind: cause.kind, party, check: cause.check, message: cause.message, statement: cause.statement ?? undefined }, { cause })
    }
  }
  const coSigners: CoSigners = {
    online: () => [...links.keys()].sort(),
    call,
    runSession: (request, onJoined) => relaySession(call, request, onJoined),
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
