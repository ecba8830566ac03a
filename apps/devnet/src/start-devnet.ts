import { tonCodec } from '@holdfast/chain-ton/codec'
import { tronCodec } from '@holdfast/chain-tron/codec'
import type { Ports } from '@holdfast/ports'
import { openBitcoinFaucet } from './bitcoin/open-bitcoin-faucet.ts'
import type { BitcoinDevnet } from './bitcoin/start-emulator.ts'
import type { Collection } from './ensure-collections.ts'
import type { Token } from './ensure-token.ts'
import { loadPage } from './load-page.ts'
import { type Faucet, openFaucet } from './open-faucet.ts'
import { CHAIN_ID, COIN, SECOND_CHAIN_ID, SECOND_COIN } from './open-network.ts'
import type { DevnetConfig } from './read-config.ts'
import { HOST } from './local-port.ts'
import { serveFaucet } from './serve-faucet.ts'
import { openEmulatorFaucet } from './open-emulator-faucet.ts'
import { type EvmNetwork, startEvm } from './start-evm.ts'
import type { TonNetwork } from './ton/start-ton.ts'
import type { TronNetwork } from './tron/start-tron.ts'

export type Devnet = {
  /** CAIP-2. */
  chain: string
  rpcUrl: string
  faucetUrl: string
  tokens: Token[]
  collections: Collection[]
  /** The other EVM network beside it, where it was asked for. */
  second?: Pick<EvmNetwork, 'chain' | 'coin' | 'rpcUrl' | 'token' | 'collections'>
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
  const startingSecond = config.secondPort === undefined ? undefined : startSecond(ports, { ...config, secondPort: config.secondPort })
  startingSecond?.catch(() => undefined)
  const beside = [startingSecond, startingTron, startingBitcoin, startingTon]
  let evm: EvmNetwork | undefined
  try {
    evm = await startEvm(ports, {
      ...config,
      chainId: CHAIN_ID,
      coin: COIN,
      port: config.rpcPort,
      variable: 'DEVNET_PORT',
      files: { log: 'anvil.log', state: 'state.bin' },
    })
    const [second, tron, bitcoin, ton] = await Promise.all([startingSecond, startingTron, startingBitcoin, startingTon])
    const tronFaucet = tron && openEmulatorFaucet(ports, tron, { name: 'TRON', codec: tronCodec(tron), coin: { symbol: 'TRX', decimals: 6, limit: '10000' } })
    const tonFaucet = ton && openEmulatorFaucet(ports, ton, { name: 'TON', codec: tonCodec(ton), coin: { symbol: 'TON', decimals: 9, limit: '1000' } })
    const bitcoinFaucet = bitcoin && openBitcoinFaucet(bitcoin)
    const secondFaucet = second && openFaucet(ports, second, config.blockTimeMs)
    const { chain, network, rpcUrl, token, collections } = evm
    const faucet = openFaucet(
      ports,
      evm,
      config.blockTimeMs,
      [secondFaucet, tronFaucet, bitcoinFaucet, tonFaucet].filter((each) => each !== undefined),
    )
    const info = async () => ({
      label: 'local development network',
      chain,
      rpcUrl,
      blockTimeMs: config.blockTimeMs,
      height: String(await network.getBlockNumber()),
      tokens: [token],
      collections,
      assets: [...faucet.assets, ...faucet.collectibles],
      ...(second && secondFaucet ? { second: aboutSecond(second, secondFaucet) } : {}),
      ...(tron && tronFaucet ? { tron: { label: 'TRON emulator', chain: tron.chain, url: tron.url, tokens: [tron.token], assets: tronFaucet.assets } } : {}),
      ...(bitcoin && bitcoinFaucet
        ? { bitcoin: { label: bitcoin.label, chain: bitcoin.chain, url: bitcoin.rpcUrl, assets: bitcoinFaucet.assets, ...bitcoin.mining } }
        : {}),
      ...(ton && tonFaucet ? { ton: { label: 'TON emulator', chain: ton.chain, url: ton.url, tokens: [ton.token], assets: tonFaucet.assets } } : {}),
    })
    const server = await serveFaucet(ports, config.faucetPort, page, faucet, info)
    const { stop, ended } = operate(
      server,
      [second, tron, bitcoin, ton, evm].filter((each) => each !== undefined),
    )
    return { second, tron, bitcoin, ton, chain, rpcUrl, faucetUrl: `http://${HOST}:${server.port}`, tokens: [token], collections, stop, ended }
  } catch (cause) {
    for (const each of beside) await (await each?.catch(() => undefined))?.stop()
    await evm?.stop()
    throw cause
  }
}

function aboutSecond({ chain, coin, rpcUrl, token, collections }: EvmNetwork, { assets, collectibles }: Faucet) {
  return { label: 'Second local network', chain, coin, url: rpcUrl, tokens: [token], collections, assets: [...assets, ...collectibles] }
}

/** The other EVM network, which mines and keeps its state as the first one does. */
function startSecond(ports: Ports, config: DevnetConfig & { secondPort: number }): Promise<EvmNetwork> {
  const files = { log: 'second.log', state: 'second.bin' }
  return startEvm(ports, { ...config, chainId: SECOND_CHAIN_ID, coin: SECOND_COIN, port: config.secondPort, variable: 'DEVNET_SECOND_PORT', files })
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

type Running = { stop(): Promise<unknown>; ended?: Promise<Error | undefined> }

/** Serves until stopped, or until one of the networks ends by itself. */
function operate(server: { close(): Promise<void> }, networks: readonly Running[]): Pick<Devnet, 'stop' | 'ended'> {
  let stopping: Promise<Error | undefined> | undefined
  const shutDown = async (): Promise<Error | undefined> => {
    await server.close()
    const answers: unknown[] = []
    for (const each of networks) answers.push(await each.stop())
    return answers.find((each) => each instanceof Error)
  }
  const close = () => (stopping ??= shutDown())
  const ended = Promise.race(networks.flatMap((each) => each.ended ?? [])).then(async (failure) => {
    // Ending on request ends the networks too: then only what that reports counts.
    if (stopping) return stopping
    await close()
    return failure
  })
  return { stop: async () => void (await close()), ended }
}
