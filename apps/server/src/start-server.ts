import { BRC20_DECIMALS, collectionAsset, readBrc20Asset } from '@holdfast/chain-core'
import { familyOf } from '@holdfast/chain-registry/codec'
import { openNode } from '@holdfast/chain-registry/node'
import { AppError } from '@holdfast/contract'
import { type Database, DatabaseAwayError, DatabaseBusyError, openDatabase } from '@holdfast/db'
import { fromHex } from '@holdfast/encoding'
import { addressBookEndpoints } from '@holdfast/features/address-book/server'
import { approvalPageEndpoints } from '@holdfast/features/approval-page/server'
import { approvalEndpoints, approvalPageCalls, countWaiting } from '@holdfast/features/approval/server'
import { listenForCoSigners } from '@holdfast/features/co-signer/server'
import type { ServerContext } from '@holdfast/features/context'
import { depositEndpoints, startDeposits } from '@holdfast/features/deposit/server'
import { evidenceEndpoints } from '@holdfast/features/evidence/server'
import { countKeyReminders, keyRecoveryEndpoints, startKeyChanges } from '@holdfast/features/key-recovery/server'
import { mailEndpoints, startMail } from '@holdfast/features/mail/server'
import { type Network, networkEndpoints, openNetworks } from '@holdfast/features/network/server'
import { notificationEndpoints, notificationSubscriber, startNotifications, renewWebhookSeals } from '@holdfast/features/notification/server'
import { startPrices } from '@holdfast/features/price/server'
import { createSealer, createSessionFeature, renewPasswordSeals, type Sealer } from '@holdfast/features/session/server'
import { setupEndpoints, setupPageCalls, startFounding } from '@holdfast/features/setup/server'
import {
  currentPolicy,
  policyEndpoints,
  signerOrderEndpoints,
  signersInForce,
  startPolicyChanges,
  startSignerOrders,
  strategyEndpoints,
} from '@holdfast/features/strategy/server'
import { keyPageCalls, teamEndpoints } from '@holdfast/features/team/server'
import { nftEndpoints } from '@holdfast/features/nft/server'
import { resourceEndpoints } from '@holdfast/features/resource/server'
import { recordedCoins, startTransfers, transferEndpoints } from '@holdfast/features/transfer/server'
import { utxoEndpoints } from '@holdfast/features/utxo/server'
import { publicKeyOf, startWallets, walletEndpoints } from '@holdfast/features/wallet/server'
import { contractCallEndpoints } from '@holdfast/features/contract-call/server'
import { withdrawalEndpoints } from '@holdfast/features/withdrawal/server'
import { createHttpServer, createRefusalLog, type HttpServer } from '@holdfast/http'
import { relayOutbox, type Subscriber } from '@holdfast/jobs'
import { openMailer } from '@holdfast/mail'
import type { Ports } from '@holdfast/ports'
import { answerPages } from './answer-pages.ts'
import { ConfigurationError, type NetworkConfiguration, type ServerConfiguration } from './read-configuration.ts'

export type RunningServer = { http: HttpServer; context: ServerContext; close(): Promise<void> }

const HOUR_MS = 3_600_000

