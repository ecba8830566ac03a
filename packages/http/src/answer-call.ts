import {
  AppError,
  type Endpoint,
  type Envelope,
  errorEnvelope,
  isMutating,
  type Language,
  MAX_FORM_BYTES,
  parseForm,
  readInput,
  SUCCESS_CODE,
  successEnvelope,
  takesFile,
  XSRF_HEADER,
} from '@holdfast/contract'
import type { Ports } from '@holdfast/ports'
import { checkOrigin } from './check-origin.ts'
import { clearedCookies, deviceCookie, deviceTokenOf, hasSessionCookie, sessionCookie, sessionTokenOf, xsrfCookie } from './cookies.ts'
import type { HandledEndpoint } from './handle.ts'
import type { Again, KeptAnswers } from './kept/kept-answers.ts'
import type { RateLimits } from './rate-limits.ts'
import type { RequestLog } from './request-log.ts'
import { readParts } from './upload/read-parts.ts'
import type { MemberContext, PublicContext, RequestContext, Session, SessionAuthority } from './session.ts'
import { isOpenTokenOf, isXsrfTokenOf, newSessionToken, newXsrfToken, openTokenOf, sessionHashOf } from './session-tokens.ts'

export const DEFAULT_WORK_LIMIT_MS = 10_000

/** A request as the server's framework hands it over, without the framework. */
export type IncomingCall = {
  method: string
  path: string
  /** The query without "?". */
  query: string
  headers: Record<string, string | string[] | undefined>
  body: Uint8Array | undefined
  /** The body of a form in parts, which is read after the caller has passed every check. */
  parts?: AsyncIterable<Uint8Array>
  ip: string
  requestId: string
}

/** `body` is the bytes of an envelope as JSON where it is kept. */
export type CallAnswer = { httpStatus: number; code: string; body: Envelope | Buffer; setCookies: readonly string[] }

export type CallServices = {
  ports: Ports
  origin: () => string
  sessions: SessionAuthority
  perIp: RateLimits
  perSession: RateLimits
  log: RequestLog
  kept: KeptAnswers
  /** The refusal that an error of a lower layer maps to, if any. */
  refusalOf: (cause: unknown) => AppError | undefined
}

/** Who calls, after all checks that do not depend on the input. */
export type Caller = { token: string; tokenHash: Uint8Array; isNewBrowser: boolean; session: Session | undefined }

export function oneHeader(headers: IncomingCall['headers'], name: string): string | undefined {
  const value = headers[name.toLowerCase()]
  return typeof value === 'string' ? value : undefined
}

/** The language of a call: its header, else the `lan` cookie, else English. */
export function languageOf(headers: IncomingCall['headers']): Language {
  const asked = oneHeader(headers, 'language') ?? /(?:^|;\s*)lan=(\w+)/.exec(oneHeader(headers, 'cookie') ?? '')?.[1] ?? ''
  return asked.replace('-', '_') === 'zh_CN' ? 'zh_CN' : 'en_US'
}

/** A caller known by its browser only, not yet as a person. */
type Unknown = { token: string; tokenHash: Uint8Array; isNewBrowser: boolean; isActive: boolean; hasOpenToken(session: Session): boolean }

/**
 * Every check before the session is looked up, in this order: origin, rate of the address, a session's cookie, XSRF token. Deny by default: a call that no
 * rule allows is refused. Throws AppError.
 */
function admitBrowser(services: CallServices, endpoint: Endpoint, call: IncomingCall): Unknown {
  checkOrigin(services.origin(), call.method, call.headers)
  services.perIp.demand(call.ip)
  const cookies = oneHeader(call.headers, 'cookie')
  const token = sessionTokenOf(cookies)
  // A browser that signed out in another page no longer has a cookie: there is no session to misuse, and its page learns that it is signed out.
  if (!hasSessionCookie(cookies) && endpoint.permission !== 'public') throw new AppError('signed_out')
  if (!endpoint.bootstrap && (token === undefined || !isXsrfTokenOf(token, oneHeader(call.headers, XSRF_HEADER)))) {
    throw new AppError('request_refused', { cause: new Error('no XSRF token of this session') })
  }
  const isActive = oneHeader(call.headers, 'x-background') === undefined
  const isNewBrowser = token === undefined
  const own = token ?? newSessionToken(services.ports.random)
  const hasOpenToken = (session: Session) => !isNewBrowser && isOpenTokenOf(own, session.epoch, oneHeader(call.headers, 'opentoken'))
  return { token: own, tokenHash: sessionHashOf(own), isNewBrowser, isActive, hasOpenToken }
}

