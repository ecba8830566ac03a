import { AppError } from '@holdfast/contract'
import { equalBytes } from '@holdfast/encoding'
import type { IncomingCall } from '@holdfast/http'
import { readSignature, type ReadSignature, SignatureFault } from '@holdfast/http-signatures'
import { sha256 } from '@noble/hashes/sha2.js'
import { openApiErrors } from '../errors.ts'

/** The time in a signature may be this far off. */
export const SKEW_MS = 5 * 60_000

/**
 * The signature of a call at `host`, with its time and the digest of its body checked; the signature itself is left to be. Throws AppError `call_not_signed`
 * and `clock_differs`.
 */
export function readCall(call: IncomingCall, host: string, nowMs: number): ReadSignature {
  const read = signatureOf(call, host)
  const { body } = call
  if (hasBody(call)) checkDigest(headerOf(call, 'content-digest'), body ?? new Uint8Array())
  if (Math.abs(read.created * 1000 - nowMs) > SKEW_MS)
    throw new AppError(openApiErrors.clock_differs, { details: { server_time: new Date(nowMs).toISOString(), server_time_ms: Math.floor(nowMs) } })
  return read
}

const hasBody = ({ method }: IncomingCall): boolean => method === 'POST'

const headerOf = ({ headers }: IncomingCall, name: string): string | undefined => {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}

function signatureOf(call: IncomingCall, host: string): ReadSignature {
  // What was sent to another name was signed for that one: the proxy in front of us may have let it pass.
  const message = { method: call.method, authority: host, path: call.path, query: call.query, headers: textHeaders(call) }
  try {
    return readSignature(message, hasBody(call))
  } catch (cause) {
    if (cause instanceof SignatureFault) throw notSigned(cause.message, cause)
    throw cause
  }
}

const textHeaders = ({ headers }: IncomingCall): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])))

function checkDigest(given: string | undefined, body: Uint8Array): void {
  const [, digest] = /^sha-256=:([A-Za-z0-9+/]{43}=):$/.exec(given ?? '') ?? []
  if (digest === undefined) throw notSigned('Content-Digest must be sha-256=:…: of the body')
  if (!equalBytes(Uint8Array.from(Buffer.from(digest, 'base64')), sha256(body))) throw notSigned('Content-Digest is of another body')
}

const notSigned = (reason: string, cause?: unknown): AppError =>
  new AppError(openApiErrors.call_not_signed, { details: { reason }, ...(cause === undefined ? {} : { cause }) })
