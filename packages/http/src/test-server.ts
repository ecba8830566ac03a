import { createClient, createCookieJar, defineEndpoint, idText, positiveAmountText } from '@holdfast/contract'
import type { Ports } from '@holdfast/ports'
import { nodePorts } from '@holdfast/ports/node'
import * as z from 'zod'
import { createHttpServer, type HttpServerOptions } from './create-http-server.ts'
import { handle } from './handle.ts'
import type { RequestLogEntry } from './request-log.ts'
import type { Session, SessionAuthority } from './session.ts'
import { newSessionToken, newXsrfToken, openTokenOf, sessionHashOf } from './session-tokens.ts'

/** A small product for this package's tests: a counter that stands for every effect, and sessions in memory. */
export const ORIGIN = 'http://localhost:7000'

const empty = z.object({})
export const calls = {
  state: defineEndpoint({
    method: 'GET',
    path: '/api/mpc/session/state',
    permission: 'public',
    bootstrap: true,
    summary: 'State.',
    input: empty,
    output: z.object({ open_token: z.string().optional() }),
  }),
  open: defineEndpoint({
    method: 'POST',
    path: '/api/mpc/open',
    permission: 'public',
    summary: 'A public change.',
    input: empty,
    output: z.object({ person: z.string().nullable() }),
  }),
  read: defineEndpoint({
    method: 'GET',
    path: '/api/mpc/read',
    permission: 'wallet.read',
    summary: 'Reads.',
    input: empty,
    output: z.object({ person: z.string() }),
  }),
  notify: defineEndpoint({
    method: 'GET',
    path: '/api/mpc/transaction/re_notify',
    permission: 'member',
    hasEffect: true,
    summary: 'A GET with an effect.',
    input: empty,
    output: z.null(),
  }),
  send: defineEndpoint({
    method: 'POST',
    path: '/api/mpc/send',
    permission: 'withdraw.create',
    summary: 'Changes.',
    input: z.object({ wallet_id: idText, amount: positiveAmountText }),
    output: z.object({ n: z.int() }),
  }),
  wrongReply: defineEndpoint({
    method: 'GET',
    path: '/api/mpc/wrong_reply',
    permission: 'member',
    summary: '',
    input: empty,
    output: z.object({ n: z.int() }),
  }),
  explode: defineEndpoint({ method: 'GET', path: '/api/mpc/explode', permission: 'member', summary: '', input: empty, output: z.null() }),
  late: defineEndpoint({ method: 'GET', path: '/api/mpc/late', permission: 'member', summary: '', input: empty, output: z.null(), timeoutMs: 20 }),
  big: defineEndpoint({
    method: 'POST',
    path: '/api/mpc/import',
    permission: 'public',
    summary: '',
    input: z.object({ text: z.string() }),
    output: z.int(),
    maxBodyBytes: 200_000,
  }),
  hand: defineEndpoint({
    method: 'POST',
    path: '/api/mpc/hand_in',
    permission: 'withdraw.create',
    summary: '',
    input: z.object({ wallet_id: idText, file: z.file().min(1).max(100_000) }),
    output: z.object({ name: z.string(), bytes: z.int() }),
    maxBodyBytes: 200_000,
  }),
}

export type TestPerson = { token: string; session: Session; openToken: string; xsrf: string }

/** A served product, its effects, its sessions and its log. */
export async function startTestServer(options: Partial<HttpServerOptions> & { ports?: Ports } = {}) {
  const ports = options.ports ?? nodePorts
  const sessions = new Map<string, Session>()
  const effects: string[] = []
  const log: RequestLogEntry[] = []
  const touches: boolean[] = []
  const resolve = async (hash: Uint8Array, touch: boolean) => {
    touches.push(touch)
    return sessions.get(Buffer.from(hash).toString('hex'))
  }
  const authority: SessionAuthority = {
    resolve,
    reading: async (hash, touch, act) => act(await resolve(hash, touch)),
    alive: async (ids) => new Set([...sessions.values()].map(({ id }) => id).filter((id) => ids.includes(id))),
  }

  function addPerson(name: string, permissions: readonly string[] = ['wallet.read', 'withdraw.create'], orgId = 'org-1'): TestPerson {
    const token = newSessionToken(ports.random)
    const session: Session = {
      id: `session-${name}-${sessions.size}`,
      orgId,
      personId: name,
      role: 'admin',
      permissions: new Set(permissions),
      epoch: '1',
      expiresAtMs: 9e15,
    }
    sessions.set(Buffer.from(sessionHashOf(token)).toString('hex'), session)
    return { token, session, openToken: openTokenOf(token, '1'), xsrf: newXsrfToken(token, ports.random) }
  }

  const server = await createHttpServer({
    ports,
    origin: ORIGIN,
    sessions: authority,
    log: (entry) => void log.push(entry),
    endpoints: [
      handle(calls.state, async ({ openToken }) => (openToken === undefined ? {} : { open_token: openToken })),
      handle(calls.open, async ({ session }) => {
        effects.push('open')
        return { person: session?.personId ?? null }
      }),
      handle(calls.read, async ({ personId }) => ({ person: personId, secret: 'not in the shape' })),
      handle(calls.notify, async () => {
        effects.push('notify')
        return null
      }),
      handle(calls.send, async (_, { amount }) => {
        effects.push(`send ${amount}`)
        return { n: effects.length }
      }),
      handle(calls.wrongReply, async () => ({ n: 'private detail' }) as never),
      handle(calls.explode, async () => {
        throw new Error('SELECT secret FROM vault')
      }),
      handle(calls.late, () => new Promise(() => undefined)),
      handle(calls.hand, async (_, { file }) => ({ name: file.name, bytes: (await file.bytes()).length })),
      handle(calls.big, async (_, { text }) => text.length),
    ],
    ...options,
  })

  /** The headers of a call from the console's page; null leaves a header out. */
  const headersOf = (person: TestPerson | undefined, change: Record<string, string | null> = {}): Record<string, string> => {
    const headers: Record<string, string | null> = {
      host: new URL(server.origin()).host,
      origin: server.origin(),
      'sec-fetch-site': 'same-origin',
      'sec-fetch-mode': 'cors',
      ...(person ? { cookie: `__Host-holdfast=${person.token}`, 'x-xsrf-token': person.xsrf, opentoken: person.openToken } : {}),
      ...change,
    }
    return Object.fromEntries(Object.entries(headers).filter((pair): pair is [string, string] => pair[1] !== null))
  }

  return { server, sessions, effects, log, touches, addPerson, headersOf }
}

/** A client with its own cookie jar, as a terminal has it. */
export function terminal(origin: string) {
  const cookieJar = createCookieJar()
  let openToken: string | undefined
  const client = createClient({
    baseUrl: origin,
    fetch: nodePorts.fetch,
    timer: nodePorts.timer,
    cookieJar,
    headers: () => ({ language: 'en_US', timezone: 'UTC', openToken }),
  })
  return { client, cookieJar, setOpenToken: (token: string | undefined) => void (openToken = token) }
}