/** Every check that needs the session, not the input: rate of the session, permission, open token. `who` gets the session, even if the call is refused. */
function admitSession(services: CallServices, endpoint: Endpoint, browser: Unknown, session: Session | undefined, who: { session?: Session }): Caller {
  const { token, tokenHash, isNewBrowser } = browser
  if (session) who.session = session
  if (session) services.perSession.demand(session.id)
  if (endpoint.permission === 'public') {
    // The cookie alone never gives a changing call a session.
    const counts = session !== undefined && (!isMutating(endpoint) || browser.hasOpenToken(session))
    return { token, tokenHash, isNewBrowser, session: counts ? session : undefined }
  }
  if (!session) throw new AppError('signed_out')
  if (endpoint.permission !== 'member' && !session.permissions.has(endpoint.permission)) {
    throw new AppError('not_permitted', { details: { permission: endpoint.permission } })
  }
  if (isMutating(endpoint) && !browser.hasOpenToken(session)) throw new AppError('open_token_stale')
  return { token, tokenHash, isNewBrowser, session }
}

/**
 * Runs `act` for a caller who has passed every check that does not depend on the input. A call that only reads may begin before the session is confirmed and
 * is answered after it (`SessionAuthority.reading`), so it may run twice; or not at all, where its answer is kept in `memory`. Throws AppError.
 */
export async function asCaller<T>(
  services: CallServices,
  endpoint: Endpoint,
  call: IncomingCall,
  who: { session?: Session },
  act: (caller: Caller) => Promise<T>,
  memory?: Omit<Again<T>, 'admit'>,
): Promise<T> {
  const { sessions } = services
  const browser = admitBrowser(services, endpoint, call)
  const admit = (session: Session | undefined) => admitSession(services, endpoint, browser, session, who)
  const run = async (session: Session | undefined) => act(admit(session))
  if (browser.isNewBrowser) return run(undefined)
  const { tokenHash, isActive } = browser
  if (endpoint.permission !== 'public' && !isMutating(endpoint)) return sessions.reading(tokenHash, isActive, run, memory && { ...memory, admit })
  return run(await sessions.resolve(tokenHash, isActive))
}

/** Where the answers to a call are kept, if they are (`keptForMs`). */
function memoryOf({ kept, ports }: CallServices, endpoint: Endpoint, call: IncomingCall): Omit<Again<Buffer>, 'admit'> | undefined {
  const { keptForMs, method } = endpoint
  if (keptForMs === undefined) return undefined
  // All that a handler of such a call may go by, beside the database and the clock.
  const asked = [method, call.path, call.query, languageOf(call.headers), timezoneOf(call.headers)]
  const keyFor = ({ orgId, personId, role, epoch }: Session) => JSON.stringify([orgId, personId, role, epoch, ...asked])
  const latestMs = ports.clock.nowMs() + keptForMs
  return {
    find: (session, nowMs) => {
      const found = kept.find(keyFor(session), nowMs)
      // After a clock was set back, nothing that was kept is said to be young.
      return found && found.untilMs <= nowMs + keptForMs ? found : undefined
    },
    keep: (session, answer) => kept.keep(keyFor(session), { ...answer, untilMs: Math.min(answer.untilMs, latestMs) }),
  }
}

const timezoneOf = (headers: IncomingCall['headers']): string => /^[A-Za-z0-9_+\-/]{1,64}$/.exec(oneHeader(headers, 'timezone') ?? '')?.[0] ?? 'UTC'

function contextOf(services: CallServices, call: IncomingCall, caller: Caller, setCookies: string[]): PublicContext {
  const { ports } = services
  const { session, token, tokenHash } = caller
  const deviceToken = deviceTokenOf(oneHeader(call.headers, 'cookie'))
  const facts: RequestContext = {
    ports,
    requestId: call.requestId,
    ip: call.ip,
    userAgent: (oneHeader(call.headers, 'user-agent') ?? '').slice(0, 300),
    timezone: timezoneOf(call.headers),
    language: languageOf(call.headers),
    origin: services.origin(),
    browserHash: tokenHash,
  }
  return {
    ...facts,
    ...(session ? { session, orgId: session.orgId, personId: session.personId } : {}),
    // Few calls return it.
    get openToken() {
      return session && openTokenOf(token, session.epoch)
    },
    signIn: (newToken, epoch) => {
      setCookies.splice(0, setCookies.length, sessionCookie(newToken), xsrfCookie(newXsrfToken(newToken, ports.random)))
      return openTokenOf(newToken, epoch)
    },
    ...(deviceToken === undefined ? {} : { deviceToken }),
    rememberDevice: (known) => void setCookies.push(deviceCookie(known)),
    signOut: () => void setCookies.splice(0, setCookies.length, ...clearedCookies()),
  }
}

