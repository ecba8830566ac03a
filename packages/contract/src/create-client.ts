import { CallError, TransportError } from './call-error.ts'
import { type CookieJar, readCookie } from './cookie-jar.ts'
import type { CallInput, Endpoint, OutputOf } from './define-endpoint.ts'
import type { Language } from './define-errors.ts'
import { type Envelope, envelopeSchema, SUCCESS_CODE } from './envelope.ts'
import { formEncode, formInParts } from './form-encode.ts'

export const DEFAULT_TIMEOUT_MS = 10_000
/** What a call without an address or a method is refused with. Only a mistake in a program makes one. */
const INCOMPLETE: Record<'url' | 'method', Record<Language, string>> = {
  url: { zh_CN: '请传入url', en_US: 'Give the url of the call.' },
  method: { zh_CN: '请传入method', en_US: 'Give the method of the call.' },
}

export const XSRF_COOKIE = 'XSRF-TOKEN'
export const XSRF_HEADER = 'X-XSRF-TOKEN'

/** The headers that depend on the moment of the call. `openToken` is kept in memory only, never stored. */
export type CallHeaders = { language: Language; openToken?: string | undefined; timezone: string }

export type ClientOptions = {
  /** '' in the console's page; the origin, such as http://localhost:20123, elsewhere. */
  baseUrl: string
  fetch: typeof globalThis.fetch
  /** Sends a form with a file and tells how much of it has left, from 0 to 1; `fetch` where absent, which tells nothing. */
  upload?: (url: string, init: RequestInit, onSent: (part: number) => void) => Promise<Response>
  timer: { after(ms: number, callback: () => void): () => void }
  headers: () => CallHeaders
  /** Told about every answered refusal before the call rejects, `silent` ones too; `isShown` where the caller says that it shows this one itself. */
  onRefusal?: (error: CallError, isShown: boolean) => void
  /** Keeps the cookies where there is no browser. */
  cookieJar?: CookieJar
  /** The page's cookies; `document.cookie` where absent. */
  documentCookies?: () => string
}

export type CallOptions = {
  /** Ends the call early; it then rejects with the signal's reason. */
  signal?: AbortSignal
  /** Not asked by the person at the screen (polling): it does not keep the session alive. */
  background?: boolean
  /** Whether the caller itself shows a refusal, at a field or in a note of its own: nobody else tells the person of it then. */
  shows?: (error: CallError) => boolean
  /** Told how much of a file has been sent, from 0 to 1. */
  onSent?: (part: number) => void
}

export type Client = {
  /** Calls an endpoint. Resolves with its parsed data; rejects with CallError (answered) or TransportError (result unknown). */
  call<E extends Endpoint>(endpoint: E, input: CallInput<E>, options?: CallOptions): Promise<OutputOf<E>>
  /** The headers and the address of a call, for those who read the answer themselves (server-sent events). */
  request(method: 'GET' | 'POST', path: string, options?: CallOptions): { url: string; init: RequestInit & { headers: Record<string, string> } }
}

function xsrfToken(options: ClientOptions): string | undefined {
  if (options.cookieJar) return options.cookieJar.get(XSRF_COOKIE)
  const cookies = options.documentCookies ? options.documentCookies() : globalThis.document?.cookie
  return cookies === undefined ? undefined : readCookie(cookies, XSRF_COOKIE)
}

function callHeaders(options: ClientOptions, callOptions: CallOptions): Record<string, string> {
  const { language, openToken, timezone } = options.headers()
  const headers: Record<string, string> = {
    Accept: 'application/json',
    Language: language,
    timezone,
    'build-cu': 'web',
    platform: 'Holdfast',
  }
  if (openToken !== undefined) headers.openToken = openToken
  const token = xsrfToken(options)
  if (token !== undefined) headers[XSRF_HEADER] = token
  if (callOptions.background) headers['X-Background'] = '1'
  if (options.cookieJar) {
    const cookies = options.cookieJar.header()
    if (cookies !== undefined) headers.Cookie = cookies
    // A browser sends Origin by itself; the server demands it of every POST.
    headers.Origin = new URL(options.baseUrl).origin
  }
  return headers
}