/** Opens the database, the door for signers and the HTTP port, and starts the work that goes on without anybody asking. */
export async function startServer(ports: Ports, configuration: ServerConfiguration): Promise<RunningServer> {
  const report = (cause: unknown) => {
    // Said once when it went away, and not by everything that needs it.
    if (cause instanceof DatabaseAwayError) return
    ports.process.printError(`${new Date(ports.clock.nowMs()).toISOString()} ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}`)
  }
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
  const { coSigners } = door
  const networks = openNetworks(configuration.networks.map((each) => networkOf(ports, db, each)))
  const context: ServerContext = {
    ports,
    db,
    networks,
    coSigners,
    settings: {
      consoleOrigin: configuration.SERVER_ORIGIN,
      approvalOrigin: configuration.SERVER_APPROVAL_ORIGIN,
      approvalRpId: new URL(configuration.SERVER_APPROVAL_ORIGIN).hostname,
      openSetup: configuration.SERVER_OPEN_SETUP,
      demoRecipients: configuration.demoRecipients,
      recoveryTool: configuration.SERVER_RECOVERY_TOOL_URL
        ? { url: configuration.SERVER_RECOVERY_TOOL_URL, sha256: configuration.SERVER_RECOVERY_TOOL_SHA256! }
        : null,
      keyUpkeep: {
        checkEveryMs: configuration.SERVER_KEY_CHECK_HOURS * HOUR_MS,
        refreshAfterMs: configuration.SERVER_KEY_REFRESH_DAYS === 0 ? null : configuration.SERVER_KEY_REFRESH_DAYS * 24 * HOUR_MS,
        exportDelayMs: configuration.SERVER_KEY_EXPORT_HOURS * HOUR_MS,
      },
    },
  }
  // The pages of a session that ends are told by the HTTP server, which is made after the sessions it needs.
  const pages: { http?: HttpServer } = {}
  const session = createSessionFeature({
    ports,
    db,
    secretKeys,
    demo: configuration.demoRecipients !== null,
    onSessionEnd: (id) => pages.http?.events.endSession(id),
    countUnread: async (orgId, personId) => ({ todo: await countWaiting(context, orgId, personId), notice: await countKeyReminders(context, orgId, personId) }),
  })
  const team = { demandSecondFactorWhereSet: session.demandSecondFactorWhereSet, endSession: (id: string) => pages.http?.events.endSession(id) }
  const founding = startFounding(context)
  context.coSigners.onPage(
    answerPages({ ...setupPageCalls(context, founding.poke), ...approvalPageCalls(context), ...keyPageCalls(context) }, refusalOf, report),
  )
  const { demandSecondFactorWhereSet } = session
  const sealer = createSealer(secretKeys, ports.random)
  await renewSeals(ports, db, sealer)
  const notification = {
    db,
    ports,
    demandSecondFactorWhereSet,
    sealer,
    localHosts: configuration.SERVER_NOTIFY_LOCAL_HOSTS,
  }
  const mailer = configuration.mailServer && openMailer(ports, configuration.mailServer)
  const work = [
    startWallets(context, report),
    startTransfers(context, report),
    startPolicyChanges(context, report),
    startSignerOrders(context, report),
    startKeyChanges(context, report),
    startDeposits(context, report),
    startPrices(context, configuration.SERVER_PRICE_URL, report),
    startNotifications(context, notification, report),
    startMail(context, mailer, report),
  ]
  const refusals = createRefusalLog(ports, (line) => ports.process.printError(JSON.stringify(line)))
  const http = await createHttpServer({
    ports,
    violations: (line) => ports.process.printError(JSON.stringify(line)),
    endpoints: [
      ...session.endpoints,
      ...setupEndpoints(context),
      ...networkEndpoints(context, async (tx) => (await currentPolicy(tx)).signers),
      ...strategyEndpoints(context),
      ...policyEndpoints(context, team),
      ...signerOrderEndpoints(context, team),
      ...teamEndpoints(context, team),
      ...walletEndpoints(context),
      ...nftEndpoints(context),
      ...utxoEndpoints(context),
      ...resourceEndpoints(context),
      ...addressBookEndpoints(context),
      ...keyRecoveryEndpoints(context, team),
      ...withdrawalEndpoints(context),
      ...contractCallEndpoints(context),
      ...transferEndpoints(context),
      ...depositEndpoints(context),
      ...approvalEndpoints(context),
      ...approvalPageEndpoints(context),
      ...evidenceEndpoints(context),
      ...notificationEndpoints(notification),
      ...mailEndpoints(context, mailer),
    ],
    sessions: session.authority,
    origin: configuration.SERVER_ORIGIN,
    consoleFolder: configuration.SERVER_CONSOLE,
    trustedProxies: configuration.SERVER_TRUSTED_PROXIES ?? [],
    rateLimits: rateLimits(configuration.SERVER_RATE_PER_SESSION),
    health: async () => {
      await db.readSystem((tx) => tx.selectFrom('migration').select('name').limit(1).execute())
      return { signers: coSigners.online() }
    },
    refusalOf,
    log: (entry) => {
      if (entry.cause !== undefined && entry.httpStatus >= 500) report(entry.cause)
      refusals.log(entry)
    },
  })
  pages.http = http
  const { events } = http
  const pagesHear: Subscriber = async (_, { orgId, topic, payload }) => events.publish({ orgId, topic, data: payload })
  const outbox = relayOutbox({ ports, db, subscribers: [notificationSubscriber(context), pagesHear], report })
  await http.listen(configuration.SERVER_PORT, configuration.SERVER_HOST)
  return {
    http,
    context,
    close: async () => {
      founding.stop()
      await Promise.all(work.map((each) => each.stop()))
      await outbox.close()
      await http.close()
      refusals.close()
      await door.close()
      await db.close()
    },
  }
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

async function readSecret(ports: Pick<Ports, 'disk'>, variable: string, path: string): Promise<Uint8Array> {
  const [secret, ...more] = await readSecrets(ports, variable, path)
  if (more.length > 0) throw new ConfigurationError(`${variable}: ${path} must hold one secret and holds ${more.length + 1}`)
  return secret!
}

/** The secrets of a file, one a line, the one in use first. */
async function readSecrets(ports: Pick<Ports, 'disk'>, variable: string, path: string): Promise<Uint8Array[]> {
  const content = await ports.disk.read(path)
  const lines = content
    ? new TextDecoder()
        .decode(content)
        .trim()
        .split(/\s*\n\s*/)
    : []
  if (lines.length === 0 || !lines.every((line) => /^[0-9a-f]{64}$/.test(line)))
    throw new ConfigurationError(`${variable}: ${path} must hold 32 secret bytes as 64 hexadecimal digits. If it was damaged, put back a copy of it`)
  return lines.map(fromHex)
}

/** After the key that seals secrets was replaced, nothing is left that needs the older one. */
async function renewSeals(ports: Pick<Ports, 'process'>, db: Database, sealer: Sealer): Promise<void> {
  const renewed = await db.asSystem(async (tx) => (await renewPasswordSeals(tx, sealer)) + (await renewWebhookSeals(tx, sealer)))
  if (renewed > 0)
    ports.process.print(`${renewed} sealed secrets were sealed anew with the first key of SERVER_SECRET_FILE; the others in it are not needed any more.`)
}

function networkOf(ports: Ports, db: Database, configured: NetworkConfiguration): Network {
  const { chain } = configured
  const known = familyOf(chain)
  if (!known) throw new ConfigurationError(`SERVER_NETWORKS: ${chain} is not a chain this server knows`)
  const { family, codec } = known
  const addressOf = ({ contract }: { contract: string }) => {
    const canonical = codec.canonicalAddress(contract)
    if (!canonical) throw new ConfigurationError(`SERVER_NETWORKS: ${contract} is not an address of ${chain}`)
    return canonical
  }
  const tokens = configured.tokens.map((token) => {
    const { contract, symbol, decimals } = token
    if (family !== 'bitcoin') return { chain, contract: addressOf(token), symbol, decimals }
    if (readBrc20Asset(contract) === undefined || decimals !== BRC20_DECIMALS)
      throw new ConfigurationError(
        `SERVER_NETWORKS: ${contract} is no token of ${chain}: give brc20: and a ticker of four bytes in small letters, and 18 decimals`,
      )
    return { chain, contract, symbol, decimals }
  })
  const collections = configured.collections.map((each) => {
    const contract = collectionAsset({ standard: each.standard, collection: addressOf(each) })
    return { chain, contract, symbol: each.symbol, decimals: 0 }
  })
  const symbols = [configured.native, ...tokens, ...collections].map(({ symbol }) => symbol)
  if (new Set(symbols).size < symbols.length) throw new ConfigurationError(`SERVER_NETWORKS: two coins of ${chain} have one symbol: give each its own`)
  const [node, ...witnesses] = configured.rpc_urls.map((rpcUrl) =>
    openNode(family, {
      chain,
      rpcUrl,
      tokens: [...tokens, ...collections].map((token) => token.contract),
      fetch: ports.fetch,
      timer: ports.timer,
      coinsOf: (address) => recordedCoins(db, codec, chain, address),
      publicKeyOf: (address) => publicKeyOf(db, chain, address),
    }),
  )
  return {
    chain,
    name: configured.name,
    family,
    codec,
    node: node!,
    witnesses,
    assets: [{ chain, contract: null, ...configured.native }, ...tokens],
    collections,
    finalityBlocks: configured.finality_blocks,
    ...(configured.read_from !== undefined && { readFrom: BigInt(configured.read_from) }),
    local: configured.local,
    faucetUrl: configured.faucet_url,
    explorers: configured.explorers,
  }
}
