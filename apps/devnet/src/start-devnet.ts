import type { Ports } from '@holdfast/ports'
import { ensureToken, type Token } from './ensure-token.ts'
import { keepState, type StateKeeper } from './keep-state.ts'
import { loadPage } from './load-page.ts'
import { mineBlocks } from './mine-blocks.ts'
import { openFaucet } from './open-faucet.ts'
import { CHAIN } from './open-network.ts'
import type { DevnetConfig } from './read-config.ts'
import { type Anvil, HOST, runAnvil } from './run-anvil.ts'
import { serveFaucet } from './serve-faucet.ts'
import { type EmulatorFaucet, openEmulatorFaucet } from './open-emulator-faucet.ts'
import type { TonNetwork } from './ton/start-ton.ts'
import type { TronNetwork } from './tron/start-tron.ts'

export type Devnet = {
  /** CAIP-2. */
  chain: string
  rpcUrl: string
  faucetUrl: string
  tokens: Token[]
  /** The TRON emulator beside it, where it was asked for. */
  tron?: Pick<TronNetwork, 'chain' | 'url' | 'token'>
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
  const anvil = await runAnvil(ports, config.rpcPort, `${config.dataFolder}/anvil.log`)
  let tron: TronNetwork | undefined
  let tronFaucet: EmulatorFaucet | undefined
  let ton: TonNetwork | undefined
  let tonFaucet: EmulatorFaucet | undefined
  try {
    if (config.tronPort !== undefined) {
      const { dataFolder, blockTimeMs, tronPort } = config
      // Loading its virtual machine takes a second, which nobody without it shall wait.
      const [{ startTron }, { tronCodec }] = await Promise.all([import('./tron/start-tron.ts'), import('@holdfast/chain-tron/codec')])
      tron = await startTron(ports, { port: tronPort, dataFolder, blockTimeMs: blockTimeMs * TRON_BLOCK_FACTOR })
      tronFaucet = openEmulatorFaucet(ports, tron, { name: 'TRON', codec: tronCodec(tron), coin: { symbol: 'TRX', decimals: 6, limit: '10000' } })
    }
    if (config.tonPort !== undefined) {
      const [{ startTon }, { tonCodec }] = await Promise.all([import('./ton/start-ton.ts'), import('@holdfast/chain-ton/codec')])
      ton = await startTon(ports, { port: config.tonPort, dataFolder: config.dataFolder, blockTimeMs: config.blockTimeMs * TON_BLOCK_FACTOR })
      tonFaucet = openEmulatorFaucet(ports, ton, { name: 'TON', codec: tonCodec(ton), coin: { symbol: 'TON', decimals: 9, limit: '1000' } })
    }
    const keeper = await keepState(ports, anvil.network, `${config.dataFolder}/state.bin`)
    const token = await ensureToken(anvil.network)
    await keeper.saveNow()
    const faucet = openFaucet(
      ports,
      anvil.network,
      token,
      config.blockTimeMs,
      [tronFaucet, tonFaucet].filter((each) => each !== undefined),
    )
    const info = async () => ({
      label: 'local development network',
      chain: CHAIN,
      rpcUrl: anvil.rpcUrl,
      blockTimeMs: config.blockTimeMs,
      height: String(await anvil.network.getBlockNumber()),
      tokens: [token],
      assets: faucet.assets,
      ...(tron && tronFaucet ? { tron: { label: 'TRON emulator', chain: tron.chain, url: tron.url, tokens: [tron.token], assets: tronFaucet.assets } } : {}),
      ...(ton && tonFaucet ? { ton: { label: 'TON emulator', chain: ton.chain, url: ton.url, tokens: [ton.token], assets: tonFaucet.assets } } : {}),
    })
    const server = await serveFaucet(ports, config.faucetPort, page, faucet, info)
    const { stop, ended } = operate(
      ports,
      config,
      anvil,
      keeper,
      server,
      [tron, ton].filter((each) => each !== undefined),
    )
    return { tron, ton, chain: CHAIN, rpcUrl: anvil.rpcUrl, faucetUrl: `http://${HOST}:${server.port}`, tokens: [token], stop, ended }
  } catch (cause) {
    await tron?.stop()
    await ton?.stop()
    await anvil.stop()
    throw cause
  }
}

/** Mines and saves until stopped, or until the network's program ends by itself. */
function operate(
  ports: Ports,
  config: DevnetConfig,
  anvil: Anvil,
  keeper: StateKeeper,
  server: { close(): Promise<void> },
  emulators: readonly Pick<TronNetwork, 'stop' | 'ended'>[],
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
    for (const each of emulators) await each.stop()
    const unsaved = await keeper.saveNow().then(
      () => undefined,
      (cause: unknown) => new Error(`the network's last state was not saved: ${shortReason(cause)}`),
    )
    await anvil.stop()
    return unsaved
  }
  const close = () => (stopping ??= shutDown())
  const ended = Promise.race([died, miningFailed, ...emulators.map((each) => each.ended)]).then(async (failure) => {
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
