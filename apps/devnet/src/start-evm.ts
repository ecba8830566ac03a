import type { Ports } from '@holdfast/ports'
import { type Collection, ensureCollections } from './ensure-collections.ts'
import { ensurePayouts } from './ensure-payouts.ts'
import { ensureToken, type Token } from './ensure-token.ts'
import { keepState } from './keep-state.ts'
import { mineBlocks } from './mine-blocks.ts'
import type { Network } from './open-network.ts'
import { runAnvil } from './run-anvil.ts'

export type EvmConfig = {
  chainId: number
  /** Symbol of its own coin. */
  coin: string
  port: number
  /** The variable that sets the port, for the message where it is taken. */
  variable: string
  dataFolder: string
  /** What its files are called: `<name>.log`, and `<state>.bin` for its state. */
  files: { log: string; state: string }
  blockTimeMs: number
}

export type EvmNetwork = {
  /** CAIP-2. */
  chain: string
  coin: string
  rpcUrl: string
  network: Network
  token: Token
  collections: Collection[]
  /** Saves the state and ends the network; with what could not be saved. May be called more than once. */
  stop(): Promise<Error | undefined>
  /** Resolves once the network has ended: with what `stop` answers after it, else with what went wrong. */
  ended: Promise<Error | undefined>
}

/** Starts a local EVM network with its state from the last start, a play-money token and collections. */
export async function startEvm(ports: Ports, { chainId, coin, port, variable, dataFolder, files, blockTimeMs }: EvmConfig): Promise<EvmNetwork> {
  const logPath = `${dataFolder}/${files.log}`
  const anvil = await runAnvil(ports, port, logPath, { chainId, variable })
  const { network, rpcUrl, child } = anvil
  try {
    const keeper = await keepState(ports, network, `${dataFolder}/${files.state}`)
    const token = await ensureToken(network)
    const collections = await ensureCollections(network)
    await ensurePayouts(network)
    await keeper.saveNow()
    const abort = new AbortController()
    const mining = mineBlocks(ports.timer, network, { blockTimeMs, signal: abort.signal, afterBlock: keeper.saveIfDue })
    const miningFailed = mining.then(
      () => undefined,
      (cause: unknown) => new Error(`the local network stopped mining: ${shortReason(cause)}`),
    )
    const died = child.exited.then((code) => {
      const how = code === null ? 'by a signal' : `exit code ${code}`
      return new Error(`the local network's program ended by itself (${how}); its log is ${logPath}`)
    })
    let stopping: Promise<Error | undefined> | undefined
    const shutDown = async (): Promise<Error | undefined> => {
      abort.abort()
      await miningFailed
      const unsaved = await keeper.saveNow().then(
        () => undefined,
        (cause: unknown) => new Error(`the network's last state was not saved: ${shortReason(cause)}`),
      )
      await anvil.stop()
      return unsaved
    }
    const stop = () => (stopping ??= shutDown())
    const ended = Promise.race([died, miningFailed]).then(async (failure) => {
      // Ending on request also ends the mining and the program: then only what `stop` itself reports counts.
      if (stopping) return stopping
      // A program that ends takes its answers with it; its end is the cause and the failed mining only the first sign.
      const cause = await Promise.race([died, ports.timer.sleep(1000).then(() => failure)])
      await stop()
      return cause
    })
    return { chain: `eip155:${chainId}`, coin, rpcUrl, network, token, collections, stop, ended }
  } catch (cause) {
    await anvil.stop()
    throw cause
  }
}

function shortReason(cause: unknown): string {
  const { shortMessage, message } = cause as { shortMessage?: string; message?: string }
  return (shortMessage ?? message ?? String(cause)).slice(0, 200)
}
