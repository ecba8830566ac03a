import { Agent as HttpAgent, type IncomingMessage, request as requestHttp, type RequestOptions } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { pipeline, Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip } from 'node:zlib'

/** A connection that rested longer may be closed by the other side while it is used again. A server that says how long it keeps one is believed. */
const REST_MS_MAX = 4_000
const agents = { 'http:': new HttpAgent({ keepAlive: true, timeout: REST_MS_MAX }), 'https:': new HttpsAgent({ keepAlive: true, timeout: REST_MS_MAX }) }
const DECODERS: Record<string, (() => NodeJS.ReadWriteStream & Readable) | undefined> = { gzip: createGunzip, br: createBrotliDecompress }
/** An answer of a told length up to this is read at once; any other is a stream, so that whoever reads it may stop. */
const AT_ONCE_BYTES_MAX = 65_536
/** The built-in one goes through the proxies that the environment names. */
const IS_PROXIED = process.env.NODE_USE_ENV_PROXY === '1' || process.execArgv.includes('--use-env-proxy')
const REDIRECTS = [301, 302, 303, 307, 308]
const WITHOUT_BODY = [204, 205, 304]

type Plain = { url: URL; method: string; headers: Record<string, string>; body: string | Uint8Array | undefined; signal: AbortSignal | undefined }

/**
 * `fetch`, with less work for what nodes of chains are asked all the time: one text or some bytes, and no redirect that is followed. Such a question costs a
 * third of the processor time here; anything else goes to the built-in one. Rejects as that does: with the signal's reason, or with what the network says.
 */
export const fetchPlain: typeof globalThis.fetch = async (input, init) => {
  const plain = IS_PROXIED ? undefined : plainOf(input, init)
  return plain ? ask(plain) : fetch(input, init)
}

function plainOf(input: string | URL | Request, { method = 'GET', headers = {}, body, signal, redirect, ...others }: RequestInit = {}): Plain | undefined {
  const isPlainBody = body === undefined || body === null || typeof body === 'string' || body instanceof Uint8Array
  if (!isPlainBody || redirect !== 'error' || input instanceof Request || Object.keys(others).length > 0) return undefined
  const url = new URL(input)
  if (!(url.protocol in agents) || url.username !== '' || url.password !== '') return undefined
  const named = headers instanceof Headers || Array.isArray(headers) ? Object.fromEntries(headers) : headers
  return { url, method, headers: named, body: body ?? undefined, signal: signal ?? undefined }
}

function ask({ url, method, headers, body, signal }: Plain): Promise<Response> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const options: RequestOptions = {
      method,
      headers: { accept: '*/*', 'accept-encoding': 'gzip, br', ...headers },
      agent: agents[url.protocol as keyof typeof agents],
    }
    const request = url.protocol === 'https:' ? requestHttps(url, options) : requestHttp(url, options)
    const fail = (cause: unknown) => {
      request.destroy()
      reject(signal?.aborted ? signal.reason : cause)
    }
    const abort = () => request.destroy(signal?.reason)
    signal?.addEventListener('abort', abort, { once: true })
    request.on('close', () => signal?.removeEventListener('abort', abort))
    request.on('error', fail)
    request.on('response', (incoming) => void answerOf(incoming).then(resolve, fail))
    request.end(body)
  })
}

async function answerOf(incoming: IncomingMessage): Promise<Response> {
  const { statusCode: status = 0, headers, rawHeaders } = incoming
  if (REDIRECTS.includes(status)) throw new TypeError('the answer is a redirect')
  const encoding = headers['content-encoding']?.toLowerCase() ?? 'identity'
  const decode = DECODERS[encoding]
  if (encoding !== 'identity' && !decode) throw new TypeError(`the answer is encoded as ${encoding}`)
  const told = rawHeaders.flatMap((name, i): [string, string][] => (i % 2 === 0 ? [[name, rawHeaders[i + 1] ?? '']] : []))
  const isShort = !decode && Number(headers['content-length']) <= AT_ONCE_BYTES_MAX
  if (isShort || WITHOUT_BODY.includes(status)) {
    const content = await wholeOf(incoming)
    return new Response(WITHOUT_BODY.includes(status) ? null : content, { status, headers: told })
  }
  const stream = decode ? pipeline(incoming, decode(), () => {}) : incoming
  return new Response(Readable.toWeb(stream) as ReadableStream<Uint8Array>, { status, headers: told })
}

function wholeOf(incoming: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    const pieces: Uint8Array[] = []
    incoming.on('data', (piece: Uint8Array) => void pieces.push(piece))
    incoming.on('end', () => resolve(Buffer.concat(pieces)))
    incoming.on('error', reject)
  })
}
