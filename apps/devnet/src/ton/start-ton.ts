import { addressText, broadcastMessage, buildTransfer, requireAddress, requireNetwork, tonCodec } from '@holdfast/chain-ton/codec'
import type { Ports } from '@holdfast/ports'
import { at } from '@holdfast/units'
import { ed25519 } from '@noble/curves/ed25519.js'
import { Cell } from '@ton/core'
import type { Token } from '../ensure-token.ts'
import { keepMining, oneAtATime, openBlockStore } from '../emulated-chain.ts'
import { HOST, serveHere } from '../local-port.ts'
import { answersOf, type Asked } from './answer.ts'
import { type EmulatedChain, openChain } from './chain.ts'
import { FAUCET_KEY, FAUCET_SECRET, masterOf, WALLET_FORM } from './first-accounts.ts'

export type TonConfig = {
  /** Port of the HTTP interface on this machine; 0 takes any free one. */
  port: number
  /** Where the blocks are kept from one start to the next. */
  dataFolder: string
  /** At least a second, since TON's blocks count whole ones. */
  blockTimeMs: number
  /** Another number makes another chain. */
  globalId?: number
  /** False leaves it to `mine`. */
  mining?: boolean
}

export type TonNetwork = {
  /** CAIP-2. */
  chain: string
  /** Where a client of toncenter's second interface asks. */
  url: string
  token: Token
  /** Pays from the emulator's own play money; answers with the transaction's id, which the next block holds. */
  pay(contract: string | null, to: string, amount: bigint, memo?: string): Promise<string>
  heightOf(txid: string): bigint | undefined
  mine(blocks: number): Promise<void>
  stop(): Promise<void>
  ended: Promise<Error | undefined>
}

/** The number of the emulated network of every machine. */
const GLOBAL_ID = -31_337
/** The emulated chain of every machine, by CAIP-2. */
export const TON_CHAIN = `ton:${GLOBAL_ID}`
const LABEL = 'TON emulator: real virtual machine, model of all around it; no TON node; play money only'
const BODY_MAX = 1 << 20
const ATTACHED = 100_000_000n
const VALID_FOR_S = 600

/** Starts the emulated TON network on this machine, with the blocks of the last start. */
export async function startTon(ports: Pick<Ports, 'clock' | 'timer' | 'disk' | 'net'>, config: TonConfig): Promise<TonNetwork> {
  const network = requireNetwork(`ton:${config.globalId ?? GLOBAL_ID}`)
  const codec = tonCodec(network)
  await ports.disk.makeFolder(config.dataFolder)
  const chain = await openChain(network.chain, network.globalId)
  const store = await openBlockStore(ports, chain, { path: `${config.dataFolder}/ton${network.globalId}.jsonl`, what: 'TON emulator' })
  const inTurn = oneAtATime()
  const mineOne = async () => {
    const blockTimeS = Math.max(1, Math.floor(config.blockTimeMs / 1_000))
    await store.append(await chain.mine(Math.max(Math.floor(ports.clock.nowMs() / 1_000), chain.head().timestampS + blockTimeS)))
  }
  const master = masterOf(network.globalId)
  const token = { symbol: 'USDJ', name: 'Development Dollar', contract: addressText(master.address, network.isTest), decimals: 6 }
  const sent = new Map<string, Cell>()
  let seqno = faucetSeqno(chain, codec.addressFromKey(FAUCET_KEY), network.isTest)
  const pay: TonNetwork['pay'] = async (contract, to, amount, memo) => {
    const validUntil = BigInt(Math.max(Math.floor(ports.clock.nowMs() / 1_000), chain.head().timestampS) + VALID_FOR_S)
    const unsigned = buildTransfer(
      {
        publicKey: FAUCET_KEY,
        to,
        asset: { chain: network.chain, contract },
        amount,
        ...(memo === undefined ? {} : { memo }),
        seqno,
        validUntil,
        ...(contract === null ? {} : { jetton: { wallets: WALLET_FORM, attached: ATTACHED } }),
      },
      network,
    )
    const signature = ed25519.sign(at(codec.sighashes(unsigned), 0), FAUCET_SECRET)
    const { raw, txid } = codec.attach(unsigned, [{ r: signature.slice(0, 32), s: signature.slice(32), recovery: 0 }])
    const message = at(Cell.fromBoc(Buffer.from(broadcastMessage(raw, network.chain))), 0)
    await chain.take(message)
    seqno++
    sent.set(txid, message)
    return txid
  }
  // The head is as old as the last stop.
  if (chain.head().timestampS * 1_000 + config.blockTimeMs <= ports.clock.nowMs()) await mineOne()
  const answer = answersOf(chain)
  const server = await serve(ports.net, config, (method, asked) => inTurn(() => answer(method, asked)))
  const { blockTimeMs, mining } = config
  const close = { server: () => server.close(), store: () => store.close() }
  const running = keepMining(ports, { what: 'TON emulator', blockTimeMs, mining, inTurn, mineOne, pending: () => chain.pending(), close })
  return {
    chain: network.chain,
    url: `http://${HOST}:${server.port}/api/v2/jsonRPC`,
    token,
    pay: (...given) => inTurn(() => pay(...given)),
    heightOf: (txid) => {
      const message = sent.get(txid)
      const height = message && chain.heightOf(message)
      return height === undefined ? undefined : BigInt(height)
    },
    ...running,
  }
}

/** How many orders the faucet's wallet has carried out, one for each transaction that began outside. */
function faucetSeqno(chain: EmulatedChain, faucet: string, isTest: boolean): bigint {
  const { workchain, hash } = requireAddress(faucet, isTest)
  const history = chain.history(`${workchain}:${Buffer.from(hash).toString('hex')}`)
  return BigInt(history.filter(({ transaction }) => transaction.inMessage?.info.type === 'external-in').length)
}

async function serve(net: Ports['net'], config: TonConfig, answer: (method: string, asked: Asked) => Promise<unknown>) {
  const handle = async (request: Request): Promise<Response> => {
    if (request.method !== 'POST') return Response.json({ label: LABEL })
    let id: unknown
    try {
      const body = await request.text()
      if (body.length > BODY_MAX) throw new Error('the request is too long')
      const question = JSON.parse(body) as { id?: unknown; method: string; params?: Asked }
      id = question.id
      return Response.json({ ok: true, result: await answer(question.method, question.params ?? {}), jsonrpc: '2.0', id })
    } catch (cause) {
      const error = cause instanceof Error ? cause.message : String(cause)
      return Response.json({ ok: false, error: error.slice(0, 400), code: 500, jsonrpc: '2.0', id }, { status: 500 })
    }
  }
  return serveHere(net, config.port, 'DEVNET_TON_PORT', handle)
}