export function withinTime<T>(ports: Ports, work: Promise<T>, limitMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = ports.timer.after(limitMs, () => reject(new AppError('answer_late')))
    work.then(resolve, reject).finally(cancel)
  })
}

/** The reply as it is sent: exactly the endpoint's shape. Throws (a fault of the server) if the handler returned something else. */
export function checkedReply(endpoint: Endpoint, reply: unknown): unknown {
  const checked = endpoint.output.safeParse(reply ?? null)
  if (!checked.success) throw new Error(`the reply of ${endpoint.method} ${endpoint.path} does not fit its shape: ${checked.error.message}`)
  return checked.data
}

/** What a caller learns of anything that was thrown. */
export function toAppError({ refusalOf }: Pick<CallServices, 'refusalOf'>, error: unknown, requestId: string): AppError {
  if (error instanceof AppError && error.errorName !== 'system_error') return error
  return refusalOf(error) ?? new AppError('system_error', { cause: error, details: { request_id: requestId } })
}

/** The fields of a call. Throws AppError. */
export async function formOf(endpoint: Endpoint, call: IncomingCall): Promise<Record<string, unknown>> {
  if (call.parts) {
    if (!takesFile(endpoint)) throw new AppError('unsupported_content')
    return readParts(call.parts, oneHeader(call.headers, 'content-type') ?? '', endpoint.maxBodyBytes ?? MAX_FORM_BYTES)
  }
  // The form is ASCII by definition; latin1 keeps every other byte as a character that the parser refuses.
  const text = endpoint.method === 'GET' ? call.query : Buffer.from(call.body ?? []).toString('latin1')
  return parseForm(text, endpoint.maxBodyBytes)
}

/** The envelope of a call that went well. Throws AppError. */
async function work(
  services: CallServices,
  { endpoint, handler }: HandledEndpoint,
  call: IncomingCall,
  setCookies: string[],
  who: { session?: Session },
): Promise<Envelope | Buffer> {
  const act = async (caller: Caller) => {
    if (endpoint.bootstrap) {
      if (caller.isNewBrowser) setCookies.push(sessionCookie(caller.token))
      setCookies.push(xsrfCookie(newXsrfToken(caller.token, services.ports.random)))
    }
    const input = readInput(endpoint, await formOf(endpoint, call))
    const context = contextOf(services, call, caller, setCookies)
    // Everybody without a session was refused before unless the endpoint is public, and there the handler's type knows it.
    return withinTime(services.ports, handler(context as MemberContext, input as never), endpoint.timeoutMs ?? DEFAULT_WORK_LIMIT_MS)
  }
  const envelopeOf = (reply: unknown) => successEnvelope(checkedReply(endpoint, reply))
  const memory = memoryOf(services, endpoint, call)
  if (memory) return asCaller<Buffer>(services, endpoint, call, who, async (caller) => Buffer.from(JSON.stringify(envelopeOf(await act(caller)))), memory)
  return envelopeOf(await asCaller(services, endpoint, call, who, act))
}

/** What the log says of who called what. */
export function logged({ requestId, ip, method, path }: IncomingCall, session: Session | undefined) {
  return { requestId, ip, method, path, ...(session ? { orgId: session.orgId, personId: session.personId, sessionId: session.id } : {}) }
}

/** Answers one call of the interface with an envelope. Never throws: an error that maps to no refusal becomes `system_error` and a line in the log. */
export async function answerCall(services: CallServices, handled: HandledEndpoint, call: IncomingCall): Promise<CallAnswer> {
  const { clock } = services.ports
  const startedMs = clock.monotonicMs()
  const setCookies: string[] = []
  const who: { session?: Session } = {}
  let answer: CallAnswer
  let refused: AppError | undefined
  try {
    answer = { httpStatus: 200, code: SUCCESS_CODE, body: await work(services, handled, call, setCookies, who), setCookies }
  } catch (thrown) {
    refused = toAppError(services, thrown, call.requestId)
    answer = { httpStatus: refused.httpStatus, code: refused.code, body: errorEnvelope(refused, languageOf(call.headers)), setCookies }
  }
  services.log({
    ...logged(call, who.session),
    atMs: clock.nowMs(),
    httpStatus: answer.httpStatus,
    code: answer.code,
    durationMs: Math.round(clock.monotonicMs() - startedMs),
    ...(refused ? { errorName: refused.errorName } : {}),
    ...(refused?.cause === undefined ? {} : { cause: refused.cause }),
  })
  return answer
}
