import { tonCodec } from '@holdfast/chain-ton/codec'
import { tronCodec } from '@holdfast/chain-tron/codec'
import type { Ports } from '@holdfast/ports'
import { openBitcoinFaucet } from './bitcoin/open-bitcoin-faucet.ts'
import type { BitcoinDevnet } from './bitcoin/start-emulator.ts'
import { type Collection, ensureCollections } from './ensure-collections.ts'
import { ensureToken, type Token } from './ensure-token.ts'
import { keepState, type StateKeeper } from './keep-state.ts'
import { loadPage } from './load-page.ts'
import { mineBlocks } from './mine-blocks.ts'
import { openFaucet } from './open-faucet.ts'
import { CHAIN } from './open-network.ts'
import type { DevnetConfig } from './read-config.ts'
import { type Anvil, HOST, runAnvil } from './run-anvil.ts'
import { serveFaucet } from './serve-faucet.ts'
import { openEmulatorFaucet } from './open-emulator-faucet.ts'
import type { TonNetwork } from './ton/start-ton.ts'
import type { TronNetwork } from './tron/start-tron.ts'

export type Devnet = {
  /** CAIP-2. */
  chain: string
  rpcUrl: string
  faucetUrl: string
  tokens: Token[]
  collections: Collection[]
  /** The TRON emulator beside it, where it was asked for. */
  tron?: Pick<TronNetwork, 'chain' | 'url' | 'token'>
  /** The Bitcoin network beside it, where it was asked for. */
  bitcoin?: Pick<BitcoinDevnet, 'chain' | 'rpcUrl' | 'label'>
  /** The TON emulator beside it, where it was asked for. */
  ton?: Pick<TonNetwork, 'chain' | 'url' | 'token'>
  /** Saves the state and ends the network. May be called more than once. */
  stop(): Promise<void>
  /** Resolves once the network has ended: with undefined after `stop`, else with what went wrong. */
  ended: Promise<Error | undefined>
}

/** TRON's blocks take three seconds where the other network's take one. */
const TRON_BLOCK_FACTOR = 3
/** TON's take some five, in whole seconds. */
const TON_BLOCK_FACTOR = 5

/**
 * Starts a local development network on this machine, with its state from the last start, a play-money token and a faucet.
 * Throws an Error that says what to do where a port is taken, the saved state is unreadable or the program does not start.
 */
export async function startDevnet(ports: Ports, config: DevnetConfig): Promise<Devnet> {
  const page = await loadPage(ports.disk)
  await ports.disk.makeFolder(config.dataFolder)
  const startingTron = config.tronPort === undefined ? undefined : startTronBeside(ports, { ...config, tronPort: config.tronPort })
  // Whoever waits for it first hears of its failure; that may be later.
  startingTron?.catch(() => undefined)
  const startingBitcoin = config.bitcoinPort === undefined ? undefined : startBitcoinBeside(ports, { ...config, bitcoinPort: config.bitcoinPort })
  startingBitcoin?.catch(() => undefined)
  const startingTon = config.tonPort === undefined ? undefined : startTonBeside(ports, { ...config, tonPort: config.tonPort })
  startingTon?.catch(() => undefined)
  let anvil: Anvil | undefined
  let tron: TronNetwork | undefined
  let bitcoin: BitcoinDevnet | undefined
  let ton: TonNetwork | undefined
  try {
    anvil = await runAnvil(ports, config.rpcPort, `${config.dataFolder}/anvil.log`)
    tron = await startingTron
    bitcoin = await startingBitcoin
    ton = await startingTon
    const tronFaucet = tron && openEmulatorFaucet(ports, tron, { name: 'TRON', codec: tronCodec(tron), coin: { symbol: 'TRX', decimals: 6, limit: '10000' } })
    const tonFaucet = ton && openEmulatorFaucet(ports, ton, { name: 'TON', codec: tonCodec(ton), coin: { symbol: 'TON', decimals: 9, limit: '1000' } })
    const bitcoinFaucet = bitcoin && openBitcoinFaucet(bitcoin)
    const { network, rpcUrl } = anvil
    const keeper = await keepState(ports, network, `${config.dataFolder}/state.bin`)
    const token = await ensureToken(network)
    const collections = await ensureCollections(network)
    await keeper.saveNow()
    const faucet = openFaucet(
      ports,
      network,
      { token, collections },
      config.blockTimeMs,
      [tronFaucet, bitcoinFaucet, tonFaucet].filter((each) => each !== undefined),
    )
    const info = async () => ({
      label: 'local development network',
      chain: CHAIN,
      rpcUrl,
      blockTimeMs: config.blockTimeMs,
      height: String(await network.getBlockNumber()),
      tokens: [token],
      collections,
      assets: [...faucet.assets, ...faucet.collectibles],
      ...(tron && tronFaucet ? { tron: { label: 'TRON emulator', chain: tron.chain, url: tron.url, tokens: [tron.token], assets: tronFaucet.assets } } : {}),
      ...(bitcoin && bitcoinFaucet ? { bitcoin: { label: bitcoin.label, chain: bitcoin.chain, url: bitcoin.rpcUrl, assets: bitcoinFaucet.assets } } : {}),
      ...(ton && tonFaucet ? { ton: { label: 'TON emulator', chain: ton.chain, url: ton.url, tokens: [ton.token], assets: tonFaucet.assets } } : {}),
    })
    const server = await serveFaucet(ports, config.faucetPort, page, faucet, info)
    const { stop, ended } = operate(
      ports,
      config,
      anvil,
      keeper,
      server,
      [tron, bitcoin, ton].filter((each) => each !== undefined),
    )
    return { tron, bitcoin, ton, chain: CHAIN, rpcUrl, faucetUrl: `http://${HOST}:${server.port}`, tokens: [token], collections, stop, ended }
  } catch (cause) {
    await (await startingTron?.catch(() => undefined))?.stop()
    await (await startingBitcoin?.catch(() => undefined))?.stop()
    await (await startingTon?.catch(() => undefined))?.stop()
    await anvil?.stop()
    throw cause
  }
}

