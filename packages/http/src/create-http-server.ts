import { Readable } from 'node:stream'
import { AppError, type Endpoint, errorEnvelope, MAX_FORM_BYTES, type OpenApiDocument, takesFile } from '@holdfast/contract'
import type { Ports } from '@holdfast/ports'
import { addressRanges, clientAddress } from '@holdfast/ports/address-ranges'
import { boundConnections } from '@holdfast/ports/bound-connections'
import type { BucketLimits } from '@holdfast/ports/token-buckets'
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type InjectOptions,
  type LightMyRequestResponse,
} from 'fastify'
import { answerCall, type CallServices, DEFAULT_WORK_LIMIT_MS, type IncomingCall, languageOf, withinTime } from './answer-call.ts'
import { readOrigin } from './check-origin.ts'
import { createEventHub, type EventHub } from './event-hub.ts'
import type { HandledEndpoint } from './handle.ts'
import type { RequestLog } from './request-log.ts'
import { KeptAnswers } from './kept/kept-answers.ts'
import { createAddressLimits, createRateLimits } from './rate-limits.ts'
import { securityHeaders } from './security-headers.ts'
import { type Door, serveDoor } from './door/serve-door.ts'
import { serveConsole } from './serve-console.ts'
import { eventsEndpoint, serveEvents } from './serve-events.ts'
import { serveWire, type WireDoor } from './door/serve-wire.ts'
import { serveReports, type ViolationLine } from './serve-reports.ts'
import type { SessionAuthority } from './session.ts'
import { loadStaticFiles, type StaticFiles } from './static-files.ts'

export type HttpServerOptions = {
  ports: Ports
  endpoints: readonly HandledEndpoint[]
  sessions: SessionAuthority
  /** The console's one origin, such as https://console.example. If absent, http://localhost with the port of `listen`. */
  origin?: string
  /** The folder of the built console (its index.html); no pages if absent. */
  consoleFolder?: string
  log?: RequestLog
  /** Writes what browsers blocked on a page; at most one line a second in the long run. */
  violations?: (line: ViolationLine) => void
  /** The refusal that an error of lower layers maps to, such as `busy`; any other error is answered as `system_error`. */
  refusalOf?: CallServices['refusalOf']
  /** Addresses of reverse proxies whose X-Forwarded-For is believed. */
  trustedProxies?: readonly string[]
  /** How long a peer may take to send headers and a whole request, and how many connections there may be. */
  limits?: Partial<typeof LIMITS>
  rateLimits?: { perIp?: BucketLimits; perSession?: BucketLimits }
  /** What /healthz answers to everybody; it throws if the server cannot work. */
  health?: () => Promise<Record<string, unknown>>
  /** What programs call with keys of their own; nothing if absent. */
  door?: Door
  /** What programs call that speak the wire of the field's SDKs; nothing if absent. */
  wire?: WireDoor
  /** What /openapi.json answers; nothing if absent. It must describe exactly the calls that are served. */
  document?: Pick<OpenApiDocument, 'paths'>
}

export type HttpServer = {
  /** Opens the port (0: any free one). */
  listen(port: number, host?: string): Promise<{ port: number; origin: string }>
  origin(): string
  /** Hints to open pages. */
  events: EventHub
  /** All endpoints served, for the tests generated from them. */
  endpoints: readonly Endpoint[]
  /** A request without a network, for tests. */
  inject(request: InjectOptions): Promise<LightMyRequestResponse>
  close(): Promise<void>
}

const PER_IP: BucketLimits = { burst: 1000, perSecond: 200 }
const PER_SESSION: BucketLimits = { burst: 300, perSecond: 60 }
const LIMITS = { headWithinMs: 8_000, requestWithinMs: 10_000, fileWithinMs: 60_000, connectionsMax: 4096, connectionsPerAddressMax: 512 }

function assertServable(endpoints: readonly HandledEndpoint[]): void {
  const seen = new Set<string>([`GET ${eventsEndpoint.path}`])
  for (const { endpoint, handler } of endpoints) {
    const name = `${endpoint.method} ${endpoint.path}`
    // defineEndpoint has checked this; an object that did not come from there is unchecked.
    if (!Object.isFrozen(endpoint) || !endpoint.permission) throw new Error(`${name} was not made by defineEndpoint, or has no permission`)
    if (typeof handler !== 'function') throw new Error(`${name} has no handler`)
    if (seen.has(name)) throw new Error(`${name} is registered twice`)
    seen.add(name)
  }
}

const hostsOf = (rawHeaders: readonly string[]): number => rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host').length

