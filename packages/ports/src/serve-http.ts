import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { addressRanges, type AddressRanges, clientAddress } from './address-ranges.ts'
import { boundConnections } from './bound-connections.ts'
import type { HttpHandler, HttpLimits, RequestHead } from './index.ts'

/** What a server on this machine's own account gets along with: nobody but us reaches it. */
const OWN_MACHINE: HttpLimits = {
  bodyBytesMax: 4 << 20,
  headWithinMs: 60_000,
  requestWithinMs: 300_000,
  exchangeWithinMs: 600_000,
  connectionsMax: 4096,
  connectionsPerAddressMax: 4096,
  trustedProxies: [],
  admit: () => undefined,
}

/** A server of `handler` under `limits`, which does not listen yet. */
export function createLimitedServer(handler: HttpHandler, limits: HttpLimits = OWN_MACHINE): Server {
  const proxies = addressRanges(limits.trustedProxies)
  const server = createServer(
    {
      headersTimeout: limits.headWithinMs,
      requestTimeout: limits.requestWithinMs,
      keepAliveTimeout: limits.headWithinMs,
      // Node looks for late requests each half a minute unless it is told otherwise.
      connectionsCheckingInterval: Math.min(1000, Math.ceil(limits.headWithinMs / 4)),
    },
    (incoming, outgoing) => void answer(incoming, outgoing),
  )
  boundConnections(server, limits)

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { socket } = incoming
    const late = setTimeout(() => socket.destroy(), limits.exchangeWithinMs)
    outgoing.once('close', () => clearTimeout(late))
    try {
      const head = headOf(incoming, proxies)
      const refusal = refusalOf(incoming, limits) ?? limits.admit(head)
      const body = refusal ? undefined : await bodyOf(incoming, limits.bodyBytesMax)
      const response = refusal ?? (body ? await handler(requestOf(head, body)) : tooLarge())
      // What was not read whole is not read any further: the connection ends with the answer.
      if (!incoming.complete) outgoing.shouldKeepAlive = false
      const content = Buffer.from(await response.arrayBuffer())
      outgoing.writeHead(response.status, { ...Object.fromEntries(response.headers), 'content-length': content.length })
      outgoing.end(content)
    } catch {
      if (!outgoing.headersSent) outgoing.writeHead(400)
      outgoing.end()
    }
  }
  return server
}

function headOf(incoming: IncomingMessage, proxies: AddressRanges): RequestHead {
  const headers = new Headers()
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value)
  }
  return {
    method: incoming.method ?? 'GET',
    url: new URL(incoming.url ?? '/', `http://${incoming.headers.host ?? 'localhost'}`),
    headers,
    address: clientAddress(incoming.socket.remoteAddress ?? '', headers.get('x-forwarded-for') ?? undefined, proxies),
  }
}

/** What no handler has to see. Two hosts: whoever stands before us may have looked at the other one. */
function refusalOf(incoming: IncomingMessage, { bodyBytesMax }: HttpLimits): Response | undefined {
  if ((incoming.headersDistinct.host?.length ?? 0) > 1) return Response.json({ error: 'Name one host.' }, { status: 400 })
  return Number(incoming.headers['content-length'] ?? 0) > bodyBytesMax ? tooLarge() : undefined
}

const tooLarge = (): Response => Response.json({ error: 'This is too large.' }, { status: 413 })

async function bodyOf(incoming: IncomingMessage, bytesMax: number): Promise<Buffer<ArrayBuffer> | undefined> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of incoming) {
    size += piece.length
    if (size > bytesMax) return undefined
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

function requestOf({ method, url, headers }: RequestHead, body: Buffer<ArrayBuffer>): Request {
  return new Request(url, { method, headers, body: method === 'GET' || method === 'HEAD' ? null : body })
}
