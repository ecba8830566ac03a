import { fileURLToPath } from 'node:url'
import { AppError, type OpenApiDocument } from '@holdfast/contract'
import { type Database, DatabaseAwayError, DatabaseBusyError, openDatabase } from '@holdfast/db'
import type { ServerContext, Settings } from '@holdfast/features/context'
import { listenForMachines } from '@holdfast/features/machine-link/server'
import { openNetworks } from '@holdfast/features/network/server'
import { openDoor, openWireDoor } from '@holdfast/features/open-api/server'
import { renewPlatformKeySeals } from '@holdfast/features/api-key/server'
import { renewWebhookSeals } from '@holdfast/features/notification/server'
import { currentPolicy, signersInForce } from '@holdfast/features/policy/server'
import { nameMissingDeciders } from '@holdfast/features/proposal/server'
import { renewPushSeals } from '@holdfast/features/push/server'
import type { ServerServices } from '@holdfast/features/server-feature'
import { createSealer, createSessionFeature, renewPasswordSeals, type Sealer, type SessionFeature } from '@holdfast/features/session/server'
import { listenForCoSigners } from '@holdfast/features/signer-link/server'
import { createHttpServer, createRefusalLog, type HttpServer } from '@holdfast/http'
import { relayOutbox, type Subscriber } from '@holdfast/jobs'
import { linkPublicKey } from '@holdfast/link'
import { openMailer } from '@holdfast/mail'
import type { Ports } from '@holdfast/ports'
import { answerPages } from './answer-pages.ts'
import { features, proposals } from './features.ts'
import { ConfigurationError, type ServerConfiguration } from './read-configuration.ts'
import { readNetwork } from './read-network.ts'
import { readSecret, readSecrets } from './read-secrets.ts'

/** What runs, and the public half of SERVER_IDENTITY, by which signers and co-signers know this server. */
export type RunningServer = { http: HttpServer; context: ServerContext; publicKey: Uint8Array; close(): Promise<void> }

type Report = (cause: unknown) => void

/** What the features are given, and how sessions are kept. */
type Parts = { context: ServerContext; services: ServerServices; session: SessionFeature }

const HOUR_MS = 3_600_000

/** Opens the database, the door for signers and the HTTP port, and starts the work that goes on without anybody asking. */
export async function startServer(ports: Ports, configuration: ServerConfiguration): Promise<RunningServer> {
  const report = reportTo(ports)
  const [secretKeys, linkKey] = await Promise.all([
    readSecrets(ports, 'SERVER_SECRET_FILE', configuration.SERVER_SECRET_FILE),
    readSecret(ports, 'SERVER_IDENTITY', configuration.SERVER_IDENTITY),
  ])
  const db = await openDatabase({ ports, url: configuration.DATABASE_URL, folder: configuration.SERVER_DATA, poolSize: 20, report })
  const door = await listenForCoSigners({
    ports,
    host: configuration.SERVER_LINK_HOST,
    port: configuration.SERVER_LINK_PORT,
    me: { secretKey: linkKey },
    signerKeys: configuration.SERVER_SIGNER_KEYS,
    named: await signersInForce({ db }),
    report,
  })
  const machines =
    configuration.SERVER_MACHINE_PORT === undefined
      ? undefined
      : await listenForMachines({
          ports,
          db,
          host: configuration.SERVER_MACHINE_HOST,
          port: configuration.SERVER_MACHINE_PORT,
          me: { secretKey: linkKey },
          report,
        })
  const networks = openNetworks(configuration.networks.map((each) => readNetwork(ports, db, each)))
  const context: ServerContext = { ports, db, networks, coSigners: door.coSigners, settings: settingsOf(configuration) }
  // The pages of a session that ends are told by the HTTP server, which is made after the sessions it needs.
  const pages: { http?: HttpServer } = {}
  const endSession = (id: string) => pages.http?.events.endSession(id)
  const demo = configuration.demoRecipients !== null
  const session = createSessionFeature({ ports, db, secretKeys, demo, onSessionEnd: endSession, countUnread: unreadIn(context) })
  const sealer = createSealer(secretKeys, ports.random)
  await renewSeals(ports, db, sealer)
  await nameMissingDeciders(context, proposals, report)
  const services: ServerServices = {
    session: { demandSecondFactorWhereSet: session.demandSecondFactorWhereSet, endSession },
    proposals,
    signersOf: async (tx) => (await currentPolicy(tx)).signers,
    sealer,
    localHosts: configuration.SERVER_NOTIFY_LOCAL_HOSTS,
    mailer: configuration.mailServer && openMailer(ports, configuration.mailServer),
    priceUrl: configuration.SERVER_PRICE_URL,
    energyMarketUrl: configuration.SERVER_ENERGY_MARKET_URL,
    report,
  }
  context.coSigners.onPage(answerPages(Object.assign({}, ...features.map((each) => each.pageCalls?.(context, services))), refusalOf, report))
  const work = features.flatMap((each) => each.work?.(context, services) ?? [])
  const { http, close } = await openHttp(configuration, { context, services, session })
  pages.http = http
  const pagesHear: Subscriber = async (_, events) => {
    for (const { orgId, topic, payload } of events) http.events.publish({ orgId, topic, data: payload })
  }
  const subscribers = [...features.flatMap((each) => each.subscribers?.(context) ?? []), pagesHear]
  const outbox = relayOutbox({ ports, db, subscribers, report })
  await http.listen(configuration.SERVER_PORT, configuration.SERVER_HOST)
  return {
    http,
    context,
    publicKey: linkPublicKey({ secretKey: linkKey }),
    close: async () => {
      await Promise.all(work.map((each) => each.stop()))
      await outbox.close()
      await close()
      await machines?.close()
      await door.close()
      await db.close()
    },
  }
}

