import devDollar from '@holdfast/chain-evm/artifacts/dev-dollar.json' with { type: 'json' }
import { addressBytes, addressText, CONTRACTS, encodeMessage } from '@holdfast/chain-tron/codec'
import { fromHex, toHex } from '@holdfast/encoding'
import type { Ports } from '@holdfast/ports'
import { known } from '@holdfast/units'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { type Abi, encodeDeployData, type Hex } from 'viem'
import type { Token } from '../ensure-token.ts'
import { keepMining, oneAtATime, openBlockStore } from '../emulated-chain.ts'
import { HOST, serveHere } from '../local-port.ts'
import { answersOf, type Asked, refOf, UnknownMethodError } from './answer.ts'
import { type EmulatedChain, openChain, storedOf } from './chain.ts'
import { TransactionRefused } from './transaction-refused.ts'
import { type Kind, KINDS, makeRawData, parseSent } from './messages.ts'
import { openEnergyMarket, RentRefused } from './energy-market.ts'
import { FAUCET_ADDRESS, FAUCET_KEY, signAs } from './sign-as.ts'
import { messageHex } from './tell.ts'

export type TronConfig = {
  /** Port of the HTTP interface on this machine; 0 takes any free one. */
  port: number
  /** Where the blocks are kept from one start to the next. */
  dataFolder: string
  /** The real network's is 3,000. */
  blockTimeMs: number
  /** Blocks on top after which a block is called solid; the real network's are 18. */
  solidBlocks?: number
  /** Another name makes another chain. */
  name?: string
  /** False leaves it to `mine`. */
  mining?: boolean
}

export type TronNetwork = {
  /** CAIP-2. */
  chain: string
  url: string
  token: Token
  /** Pays from the emulator's own play money; answers with the transaction's id, which the next block holds. */
  pay(contract: string | null, to: string, amount: bigint): Promise<string>
  heightOf(txid: string): bigint | undefined
  mine(blocks: number): Promise<void>
  /** Replaces the last blocks by one more without their transactions. */
  reorganise(depth: number): Promise<void>
  stop(): Promise<void>
  ended: Promise<Error | undefined>
}

/** The emulated chain of every machine, by CAIP-2: its first block is always the same. */
export const TRON_CHAIN = 'tron:0xa419a01f'
const LABEL = 'TRON emulator: a model of TRON for trying out, not TRON software; play money only'
const BODY_MAX = 1 << 20
const CODE_FEE_LIMIT = 5_000_000_000n
const CALL_FEE_LIMIT = 100_000_000n
const LIFE_MS = 600_000
/** Another one than on the EVM network beside it, so that nobody mistakes the one for the other. */
const SYMBOL = 'USDZ'
const SUPPLY = 10n ** 18n

