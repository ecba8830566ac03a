import { BRC20_DECIMALS, brc20Asset } from '@holdfast/chain-core'
import type { ChildProcess, Ports } from '@holdfast/ports'
import { at, known } from '@holdfast/units'
import { buildPages } from './build-pages.ts'
import type { LocalFamily, LocalSettings } from './local-settings.ts'
import { OPERATORS, PARTIES, prepareIdentities, signerStorage } from './prepare-identities.ts'
import { compiledSources, quickImports } from './program-start.ts'
import { serveDrills } from './serve-drills.ts'

type Program = { name: string; file: string; env: Record<string, string>; isReady: () => Promise<boolean> }
export type LocalStack = {
  settings: LocalSettings
  /** The names of all programs. */
  programs: readonly string[]
  /** The file to which a program writes what it has to say. */
  logOf(name: string): string
  /** The running process of a program: devnet, server, signer-1, signer-2, signer-3. */
  process(name: string): ChildProcess
  /** Starts a program again after it ended. */
  restart(name: string): Promise<void>
  stop(): Promise<void>
}

const READY_TIMEOUT_MS = 300_000
const POLL_MS = 50

/** A program whose memory nobody gets to read: it writes no core, and no signal opens an inspector in it, also not before it runs itself. */
const GUARDED = 'ulimit -c 0; exec "$0" --disable-sigusr1 "$@"'

/** Starts the local network, the server with its database, and three signers, each as a process of its own. */
export async function startLocalStack(ports: Ports, settings: LocalSettings, say: (line: string) => void): Promise<LocalStack> {
  const { disk } = ports
  await disk.makeFolder(settings.folder)
  await disk.makeFolder(`${settings.folder}/logs`)
  const [identities] = await Promise.all([prepareIdentities(ports, settings), buildPages(ports, settings.root, settings.pages, say)])
  const running = new Map<string, { program: Program; child: ChildProcess }>()
  const drills = await serveDrills(ports, settings)
  let stopping = false

  const launch = (program: Program) => {
    const child = ports.process.spawn('sh', ['-c', GUARDED, 'node', quickImports(settings.root), `${settings.root}/${program.file}`], {
      cwd: settings.root,
      env: { ...compiledSources(settings.root), ...program.env },
      logPath: logOf(settings, program.name),
    })
    running.set(program.name, { program, child })
  }
  const start = async (program: Program) => {
    if (stopping) throw new Error(`${program.name} is not started: everything is being stopped`)
    launch(program)
    await ready(ports, program, () => known(running.get(program.name), `the process ${program.name}`).child, settings)
  }
  const stop = async () => {
    stopping = true
    const order = ['signer-1', 'signer-2', 'signer-3', 'server', 'devnet'].flatMap((name) => running.get(name) ?? [])
    for (const { child } of order) {
      child.kill('SIGTERM')
      await child.exited
    }
    await drills.close()
  }
  try {
    const devnet = devnetProgram(ports, settings)
    say('Starting the local network')
    await start(devnet)
    await writeNetworks(ports, settings)
    say('Starting the server, its database and the signers')
    await start(serverProgram(ports, settings, identities))
    await Promise.all(PARTIES.map((party) => start(signerProgram(ports, settings, party, identities.serverKey))))
  } catch (cause) {
    await stop()
    throw cause
  }
  return {
    settings,
    programs: [...running.keys()],
    logOf: (name) => logOf(settings, name),
    process: (name) => known(running.get(name), `the process ${name}`).child,
    restart: async (name) => start(known(running.get(name), `the process ${name}`).program),
    stop,
  }
}

const logOf = ({ folder }: LocalSettings, name: string) => `${folder}/logs/${name}.log`