/** Reads a request's facts; its address is the one that a trusted proxy names, if any. */
function readerOf(trustedProxies: readonly string[]): (request: FastifyRequest) => IncomingCall {
  const proxies = addressRanges(trustedProxies)
  return (request) => {
    const forwarded = request.headers['x-forwarded-for']
    return incomingOf(request, clientAddress(request.socket.remoteAddress ?? '', Array.isArray(forwarded) ? forwarded.join() : forwarded, proxies))
  }
}

function incomingOf(request: FastifyRequest, ip: string): IncomingCall {
  const [path = '', query = ''] = request.url.split(/\?(.*)/s, 2)
  const { body } = request
  const carried = body instanceof Readable ? { body: undefined, parts: body } : { body: body instanceof Uint8Array ? body : undefined }
  return { method: request.method, path, query, headers: request.headers, ...carried, ip, requestId: request.id }
}

/** The refusals of the framework itself (too large, wrong content type, bad address) in the words of the catalogue. */
function frameworkRefusal(error: FastifyError, requestId: string): AppError {
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new AppError('body_too_large', { details: { limit: MAX_FORM_BYTES } })
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new AppError('unsupported_content')
  if (error.statusCode !== undefined && error.statusCode < 500) {
    return new AppError('invalid_parameters', { cause: error, details: { field: 'form', reason: 'it is not in the expected form' } })
  }
  return new AppError('system_error', { cause: error, details: { request_id: requestId } })
}

function createApp(options: HttpServerOptions, origin: () => string, read: (request: FastifyRequest) => IncomingCall): FastifyInstance {
  const { ports } = options
  const limits = { ...LIMITS, ...options.limits }
  const send = (error: AppError, request: FastifyRequest, reply: FastifyReply) => {
    const headers = { ...securityHeaders(origin()), 'cache-control': 'no-store' }
    void reply
      .code(error.httpStatus)
      .headers(headers)
      .send(errorEnvelope(error, languageOf(request.headers)))
  }

  const app = Fastify({
    logger: false,
    bodyLimit: MAX_FORM_BYTES,
    requestTimeout: Math.max(limits.requestWithinMs, limits.fileWithinMs),
    // Node looks for late requests every half a minute by default.
    http: { headersTimeout: limits.headWithinMs, connectionsCheckingInterval: Math.min(1000, Math.ceil(limits.headWithinMs / 4)) },
    keepAliveTimeout: 65_000,
    forceCloseConnections: true,
    // HEAD is answered only for paths without effect that monitoring asks for.
    exposeHeadRoutes: false,
    genReqId: () => Buffer.from(ports.random.bytes(9)).toString('base64url'),
    // Our own strict parser reads the query from the raw text.
    routerOptions: { querystringParser: () => ({}), maxParamLength: 2000 },
    frameworkErrors: (error, request, reply) => send(frameworkRefusal(error as FastifyError, request.id), request, reply),
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'buffer' }, (_, body, done) => done(null, body))
  // A form in parts is read where the caller is known to be allowed, and not before.
  app.addContentTypeParser('multipart/form-data', (_, body, done) => done(null, body))
  endSlowBodies(app, ports, limits)
  boundConnections(app.server, { ...limits, trustedProxies: options.trustedProxies ?? [] })
  app.addHook('onRequest', async (request, reply) => {
    void reply.headers({ ...securityHeaders(origin()), 'x-request-id': request.id })
    // Node keeps the first of two hosts; a proxy before us may have used the other one.
    if (hostsOf(request.raw.rawHeaders) > 1) return reply.code(400).type('text/plain').send('Name one host.')
    return undefined
  })
  app.setErrorHandler((error, request, reply) => {
    const refusal = frameworkRefusal(error as FastifyError, request.id)
    const { requestId, ip, method, path } = read(request)
    options.log?.({
      atMs: ports.clock.nowMs(),
      requestId,
      ip,
      method,
      path,
      httpStatus: refusal.httpStatus,
      code: refusal.code,
      errorName: refusal.errorName,
      durationMs: 0,
      cause: error,
    })
    send(refusal, request, reply)
  })
  app.setNotFoundHandler((request, reply) => {
    if (/^\/(api|open)(\/|$)/.test(request.url)) return send(new AppError('no_such_call'), request, reply)
    return void reply.code(404).type('text/plain').send('not found')
  })
  return app
}

/** Ends the connection of who sends a body too slowly. Node has one time for all requests, and a file may take longer than a form. */
function endSlowBodies(app: FastifyInstance, { timer }: Ports, { requestWithinMs, fileWithinMs }: typeof LIMITS): void {
  app.addHook('onRequest', async (request, reply) => {
    if (request.method !== 'POST') return
    const { config } = request.routeOptions as { config?: { takesFile?: boolean } }
    const cancel = timer.after(config?.takesFile ? fileWithinMs : requestWithinMs, () => {
      if (!request.raw.complete) request.raw.socket.destroy()
    })
    // A call may be answered before its body has come, and the rest of it must not take for ever either.
    reply.raw.once('close', () => {
      if (request.raw.complete !== false) cancel()
    })
  })
}

