import { bitcoinChain, networkOf } from '@holdfast/chain-bitcoin/codec'
import type { Ports } from '@holdfast/ports'
import { HOST, serveHere } from '../local-port.ts'
import { mineBlocks, type MiningPlan, type MiningSwitch } from '../mine-blocks.ts'
import { Emulator } from './emulator.ts'
import { FAUCET_SCRIPT, openPayer } from './faucet.ts'
import { type CallBitcoin, callerOf } from './call-bitcoin.ts'
import { METHODS, RpcError } from './rpc-methods.ts'
import type { BitcoinNetwork } from './rules.ts'

export type BitcoinDevnetConfig = {
  /** Port of the JSON-RPC on this machine; 0 takes any free one. */
  rpcPort: number
  /** Where the chain is kept from one start to the next; without it, nowhere. */
  dataFolder?: string
  /** A block each time that passes while something waits; without it, blocks come when they are asked for. */
  blockTimeMs?: number
  network?: BitcoinNetwork
}

export type BitcoinDevnet = {
  /** CAIP-2. */
  chain: string
  rpcUrl: string
  /** What it is, for people. */
  label: string
  isEmulator: boolean
  /** Asks the network's node, by Core's method names. Rejects with RpcError. */
  call: CallBitcoin
  /** Pays play money and mines it; amounts in satoshi. Answers once the payment is in a block. */
  fund(address: string, amount: bigint): Promise<{ txid: string; height: bigint }>
  /** Pays play money and leaves it in the pool. */
  pay(address: string, amount: bigint): Promise<{ txid: string }>
  mining: MiningSwitch
  mine(blocks: number): Promise<void>
  /** Saves the state and ends the network. */
  stop(): Promise<void>
}

const BODY_MAX_CHARACTERS = 8 << 20
/** Blocks at the start, so that the faucet has ten rewards it may spend. */
export const FIRST_BLOCKS = 110

/**
 * Starts the Bitcoin network of this machine: an emulator of a node, which speaks Bitcoin Core's JSON-RPC and checks signatures for real. A new one is
 * the same chain every time. Throws an Error that says what to do where the port is taken or the saved chain cannot be read.
 */
export async function startBitcoinEmulator(ports: Ports, config: BitcoinDevnetConfig): Promise<BitcoinDevnet> {
  const network = config.network ?? 'regtest'
  const emulator = new Emulator(network, ports.clock)
  const path = config.dataFolder && `${config.dataFolder}/bitcoin-${network}.json`
  const saved = path === undefined ? undefined : await ports.disk.read(path)
  if (config.dataFolder) await ports.disk.makeFolder(config.dataFolder)
  if (path !== undefined && saved) load(emulator, saved, path)
  // The parents' times decide, each a second later: the first blocks are the same on every machine.
  else emulator.mine(FIRST_BLOCKS, FAUCET_SCRIPT, 0)
  let savedState = ''
  const save = async () => {
    const state = [emulator.chain.tip.hash, ...emulator.mempool.entries.keys()].join()
    if (path === undefined || state === savedState) return
    savedState = state
    await ports.disk.writeAtomic(path, emulator.save())
  }
  await save()
  const server = await serveHere(ports.net, config.rpcPort, 'DEVNET_BITCOIN_PORT', (request) => answer(emulator, request))
  const rpcUrl = `http://${HOST}:${server.port}`
  const call = callerOf(ports, rpcUrl)
  const switched: MiningSwitch = { paused: false }
  const payer = openPayer(call, networkOf(bitcoinChain(network)))
  const abort = new AbortController()
  const mining =
    config.blockTimeMs === undefined
      ? undefined
      : mineInTime(ports, emulator, { blockTimeMs: config.blockTimeMs, mining: switched, signal: abort.signal, afterBlock: save })
  const stop = async () => {
    abort.abort()
    await server.close()
    await mining
    await save()
  }
  return { chain: bitcoinChain(network), rpcUrl, label: 'Bitcoin emulator (no Bitcoin Core)', isEmulator: true, call, ...payer, mining: switched, stop }
}

function load(emulator: Emulator, saved: Uint8Array, path: string): void {
  try {
    emulator.load(saved)
  } catch (cause) {
    throw new Error(`the saved chain in ${path} cannot be read: remove the file to start a new one`, { cause })
  }
}

/** As the other networks of this program do: after a while without transactions blocks come rarer. */
function mineInTime(ports: Ports, emulator: Emulator, plan: MiningPlan): Promise<void> {
  const network = {
    getTxpoolStatus: async () => ({ pending: emulator.mempool.entries.size, queued: 0 }),
    mine: async () => void emulator.mine(1, FAUCET_SCRIPT),
  }
  return mineBlocks(ports.timer, network, plan)
}

async function answer(emulator: Emulator, request: Request): Promise<Response> {
  if (request.method !== 'POST') return new Response('JSONRPC server handles only POST requests', { status: 405 })
  // A page of another origin can post without being asked about, but not with this type and not unseen.
  if (request.headers.get('origin') !== null) return new Response(null, { status: 403 })
  const text = await request.text()
  if (text.length > BODY_MAX_CHARACTERS) return new Response(null, { status: 413 })
  const question = parse(text)
  const failed = (code: number, message: string, status: number) =>
    Response.json({ result: null, error: { code, message }, id: question?.id ?? null }, { status })
  if (!question) return failed(-32700, 'Parse error', 500)
  const method = Object.hasOwn(METHODS, question.method) ? METHODS[question.method] : undefined
  if (!method) return failed(-32601, 'Method not found', 404)
  try {
    return Response.json({ result: method(emulator, ...question.params), error: null, id: question.id })
  } catch (cause) {
    if (cause instanceof RpcError) return failed(cause.code, cause.message, 500)
    return failed(-1, `${question.method}: ${cause instanceof Error ? cause.message : cause}`, 500)
  }
}

function parse(text: string): { id: unknown; method: string; params: unknown[] } | undefined {
  try {
    const { id = null, method, params = [] } = JSON.parse(text)
    return typeof method === 'string' && Array.isArray(params) ? { id, method, params } : undefined
  } catch {
    return undefined
  }
}