/** A client of the server's interface, for the console and for terminals. It speaks to its own origin only and follows no redirect. */
export function createClient(options: ClientOptions): Client {
  const request: Client['request'] = (method, path, callOptions = {}) => ({
    url: `${options.baseUrl}${path}`,
    init: { method, headers: callHeaders(options, callOptions), credentials: 'same-origin', redirect: 'error', cache: 'no-store' },
  })

  function send(
    endpoint: Endpoint,
    { url, init }: ReturnType<Client['request']>,
    input: Record<string, unknown>,
    { onSent }: CallOptions,
    signal: AbortSignal,
  ) {
    const parts = endpoint.method === 'POST' ? formInParts(input) : undefined
    if (parts) {
      const whole = { ...init, body: parts, signal }
      return options.upload && onSent ? options.upload(url, whole, onSent) : options.fetch(url, whole)
    }
    const encoded = formEncode(input)
    if (endpoint.method === 'GET') return options.fetch(encoded === '' ? url : `${url}?${encoded}`, { ...init, signal })
    const headers = { ...init.headers, 'Content-Type': 'application/x-www-form-urlencoded' }
    return options.fetch(url, { ...init, headers, body: encoded, signal })
  }

  async function exchange(endpoint: Endpoint, input: object, callOptions: CallOptions, signal: AbortSignal): Promise<{ status: number; body: unknown }> {
    const { url, init } = request(endpoint.method, endpoint.path, callOptions)
    const response = await send(endpoint, { url, init }, input as Record<string, unknown>, callOptions, signal)
    options.cookieJar?.accept(response.headers)
    const text = await response.text()
    try {
      return { status: response.status, body: JSON.parse(text) }
    } catch (cause) {
      throw new TransportError('unreadable', `the server answered ${response.status} without an envelope`, cause)
    }
  }

  async function exchangeInTime(endpoint: Endpoint, input: object, callOptions: CallOptions): Promise<{ status: number; body: unknown }> {
    const timeoutMs = endpoint.timeoutMs ?? DEFAULT_TIMEOUT_MS
    const stop = new AbortController()
    let late = false
    const cancel = options.timer.after(timeoutMs, () => {
      late = true
      stop.abort()
    })
    const signal = callOptions.signal ? AbortSignal.any([stop.signal, callOptions.signal]) : stop.signal
    try {
      return await exchange(endpoint, input, callOptions, signal)
    } catch (cause) {
      if (late) throw new TransportError('timeout', `no answer within ${timeoutMs} ms`, cause)
      if (callOptions.signal?.aborted) throw callOptions.signal.reason
      // A refused connection and a lost answer look the same to a page: both are a TypeError of fetch.
      throw cause instanceof TypeError ? new TransportError('network', 'the server could not be reached', cause) : cause
    } finally {
      cancel()
    }
  }

  async function call<E extends Endpoint>(endpoint: E, input: CallInput<E>, callOptions: CallOptions = {}): Promise<OutputOf<E>> {
    if (!endpoint?.path) throw new Error(INCOMPLETE.url[options.headers().language])
    if (!endpoint.method) throw new Error(INCOMPLETE.method[options.headers().language])
    const { status, body } = await exchangeInTime(endpoint, input, callOptions)
    const read = envelopeSchema.safeParse(body)
    if (!read.success) throw new TransportError('unreadable', `the server answered ${status} without an envelope`)
    const envelope: Envelope = read.data
    // The server writes "no data" as the text "{}".
    const data = envelope.data === '{}' ? null : envelope.data
    if (envelope.code !== SUCCESS_CODE) {
      const error = new CallError(envelope.code, envelope.msg, data, status)
      options.onRefusal?.(error, callOptions.shows?.(error) ?? false)
      throw error
    }
    const reply = endpoint.output.safeParse(data)
    if (!reply.success) throw new TransportError('unreadable', `the answer of ${endpoint.path} does not have the agreed shape`, reply.error)
    return reply.data as OutputOf<E>
  }

  return { call, request }
}