/** Starts the emulated TRON network on this machine, with the blocks of the last start. */
export async function startTron(ports: Pick<Ports, 'clock' | 'timer' | 'disk' | 'net'>, config: TronConfig): Promise<TronNetwork> {
  await ports.disk.makeFolder(config.dataFolder)
  const chain = await openChain(config.name ?? 'local')
  const store = await openBlockStore(ports, chain, { path: `${config.dataFolder}/tron-${chain.chain.slice(-8)}.jsonl`, what: 'TRON emulator' })
  const inTurn = oneAtATime()
  const mineOne = async () => {
    const timestampMs = Math.max(ports.clock.nowMs(), chain.head().timestampMs + config.blockTimeMs)
    await store.append(storedOf(await chain.mine(timestampMs)))
    await market.afterBlock()
  }
  let paid = 0
  const sendAs = async (key: Uint8Array, kind: Kind, value: Uint8Array, feeLimit = 0n): Promise<string> => {
    const head = chain.head()
    const raw = makeRawData(kind, value, { ...refOf(head), timestampMs: Math.max(ports.clock.nowMs(), head.timestampMs) + paid++, lifeMs: LIFE_MS, feeLimit })
    const sent = parseSent(raw, [signAs(key, raw)])
    await chain.take(sent)
    return sent.txid
  }
  const pay = (kind: Kind, value: Uint8Array, feeLimit: bigint) => sendAs(FAUCET_KEY, kind, value, feeLimit)
  const payCoin = (to: Uint8Array, amount: bigint) => {
    const message = { owner: fromHex(FAUCET_ADDRESS), to, amount }
    return pay('TransferContract', encodeMessage(CONTRACTS.TransferContract.message, message), 0n)
  }
  const path = `${config.dataFolder}/tron-${chain.chain.slice(-8)}-energy-market.json`
  const market = await openEnergyMarket({ ports, chain, send: sendAs, mineOne, payProvider: payCoin, path })
  // The head is as old as the last stop; nothing sent now could stand on it.
  if (chain.head().timestampMs + config.blockTimeMs <= ports.clock.nowMs()) await mineOne()
  const token = await ensureToken(chain, pay, mineOne)
  const ask = answersOf(chain, config.solidBlocks ?? 18)
  const answer = (path: string, asked: Asked) => ask(path.replace(/^\/wallet(solidity)?\//, ''), asked, path.startsWith('/walletsolidity/'))
  const rent = (method: string, at: string, asked: Asked) => inTurn(() => market.answer(method, at, asked))
  const server = await serve(ports.net, config, { answer: (path, asked) => inTurn(() => answer(path, asked)), rent })
  const { blockTimeMs, mining } = config
  const close = { server: () => server.close(), store: () => store.close() }
  const running = keepMining(ports, { what: 'TRON emulator', blockTimeMs, mining, inTurn, mineOne, pending: () => chain.pending().length, close })
  return {
    chain: chain.chain,
    url: `http://${HOST}:${server.port}`,
    token,
    pay: (contract, to, amount) =>
      inTurn(() => {
        const [owner, receiver] = [fromHex(FAUCET_ADDRESS), addressBytes(to)]
        if (contract === null) return payCoin(receiver, amount)
        const data = fromHex(`a9059cbb${toHex(receiver).slice(2).padStart(64, '0')}${amount.toString(16).padStart(64, '0')}`)
        return pay(
          'TriggerSmartContract',
          encodeMessage(CONTRACTS.TriggerSmartContract.message, { owner, contract: addressBytes(contract), data }),
          CALL_FEE_LIMIT,
        )
      }),
    heightOf: (txid) => {
      const height = chain.heightOf(txid)
      return height === undefined ? undefined : BigInt(height)
    },
    reorganise: (depth) =>
      inTurn(async () => {
        await chain.forget(depth)
        await store.replace(chain.stored())
        // A millisecond later, so that these blocks are others than those they replace.
        for (let i = 0; i <= depth; i++) await store.append(storedOf(await chain.mine(chain.head().timestampMs + config.blockTimeMs + 1)))
      }),
    ...running,
  }
}

type Pay = (kind: Kind, value: Uint8Array, feeLimit: bigint) => Promise<string>

/** The play-money dollar: the same contract as on the local EVM network, made by the faucet's account in the first blocks. */
async function ensureToken(chain: EmulatedChain, pay: Pay, mineOne: () => Promise<void>): Promise<Token> {
  const owner = fromHex(FAUCET_ADDRESS)
  const found = [...chain.world().contracts.values()].find(({ origin, name }) => origin === FAUCET_ADDRESS && name === 'DevDollar')
  let contract = found?.address
  if (!contract) {
    const created = {
      origin: owner,
      bytecode: fromHex(encodeDeployData({ abi: devDollar.abi as Abi, bytecode: devDollar.bytecode as Hex, args: [SYMBOL] }).slice(2)),
      name: new TextEncoder().encode('DevDollar'),
      originEnergyLimit: 10_000_000n,
    }
    const txid = await pay('CreateSmartContract', encodeMessage(KINDS.CreateSmartContract.message, { owner, created }), CODE_FEE_LIMIT)
    contract = `41${toHex(keccak_256(fromHex(txid + FAUCET_ADDRESS))).slice(-40)}`
    await mineOne()
    const mint = fromHex(`40c10f19${FAUCET_ADDRESS.slice(2).padStart(64, '0')}${SUPPLY.toString(16).padStart(64, '0')}`)
    const call = { owner, contract: fromHex(contract), data: mint }
    await pay('TriggerSmartContract', encodeMessage(CONTRACTS.TriggerSmartContract.message, call), CALL_FEE_LIMIT)
    await mineOne()
    const failed = [chain.head().number - 1, chain.head().number]
      .map((number) => known(chain.block(number), `block ${number}`).receipts[0])
      .find((receipt) => receipt?.result !== 'SUCCESS')
    if (failed) throw new Error(`the emulator's token was not made: ${failed.result}`)
  }
  return { symbol: SYMBOL, name: 'Development Dollar', contract: addressText(fromHex(contract)), decimals: 6 }
}

type Answers = {
  answer(path: string, asked: Asked): Promise<unknown>
  /** Of the provider of energy. */
  rent(method: string, at: string, asked: Asked): Promise<object | undefined>
}

/** Where the provider of energy answers, beneath the network's own address. */
const MARKET_PATH = '/energy-market/'

async function serve(net: Ports['net'], config: TronConfig, { answer, rent }: Answers) {
  const handle = async (request: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname === '/') return Response.json({ label: LABEL })
    try {
      const body = request.method === 'POST' ? await request.text() : ''
      if (body.length > BODY_MAX) return Response.json({ Error: 'the request is too long' }, { status: 413 })
      const asked = { ...Object.fromEntries(searchParams), ...(body === '' ? {} : JSON.parse(body)) }
      if (!pathname.startsWith(MARKET_PATH)) return Response.json(await answer(pathname, asked))
      const told = await rent(request.method, pathname.slice(MARKET_PATH.length), asked)
      return told ? Response.json(told) : Response.json({ error: 'the provider has quote, orders and orders/ID' }, { status: 404 })
    } catch (cause) {
      if (cause instanceof RentRefused) return Response.json({ error: cause.message }, { status: 400 })
      if (cause instanceof UnknownMethodError) return Response.json({ Error: `the emulator has no ${pathname}` }, { status: 404 })
      const code = cause instanceof TransactionRefused ? cause.code : 'OTHER_ERROR'
      const message = cause instanceof Error ? cause.message : String(cause)
      return Response.json({ Error: message, result: { code, message: messageHex(message) } })
    }
  }
  return serveHere(net, config.port, 'DEVNET_TRON_PORT', handle)
}