function reportTo(ports: Pick<Ports, 'clock' | 'process'>): Report {
  return (cause) => {
    // Said once when it went away, and not by everything that needs it.
    if (cause instanceof DatabaseAwayError) return
    ports.process.printError(`${new Date(ports.clock.nowMs()).toISOString()} ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}`)
  }
}

function settingsOf(configuration: ServerConfiguration): Settings {
  return {
    consoleOrigin: configuration.SERVER_ORIGIN,
    approvalOrigin: configuration.SERVER_APPROVAL_ORIGIN,
    approvalRpId: new URL(configuration.SERVER_APPROVAL_ORIGIN).hostname,
    openSetup: configuration.SERVER_OPEN_SETUP,
    demoRecipients: configuration.demoRecipients,
    demoDrillUrl: configuration.SERVER_DEMO_DRILL_URL ?? null,
    recoveryTool:
      configuration.SERVER_RECOVERY_TOOL_URL && configuration.SERVER_RECOVERY_TOOL_SHA256
        ? { url: configuration.SERVER_RECOVERY_TOOL_URL, sha256: configuration.SERVER_RECOVERY_TOOL_SHA256 }
        : null,
    keyUpkeep: {
      checkEveryMs: configuration.SERVER_KEY_CHECK_HOURS * HOUR_MS,
      refreshAfterMs: configuration.SERVER_KEY_REFRESH_DAYS === 0 ? null : configuration.SERVER_KEY_REFRESH_DAYS * 24 * HOUR_MS,
      exportDelayMs: configuration.SERVER_KEY_EXPORT_HOURS * HOUR_MS,
    },
  }
}

/** Counts what waits for a person in all features. */
function unreadIn(context: ServerContext) {
  const count = async (of: 'todo' | 'notice', orgId: string, personId: string) => {
    let waiting = 0
    for (const { unread } of features) waiting += (await unread?.[of]?.(context, { orgId, personId, proposals })) ?? 0
    return waiting
  }
  return async (orgId: string, personId: string) => ({ todo: await count('todo', orgId, personId), notice: await count('notice', orgId, personId) })
}

/** The server for pages and calls, and what closes it and its log. It does not listen yet. */
async function openHttp(configuration: ServerConfiguration, { context, services, session }: Parts): Promise<{ http: HttpServer; close(): Promise<void> }> {
  const { ports, db, coSigners } = context
  const refusals = createRefusalLog(ports, (line) => ports.process.printError(JSON.stringify(line)))
  const endpoints = [...session.endpoints, ...features.flatMap((each) => each.endpoints?.(context, services) ?? [])]
  const document = await readDocument(ports, 'open-api.json')
  const http = await createHttpServer({
    ports,
    violations: (line) => ports.process.printError(JSON.stringify(line)),
    endpoints,
    door: openDoor(context, { proposals, handled: endpoints, document }),
    wire: openWireDoor(context, { handled: endpoints, sealer: services.sealer }),
    sessions: session.authority,
    origin: configuration.SERVER_ORIGIN,
    consoleFolder: configuration.SERVER_CONSOLE,
    document: await readDocument(ports, 'openapi.json'),
    trustedProxies: configuration.SERVER_TRUSTED_PROXIES ?? [],
    rateLimits: rateLimits(configuration.SERVER_RATE_PER_SESSION),
    health: async () => {
      await db.readSystem((tx) => tx.selectFrom('migration').select('name').limit(1).execute())
      return { signers: coSigners.online() }
    },
    refusalOf,
    log: (entry) => {
      if (entry.cause !== undefined && entry.httpStatus >= 500) services.report(entry.cause)
      refusals.log(entry)
    },
  })
  const close = async () => {
    await http.close()
    refusals.close()
  }
  return { http, close }
}

/** A document of the interface, which is written where its sources are changed and compared with them by a test. */
async function readDocument({ disk }: Pick<Ports, 'disk'>, name: 'openapi.json' | 'open-api.json'): Promise<OpenApiDocument> {
  const path = fileURLToPath(new URL(`../../../docs/${name}`, import.meta.url))
  const content = await disk.read(path)
  if (!content) throw new ConfigurationError(`${path} is missing: install this release whole`)
  return JSON.parse(new TextDecoder().decode(content)) as OpenApiDocument
}

/** What a database that others keep busy, or that is away, comes to for whoever asked. */
function refusalOf(cause: unknown): AppError | undefined {
  if (cause instanceof DatabaseBusyError) return new AppError('busy', { cause })
  return cause instanceof DatabaseAwayError ? new AppError('database_away', { cause }) : undefined
}

function rateLimits(perSecond: number) {
  const limits = { burst: perSecond * 5, perSecond }
  return { perSession: limits, perIp: { burst: perSecond * 20, perSecond: perSecond * 4 } }
}

/** After the key that seals secrets was replaced, nothing is left that needs the older one. */
async function renewSeals(ports: Pick<Ports, 'process'>, db: Database, sealer: Sealer): Promise<void> {
  const renewed = await db.asSystem(
    async (tx) =>
      (await renewPasswordSeals(tx, sealer)) +
      (await renewWebhookSeals(tx, sealer)) +
      (await renewPlatformKeySeals(tx, sealer)) +
      (await renewPushSeals(tx, sealer)),
  )
  if (renewed > 0)
    ports.process.print(`${renewed} sealed secrets were sealed anew with the first key of SERVER_SECRET_FILE; the others in it are not needed any more.`)
}