async function ready(ports: Ports, program: Program, child: () => ChildProcess, settings: LocalSettings): Promise<void> {
  let ended: number | null | undefined
  void child().exited.then((code) => (ended = code ?? -1))
  const startedMs = ports.clock.monotonicMs()
  while (!(await program.isReady().catch(() => false))) {
    if (ended !== undefined || ports.clock.monotonicMs() - startedMs > READY_TIMEOUT_MS) {
      const log = await ports.disk.read(logOf(settings, program.name))
      throw new Error(`${program.name} did not start:\n${new TextDecoder().decode(log ?? new Uint8Array()).slice(-2000)}`)
    }
    await ports.timer.sleep(POLL_MS)
  }
}

async function answers(ports: Ports, url: string): Promise<boolean> {
  return (await ports.fetch(url)).ok
}

function devnetProgram(ports: Ports, { folder, ports: numbers, faucetUrl, blockTimeS, hasSecond }: LocalSettings): Program {
  return {
    name: 'devnet',
    file: 'apps/devnet/src/main.ts',
    env: {
      DEVNET_PORT: String(numbers.rpc),
      DEVNET_FAUCET_PORT: String(numbers.faucet),
      DEVNET_DATA: `${folder}/devnet`,
      DEVNET_SECOND_PORT: hasSecond ? String(numbers.second) : 'off',
      ...Object.fromEntries(LOCAL_FAMILIES.map((family) => [`DEVNET_${family.toUpperCase()}_PORT`, String(numbers[family])])),
      DEVNET_BLOCK_TIME_S: blockTimeS,
    },
    isReady: () => answers(ports, `${faucetUrl}/api/info`),
  }
}

/** A token of BRC-20 that counts on the local Bitcoin, once somebody has deployed it there. */
const LOCAL_BRC20: Listed = { symbol: 'DEVB', contract: brc20Asset('devb'), decimals: BRC20_DECIMALS }

type Listed = { symbol: string; contract: string; decimals: number }
type ListedCollection = { standard: string; symbol: string; contract: string }
type DevnetInfo = {
  chain: string
  tokens: Listed[]
  collections: ListedCollection[]
  second?: { label: string; coin: string; chain: string; url: string; tokens: Listed[]; collections: ListedCollection[] }
} & Record<LocalFamily, { label: string; chain: string; url: string; tokens?: Listed[] }>

/** What the server is told of the local network of a family beside its place and the tokens that it has from the start. */
const LISTINGS: Record<LocalFamily, object> = {
  tron: { native: { symbol: 'TRX', decimals: 6 } },
  bitcoin: { native: { symbol: 'BTC', decimals: 8 }, tokens: [LOCAL_BRC20], read_from: 0 },
  // A block of the masterchain is never replaced.
  ton: { native: { symbol: 'TON', decimals: 9 }, finality_blocks: 1 },
}
const LOCAL_FAMILIES = Object.keys(LISTINGS) as LocalFamily[]

async function writeNetworks(ports: Ports, settings: LocalSettings): Promise<void> {
  const info = (await (await ports.fetch(`${settings.faucetUrl}/api/info`)).json()) as DevnetInfo
  const shared = { finality_blocks: 3, local: true, faucet_url: settings.faucetUrl }
  const listed = (tokens: Listed[]) => tokens.map(({ symbol, contract, decimals }) => ({ symbol, contract, decimals }))
  const listedCollections = (collections: ListedCollection[]) => collections.map(({ standard, symbol, contract }) => ({ standard, symbol, contract }))
  const evm = (
    { chain, tokens, collections }: Pick<DevnetInfo, 'chain' | 'tokens' | 'collections'>,
    { name, url, coin }: { name: string; url: string; coin: string },
  ) => ({
    chain,
    name,
    rpc_urls: [url],
    native: { symbol: coin, decimals: 18 },
    tokens: listed(tokens),
    collections: listedCollections(collections),
    ...shared,
  })
  const { second } = info
  const beside = (family: LocalFamily) => {
    const { chain, label, url, tokens = [] } = info[family]
    return { chain, name: label, rpc_urls: [url], tokens: listed(tokens), ...shared, ...LISTINGS[family] }
  }
  const networks = [
    evm(info, { name: 'Local network', url: settings.rpcUrl, coin: 'ETH' }),
    ...(second ? [{ ...evm(second, { ...second, name: second.label }), faucet_url: `${settings.faucetUrl}/?chain=${second.chain}` }] : []),
    ...LOCAL_FAMILIES.map(beside),
  ]
  await ports.disk.writeAtomic(`${settings.folder}/networks.json`, new TextEncoder().encode(JSON.stringify(networks, null, 2)))
}

