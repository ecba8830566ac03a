import { lookup } from 'node:dns/promises'
import { type ClientRequest, type IncomingMessage, request as requestHttp, type RequestOptions } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { type OutgoingAnswer, type OutgoingRequest, SendError } from './index.ts'

export async function resolveName(host: string): Promise<string[]> {
  if (isIP(host)) return [host]
  const found = await lookup(host, { all: true, verbatim: true })
  return [...new Set(found.map((each) => each.address))]
}

/** Errors of a connection that never was: the other side has not got the request. */
const NEVER_CONNECTED = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'EACCES', 'EPERM']

export function sendToAddress(outgoing: OutgoingRequest): Promise<OutgoingAnswer> {
  const { url, address, method, headers, body, timeoutMs, answerBytesMax, signal } = outgoing
  const target = new URL(url)
  const family = isIP(address)
  // The name is never looked up again: whoever asks for it gets the address that was checked.
  const pinned: LookupFunction = (_, options, callback) => (options.all ? callback(null, [{ address, family }]) : callback(null, address, family))
  return new Promise((resolve, reject) => {
    if (family === 0) return reject(new SendError('refused', `${address} is no IP address`))
    const options: RequestOptions = { method, headers: { ...headers, 'Content-Length': body.length }, agent: false, lookup: pinned }
    const request = (target.protocol === 'https:' ? requestHttps : requestHttp)(target, options)
    const end = (reason: SendError['reason'], message: string, cause?: unknown) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      reject(new SendError(reason, message, { cause }))
      request.destroy()
    }
    const abort = () => end('aborted', 'the request was given up')
    const timer = setTimeout(() => end('timeout', `no answer within ${timeoutMs} ms`), timeoutMs)
    if (signal?.aborted) return abort()
    signal?.addEventListener('abort', abort)
    watchConnection(request, address, end)
    request.on('response', (response) => {
      readAnswer(response, answerBytesMax).then(
        (answer) => {
          clearTimeout(timer)
          signal?.removeEventListener('abort', abort)
          resolve(answer)
          request.destroy()
        },
        (cause) => end('lost', messageOf(cause), cause),
      )
    })
    request.end(body)
  })
}

function watchConnection(request: ClientRequest, address: string, end: (reason: SendError['reason'], message: string, cause?: unknown) => void): void {
  let isConnected = false
  let isSecure = false
  request.on('socket', (socket) => {
    socket.on('connect', () => {
      isConnected = true
      // An IPv6 address has several spellings; only the family of the peer is told apart here, the address was given by number.
      if (isIP(socket.remoteAddress ?? '') !== isIP(address)) end('refused', `connected to ${socket.remoteAddress} instead of ${address}`)
    })
    socket.on('secureConnect', () => {
      isSecure = true
    })
  })
  request.on('error', (cause: NodeJS.ErrnoException) => {
    if (!isConnected || NEVER_CONNECTED.includes(cause.code ?? '')) end('refused', messageOf(cause), cause)
    else if (!isSecure && /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO|HOSTNAME_MISMATCH)/.test(cause.code ?? ''))
      end('tls', messageOf(cause), cause)
    else end('lost', messageOf(cause), cause)
  })
}

async function readAnswer(response: IncomingMessage, bytesMax: number): Promise<OutgoingAnswer> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of response as AsyncIterable<Uint8Array>) {
    pieces.push(piece)
    size += piece.length
    if (size > bytesMax) break
  }
  const headers = Object.fromEntries(
    Object.entries(response.headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]])),
  )
  const body = new Uint8Array(Buffer.concat(pieces).subarray(0, bytesMax))
  return { status: response.statusCode ?? 0, headers, body, isCut: size > bytesMax }
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
