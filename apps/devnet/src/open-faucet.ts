import { codecFor } from '@holdfast/chain-evm/codec'
import type { Ports } from '@holdfast/ports'
import { AmountTextFault, known, parseAmount } from '@holdfast/units'
import { type Address, BaseError, erc20Abi, type Hex } from 'viem'
import { type Collection, mintToken } from './ensure-collections.ts'
import type { PricedAsset } from './invent-prices.ts'
import type { MiningSwitch } from './mine-blocks.ts'
import type { Network } from './open-network.ts'
import type { EvmNetwork } from './start-evm.ts'

export type FaucetErrorCode = 'bad_request' | 'bad_address' | 'bad_asset' | 'bad_amount' | 'over_limit' | 'busy' | 'refused' | 'not_included'

/** Why a request got nothing, for the person who made it. */
export class FaucetError extends Error {
  override name = 'FaucetError'
  readonly code: FaucetErrorCode

  constructor(code: FaucetErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

export type Asset = { symbol: string; decimals: number; contract: string | null; limit: string }
/** `height` is null if the payment waits, because mining is paused. */
export type Paid = { txid: string; height: string | null }
/** What pays on a network beside the first one. `isAddress`: an address that tells that it is of that network. `mining`: where it can be paused. */
export type BesideFaucet = {
  chain: string
  assets: Asset[]
  mining?: MiningSwitch
  isAddress(text: string): boolean
  fund(body: Record<string, unknown>): Promise<Paid>
}
/** `collectibles` are counted in pieces and have no price; `priced` are the coins of all networks that it pays on. */
export type Faucet = BesideFaucet & {
  collectibles: Asset[]
  priced: PricedAsset[]
  fund(body: unknown): Promise<Paid>
  /** Pauses the mining of the network that a request names, or goes on with it. */
  pause(body: unknown): { paused: boolean }
}

const WAITING_MAX = 50
const POLL_MS = 50
const WAIT_BLOCKS = 20
const WAIT_MS = 10_000

/** Pays play money from an EVM network's own account, or on the network beside it that is named or that the address is of. Every failure of `fund` is a FaucetError. */
export function openFaucet(
  ports: Pick<Ports, 'clock' | 'timer'>,
  { chain, coin, network, token, collections }: Pick<EvmNetwork, 'chain' | 'coin' | 'network' | 'token' | 'collections'>,
  blockTimeMs: number,
  beside: readonly BesideFaucet[] = [],
): Faucet {
  const assets: Asset[] = [
    { symbol: coin, decimals: 18, contract: null, limit: '1000' },
    { symbol: token.symbol, decimals: token.decimals, contract: token.contract, limit: '1000000' },
  ]
  const collectibles = collections.map(({ standard, symbol, contract }) => ({ symbol, decimals: 0, contract, limit: standard === 'erc721' ? '1' : '1000' }))
  let waiting = 0
  let last: Promise<unknown> = Promise.resolve()

  const on = (of: string, listed: Asset[]): PricedAsset[] => listed.map(({ contract }) => ({ chain: of, contract }))
  return {
    chain,
    assets,
    // Every EVM network has the same addresses.
    isAddress: () => false,
    collectibles,
    pause: (body) => {
      const { chain: named, paused } = (body ?? {}) as Record<string, unknown>
      const mining = beside.find((each) => each.chain === named)?.mining
      if (!mining || typeof paused !== 'boolean') throw new FaucetError('bad_request', 'send a JSON object with the chain of Bitcoin and paused, true or false')
      mining.paused = paused
      return { paused }
    },
    priced: [...on(chain, assets), ...beside.flatMap((each) => on(each.chain, each.assets))],
    fund: async (body) => {
      const { address, chain: named } = (body ?? {}) as Record<string, unknown>
      // Which network a payment is on, its address says, and else the request; without a word it is this one.
      const of = typeof address === 'string' ? beside.find((each) => each.isAddress(address.trim())) : undefined
      const other = of ?? beside.find((each) => each.chain === named)
      if (named !== undefined && named !== (other?.chain ?? chain))
        throw new FaucetError('bad_request', 'chain names no network of this faucet that the address is of')
      if (other) return other.fund(body as Record<string, unknown>)
      const { asset, to, amount } = parseRequest([...assets, ...collectibles], chain, body)
      if (waiting >= WAITING_MAX) throw new FaucetError('busy', 'too many requests wait already: try again in a few seconds')
      waiting++
      try {
        // One after the other up to the pool, or two payments would take the same nonce.
        const sent = last.then(() => send(network, collections, asset, to, amount))
        last = sent.catch(() => undefined)
        return await included(ports, network, await sent, WAIT_BLOCKS * blockTimeMs + WAIT_MS)
      } finally {
        waiting--
      }
    },
  }
}

function parseRequest(assets: Asset[], chain: string, body: unknown): { asset: Asset; to: Address; amount: bigint } {
  if (typeof body !== 'object' || body === null) throw new FaucetError('bad_request', 'send a JSON object with address, asset and amount')
  const { address, asset: symbol, amount: text } = body as Record<string, unknown>
  const to = typeof address === 'string' ? known(codecFor(chain), `the codec of ${chain}`).canonicalAddress(address.trim()) : undefined
  if (to === undefined) throw new FaucetError('bad_address', 'address must be 0x and 40 hexadecimal digits; in mixed case every letter must be exact')
  const asset = assets.find((each) => each.symbol === symbol)
  if (!asset) throw new FaucetError('bad_asset', `asset must be one of ${assets.map((each) => each.symbol).join(', ')}`)
  return { asset, to: to as Address, amount: parseSum(asset, text) }
}

/** The amount that a request names, in base units. Throws FaucetError if it is none or too much. */
export function parseSum(asset: Asset, text: unknown): bigint {
  if (typeof text !== 'string') throw new FaucetError('bad_amount', 'amount must be a text, such as "1.5"')
  let amount: bigint
  try {
    amount = parseAmount(text.trim(), asset.decimals)
  } catch (cause) {
    throw cause instanceof AmountTextFault ? new FaucetError('bad_amount', cause.message) : cause
  }
  if (amount === 0n) throw new FaucetError('bad_amount', 'amount must be more than zero')
  if (amount > parseAmount(asset.limit, asset.decimals)) throw new FaucetError('over_limit', `at most ${asset.limit} ${asset.symbol} at a time`)
  return amount
}

async function send(network: Network, collections: readonly Collection[], { contract }: Asset, to: Address, amount: bigint): Promise<Hex> {
  const collection = collections.find((each) => each.contract === contract)
  const nonce = await network.getTransactionCount({ address: network.account.address, blockTag: 'pending' })
  try {
    if (collection) return await mintToken(network, collection, to, amount)
    if (contract === null) return await network.sendTransaction({ to, value: amount, nonce })
    return await network.writeContract({ address: contract as Address, abi: erc20Abi, functionName: 'transfer', args: [to, amount], nonce })
  } catch (cause) {
    throw new FaucetError('refused', `the network refused the payment: ${cause instanceof BaseError ? cause.shortMessage.slice(0, 200) : 'no answer'}`)
  }
}

async function included(ports: Pick<Ports, 'clock' | 'timer'>, network: Network, hash: Hex, waitMs: number): Promise<Paid> {
  const startedMs = ports.clock.monotonicMs()
  while (ports.clock.monotonicMs() - startedMs < waitMs) {
    const receipt = await network.getTransactionReceipt({ hash }).catch(() => undefined)
    if (receipt?.status === 'success') return { txid: hash, height: String(receipt.blockNumber) }
    if (receipt) throw new FaucetError('refused', `the payment ${hash} failed on the network`)
    await ports.timer.sleep(POLL_MS)
  }
  throw new FaucetError('not_included', `the payment ${hash} was sent but is in no block yet: look for it before asking again`)
}