function serverProgram(ports: Ports, settings: LocalSettings, identities: Awaited<ReturnType<typeof prepareIdentities>>): Program {
  const { folder, root, ports: numbers } = settings
  const { env } = ports.process
  return {
    name: 'server',
    file: 'apps/server/src/main.ts',
    env: {
      ...(env.DATABASE_URL ? { DATABASE_URL: env.DATABASE_URL } : {}),
      SERVER_DATA: `${folder}/database`,
      SERVER_PORT: String(numbers.console),
      SERVER_ORIGIN: settings.consoleOrigin,
      SERVER_CONSOLE: `${root}/apps/console/dist`,
      SERVER_IDENTITY: identities.serverIdentityPath,
      SERVER_SECRET_FILE: identities.serverSecretPath,
      SERVER_LINK_PORT: String(numbers.link),
      SERVER_MACHINE_PORT: String(numbers.machines),
      SERVER_SIGNER_KEYS: identities.signerKeys.join(','),
      SERVER_APPROVAL_ORIGIN: settings.approvalOrigin,
      SERVER_NETWORKS: `${folder}/networks.json`,
      SERVER_PRICE_URL: `${settings.faucetUrl}/api/prices`,
      SERVER_ENERGY_MARKET_URL: `http://127.0.0.1:${numbers.tron}/energy-market`,
      SERVER_DEMO_RECIPIENTS: identities.demoRecipientsPath,
      SERVER_DEMO_DRILL_URL: `http://127.0.0.1:${numbers.drills}`,
      SERVER_OPEN_SETUP: String(settings.openSetup),
      ...(settings.ratePerSession ? { SERVER_RATE_PER_SESSION: settings.ratePerSession } : {}),
    },
    isReady: () => answers(ports, `http://127.0.0.1:${numbers.console}/healthz`),
  }
}

function signerProgram(ports: Ports, settings: LocalSettings, party: number, serverKey: string): Program {
  const { ports: numbers, approvalOrigin, secondApprovalOrigin } = settings
  const page = [
    { port: numbers.approval, origin: approvalOrigin },
    { port: numbers.secondApproval, origin: secondApprovalOrigin },
  ][party - 1]
  return {
    name: `signer-${party}`,
    file: 'apps/signer/src/main.ts',
    env: {
      SIGNER_PARTY: String(party),
      SIGNER_NAME: `signer-${party}`,
      SIGNER_OPERATOR: at(OPERATORS, party - 1),
      ...signerStorage(settings, party),
      SIGNER_SERVER_HOST: '127.0.0.1',
      SIGNER_SERVER_PORT: String(numbers.link),
      SIGNER_SERVER_KEY: serverKey,
      // On one machine, for trying out: the founder sees the fingerprint. In production the operator names it.
      SIGNER_GENESIS_PINS: 'any',
      ...(page ? { SIGNER_APPROVAL_HOST: '127.0.0.1', SIGNER_APPROVAL_PORT: String(page.port), SIGNER_APPROVAL_ORIGIN: page.origin } : {}),
    },
    isReady: () => isConnected(ports, settings, party),
  }
}

async function isConnected(ports: Ports, settings: LocalSettings, party: number): Promise<boolean> {
  const response = await ports.fetch(`http://127.0.0.1:${settings.ports.console}/healthz`)
  const { signers } = (await response.json()) as { signers?: number[] }
  return signers?.includes(party) ?? false
}