function serveCalls(app: FastifyInstance, services: CallServices, { endpoints }: HttpServerOptions, read: (request: FastifyRequest) => IncomingCall): void {
  for (const handled of endpoints) {
    const { method, path: url, maxBodyBytes } = handled.endpoint
    app.route({
      method,
      url,
      ...(maxBodyBytes ? { bodyLimit: maxBodyBytes } : {}),
      config: { takesFile: takesFile(handled.endpoint) },
      handler: async (request, reply) => {
        const { httpStatus, body, setCookies } = await answerCall(services, handled, read(request))
        void reply.code(httpStatus).header('cache-control', 'no-store')
        if (setCookies.length > 0) void reply.header('set-cookie', setCookies)
        if (Buffer.isBuffer(body)) void reply.type('application/json; charset=utf-8')
        return reply.send(body)
      },
    })
  }
}

/** A document that names other calls than are served would mislead people who build on it. */
function assertDescribed(endpoints: readonly Pick<HandledEndpoint, 'endpoint'>[], { paths }: Pick<OpenApiDocument, 'paths'>): void {
  const described = Object.entries(paths).flatMap(([path, operations]) => Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`))
  const served = endpoints.map(({ endpoint: { method, path } }) => `${method} ${path}`)
  const differs = described.find((name) => !served.includes(name)) ?? served.find((name) => !described.includes(name))
  if (differs !== undefined) throw new Error(`${differs} is described and not served, or the other way round: write the document anew with npm run openapi`)
}

function servePlain(app: FastifyInstance, options: HttpServerOptions): void {
  if (options.document) {
    const document = JSON.stringify(options.document)
    app.get('/openapi.json', (_, reply) => reply.type('application/json').header('cache-control', 'no-cache').send(document))
  }
  app.get('/healthz', { exposeHeadRoute: true }, async (_, reply) => {
    // A server whose database does not answer cannot work either, and whoever asks must not wait for it.
    const health = await withinTime(options.ports, options.health?.() ?? Promise.resolve({}), DEFAULT_WORK_LIMIT_MS).catch(() => undefined)
    return reply
      .code(health ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: health ? 'ok' : 'unavailable', ...health })
  })
}

/**
 * The HTTP server: the calls of the interface under one set of checks, the event stream, the built console, /openapi.json and /healthz.
 * It throws for an endpoint that has no permission, and for an origin on which the session cookie cannot be safe.
 */
export async function createHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  assertServable(options.endpoints)
  if (options.document) assertDescribed(options.endpoints, options.document)
  if (options.door) assertDescribed(options.door.endpoints, options.door.document)
  let origin = options.origin === undefined ? undefined : readOrigin(options.origin)
  const originNow = () => {
    if (origin === undefined) throw new Error('the origin is known only after listen')
    return origin
  }
  const { ports } = options
  const services: CallServices = {
    ports,
    origin: originNow,
    sessions: options.sessions,
    perIp: createAddressLimits(ports.clock, options.rateLimits?.perIp ?? PER_IP),
    perSession: createRateLimits(ports.clock, options.rateLimits?.perSession ?? PER_SESSION),
    log: options.log ?? (() => undefined),
    kept: new KeptAnswers(),
    refusalOf: options.refusalOf ?? (() => undefined),
  }
  const files: StaticFiles = options.consoleFolder === undefined ? new Map() : await loadStaticFiles(ports.disk, options.consoleFolder)
  const events = createEventHub(ports, options.sessions)
  const read = readerOf(options.trustedProxies ?? [])
  const app = createApp(options, originNow, read)
  serveCalls(app, services, options, read)
  if (options.door) serveDoor(app, services, options.door, read)
  if (options.wire) serveWire(app, services, options.wire, read)
  serveEvents(app, services, events, read)
  servePlain(app, options)
  serveReports(app, ports.clock, read, options.violations ?? (() => undefined))
  serveConsole(app, files, originNow)
  return {
    origin: originNow,
    events,
    endpoints: options.endpoints.map(({ endpoint }) => endpoint),
    inject: (request) => app.inject(request),
    listen: async (port, host = '127.0.0.1') => {
      await app.listen({ port, host })
      const address = app.server.address()
      const boundPort = typeof address === 'object' && address !== null ? address.port : port
      origin ??= `http://localhost:${boundPort}`
      return { port: boundPort, origin }
    },
    close: async () => {
      events.close()
      await app.close()
    },
  }
}
