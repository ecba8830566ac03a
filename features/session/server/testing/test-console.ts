import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import type { TestContext } from 'node:test'
import { CallError, type Client, createClient, createCookieJar } from '@holdfast/contract'
import { type ErrorName, errorNameOf } from '@holdfast/features/error-catalogue'
import { type Database, type Role } from '@holdfast/db'
import { createHttpServer, type HandledEndpoint, type HttpServer, type RequestLogEntry } from '@holdfast/http'
import type { Ports } from '@holdfast/ports'
import { nodePorts } from '@holdfast/ports/node'
import { newId } from '@holdfast/units'
import { Secret, TOTP } from 'otpauth'
import { openTestDatabase } from '../../../../packages/db/src/testing/test-database.ts'
import * as calls from '../../contract.ts'
import { deviceMessage } from '../../device-message.ts'
import { createInvite, createSessionFeature, type SessionOptions, type SignInEvent } from '../index.ts'

/** A whole server on a real database and a real port, with a clock that tests move, and terminals that behave as the console does. */
export type TestConsole = {
  db: Database
  server: HttpServer
  origin: string
  feature: ReturnType<typeof createSessionFeature>
  events: SignInEvent[]
  log: RequestLogEntry[]
  /** Moves the server's clock. */
  pass(ms: number): void
  nowMs(): number
  addOrganisation(name?: string): Promise<string>
  addPerson(orgId: string, login: string, role?: Role): Promise<{ orgId: string; personId: string; invite: string }>
  terminal(): Terminal
}

export type Terminal = ReturnType<typeof createTerminal>

export async function startTestConsole(context: TestContext, change: Partial<SessionOptions> & { endpoints?: HandledEndpoint[] } = {}): Promise<TestConsole> {
  const db = await openTestDatabase()
  let offsetMs = 0
  const nowMs = () => nodePorts.clock.nowMs() + offsetMs
  const ports: Ports = { ...nodePorts, clock: { nowMs, monotonicMs: () => nodePorts.clock.monotonicMs() + offsetMs } }
  const events: SignInEvent[] = []
  const log: RequestLogEntry[] = []
  const plenty = { burst: 1e9, perSecond: 1e9 }
  const pages: { http?: HttpServer } = {}
  const feature = createSessionFeature({
    ports,
    db,
    secretKeys: [new Uint8Array(32).fill(7)],
    demo: true,
    limits: { perIp: plenty },
    onSessionEnd: (id) => pages.http?.events.endSession(id),
    recordSignIn: async (_, event) => void events.push(event),
    ...change,
  })
  const server = await createHttpServer({
    ports,
    endpoints: [...feature.endpoints, ...(change.endpoints ?? [])],
    sessions: feature.authority,
    log: (entry) => void log.push(entry),
    rateLimits: { perIp: plenty, perSession: plenty },
  })
  pages.http = server
  const { origin } = await server.listen(0)
  context.after(async () => {
    await server.close()
    await db.close()
  })

  async function addOrganisation(name = 'Harbour'): Promise<string> {
    const id = newId(nowMs(), nodePorts.random)
    await db.asSystem((tx) =>
      tx
        .insertInto('organisation')
        .values({ id, name, state: 'active', genesis_hash: nodePorts.random.bytes(32), created_at: nowMs() })
        .execute(),
    )
    return id
  }

  async function addPerson(orgId: string, login: string, role: Role = 'admin') {
    const personId = newId(nowMs(), nodePorts.random)
    const invite = await db.asSystem(async (tx) => {
      await tx
        .insertInto('person')
        .values({
          org_id: orgId,
          id: personId,
          name: login.split('@')[0] ?? login,
          login,
          role,
          state: 'invited',
          language: 'en-US',
          failed_logins: 0,
          created_at: nowMs(),
          updated_at: nowMs(),
        })
        .execute()
      return (await createInvite(tx, ports, { orgId, personId })).token
    })
    return { orgId, personId, invite }
  }

  return {
    db,
    server,
    origin,
    feature,
    events,
    log,
    pass: (ms) => void (offsetMs += ms),
    nowMs,
    addOrganisation,
    addPerson,
    terminal: () => createTerminal(origin, nowMs),
  }
}

function createTerminal(origin: string, nowMs: () => number) {
  const cookieJar = createCookieJar()
  let openToken: string | undefined
  const client: Client = createClient({
    baseUrl: origin,
    fetch: nodePorts.fetch,
    timer: { after: () => () => undefined },
    cookieJar,
    headers: () => ({ language: 'en_US', timezone: 'UTC', openToken }),
  })
  const enter = <T extends { open_token: string }>(signedIn: T): T => {
    openToken = signedIn.open_token
    return signedIn
  }
  const state = async () => {
    const answer = await client.call(calls.getState, {})
    openToken = answer.session?.open_token ?? openToken
    return answer
  }
  return {
    cookieJar,
    call: client.call,
    client,
    state,
    enter,
    setOpenToken: (token: string | undefined) => void (openToken = token),
    codeFor: (secret: string, stepsAway = 0) => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: nowMs() + stepsAway * 30_000 }),
    async registerPassword(invite: string | undefined, password: string) {
      await state()
      const options = await client.call(calls.passwordRegisterOptions, { invite })
      const code = new TOTP({ secret: Secret.fromBase32(options.totp_secret) }).generate({ timestamp: nowMs() })
      enter(await client.call(calls.passwordRegister, { invite, challenge_id: options.challenge_id, password, google_code: code }))
      return options
    },
  }
}

/** A browser's own key. */
export function createDeviceKey(origin: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
  return {
    public_key: point.toString('base64url'),
    sign: (purpose: 'register' | 'login', challenge: string, at = origin) =>
      sign('sha256', deviceMessage(purpose, at, Buffer.from(challenge, 'base64url'), point), {
        key: privateKey,
        dsaEncoding: 'ieee-p1363',
      }).toString('base64url'),
  }
}

/** Registers a browser's key, by invitation or for whoever is signed in, and signs in. */
export async function registerDevice(terminal: Terminal, key: ReturnType<typeof createDeviceKey>, invite?: string) {
  await terminal.state()
  const { challenge_id: id, challenge } = await terminal.call(calls.deviceRegisterOptions, { invite })
  return terminal.enter(
    await terminal.call(calls.deviceRegister, {
      invite,
      challenge_id: id,
      public_key: key.public_key,
      signature: key.sign('register', challenge),
      label: 'This browser',
    }),
  )
}

/** For assert.rejects: the call was answered with this error. */
export function refusedAs(name: ErrorName): (error: unknown) => true {
  return (error) => {
    assert.ok(error instanceof CallError, String(error))
    assert.equal(errorNameOf(error.code), name)
    return true
  }
}

export const GOOD_PASSWORD = 'lantern gravel Tuesday mosaic'