/** Starts the emulator while the other network starts: loading its virtual machine takes a second, and nobody without it loads it. */
async function startTronBeside(ports: Ports, { dataFolder, blockTimeMs, tronPort }: DevnetConfig & { tronPort: number }): Promise<TronNetwork> {
  const { startTron } = await import('./tron/start-tron.ts')
  return startTron(ports, { port: tronPort, dataFolder, blockTimeMs: blockTimeMs * TRON_BLOCK_FACTOR })
}

async function startTonBeside(ports: Ports, { dataFolder, blockTimeMs, tonPort }: DevnetConfig & { tonPort: number }): Promise<TonNetwork> {
  const { startTon } = await import('./ton/start-ton.ts')
  return startTon(ports, { port: tonPort, dataFolder, blockTimeMs: blockTimeMs * TON_BLOCK_FACTOR })
}

/** The emulator, or a real node where there is one. */
async function startBitcoinBeside(ports: Ports, { dataFolder, blockTimeMs, bitcoinPort }: DevnetConfig & { bitcoinPort: number }): Promise<BitcoinDevnet> {
  const { startBitcoin } = await import('./bitcoin/start-bitcoin.ts')
  return startBitcoin(ports, { rpcPort: bitcoinPort, dataFolder, blockTimeMs })
}

/** Mines and saves until stopped, or until the network's program ends by itself. */
function operate(
  ports: Ports,
  config: DevnetConfig,
  anvil: Anvil,
  keeper: StateKeeper,
  server: { close(): Promise<void> },
  beside: readonly { stop(): Promise<unknown>; ended?: TronNetwork['ended'] }[],
): Pick<Devnet, 'stop' | 'ended'> {
  const abort = new AbortController()
  const mining = mineBlocks(ports.timer, anvil.network, { blockTimeMs: config.blockTimeMs, signal: abort.signal, afterBlock: keeper.saveIfDue })
  const miningFailed = mining.then(
    () => undefined,
    (cause: unknown) => new Error(`the local network stopped mining: ${shortReason(cause)}`),
  )
  const died = anvil.child.exited.then((code) => {
    const how = code === null ? 'by a signal' : `exit code ${code}`
    return new Error(`the local network's program ended by itself (${how}); its log is ${config.dataFolder}/anvil.log`)
  })

  let stopping: Promise<Error | undefined> | undefined
  const shutDown = async (): Promise<Error | undefined> => {
    abort.abort()
    await server.close()
    await miningFailed
    for (const each of beside) await each.stop()
    const unsaved = await keeper.saveNow().then(
      () => undefined,
      (cause: unknown) => new Error(`the network's last state was not saved: ${shortReason(cause)}`),
    )
    await anvil.stop()
    return unsaved
  }
  const close = () => (stopping ??= shutDown())
  const ended = Promise.race([died, miningFailed, ...beside.flatMap((each) => each.ended ?? [])]).then(async (failure) => {
    // Ending on request also ends the mining and the program: then only what `stop` itself reports counts.
    if (stopping) return stopping
    // A program that ends takes its answers with it; its end is the cause and the failed mining only the first sign.
    const cause = await Promise.race([died, ports.timer.sleep(1000).then(() => failure)])
    await close()
    return cause
  })
  return { stop: async () => void (await close()), ended }
}

function shortReason(cause: unknown): string {
  const { shortMessage, message } = cause as { shortMessage?: string; message?: string }
  return (shortMessage ?? message ?? String(cause)).slice(0, 200)
}
