import { type AssetRef, type ChainId, ChainError, type ChainNode, readBrc20Asset, type TransferOrder, type UnspentCoin } from '@holdfast/chain-core'
import type { Ports } from '@holdfast/ports'
import { requireScript } from '../codec/address.ts'
import type { ListedCoin } from '../codec/coin-locks.ts'
import { networkOf } from '../codec/networks.ts'
import { nameOf, sum } from '../codec/select-coins.ts'
import { count, id, record } from './answers.ts'
import { broadcast } from './broadcast.ts'
import { type Rates, readRates } from './estimate-fee.ts'
import { findSlotUse } from './find-slot-use.ts'
import { prepareCpfp } from './prepare-cpfp.ts'
import { coinsThatFit, type KnownSizes, prepareCancel, prepareTransfer, tiersOf } from './prepare-transfer.ts'
import { readBlock, readBlockHash, readWholeBlock, type WholeBlock } from './read-block.ts'
import { checkCoins, readBalance, scanCoins } from './read-coins.ts'
import { readTransaction } from './read-transaction.ts'
import { findPendingSpender, readPending, readPendingFee } from './read-pending.ts'
import { openRpc, type Rpc } from './rpc.ts'

export type BitcoinNodeConfig = Pick<Ports, 'fetch'> & {
  /** CAIP-2, such as `bip122:000000000019d6689c085ae165831e93`. */
  chain: ChainId
  /** Bitcoin Core's JSON-RPC, name and password in it. One source is one node. The node needs `txindex=1`. */
  rpcUrl: string
  timer: Pick<Ports['timer'], 'after'>
  timeoutMs?: number
  answerMaxBytes?: number
  /**
   * The coins of an address as the blocks that were read leave them. Each is asked for at the node before it is spent. Without it, the node scans its
   * whole set of coins at each question, which on the main network takes longer than anybody waits.
   */
  coinsOf?: (address: string) => Promise<readonly UnspentCoin[]>
  /** Rates for a node that has seen too little to estimate, in satoshi per 1,000 vbytes. */
  fallbackRates?: Rates
}

/** A Bitcoin node: what every chain's node does, and what only a chain of coins has. */
export type BitcoinNode = ChainNode &
  Required<Pick<ChainNode, 'coins' | 'prepareCancel'>> & {
    /** The coins of an address, those that wait without a height. */
    listCoins(address: string): Promise<readonly ListedCoin[]>
    /** A block with inputs and witnesses, for reading inscriptions and coins; undefined above the head. */
    readWholeBlock(height: bigint): Promise<WholeBlock | undefined>
  }

// A scan of the set of coins of the main network takes minutes; everything else is quick.
const TIMEOUT_MS = 60_000
// A full block with all that its inputs spent has some 20 MiB of JSON.
const ANSWER_MAX_BYTES = 128 << 20

/** One node of a network of the Bitcoin kind. All its methods throw ChainError for what the node does not answer properly. */
export function bitcoinNode(config: BitcoinNodeConfig): BitcoinNode {
  const { chain, rpcUrl, fetch, timer, timeoutMs = TIMEOUT_MS, answerMaxBytes = ANSWER_MAX_BYTES } = config
  const network = networkOf(chain)
  const rpc = oneScanAtATime(openRpc({ chain, rpcUrl, fetch, timer, timeoutMs, answerMaxBytes }))

  const knownSizes: KnownSizes = new Map()
  const assertAsset = (asset: AssetRef) => {
    if (asset.chain !== chain) throw new ChainError(`the asset is of ${asset.chain}, the node of ${chain}`)
    if (asset.contract !== null) throw new ChainError('this chain has no tokens that a node could tell of')
  }
  type Asked = Pick<TransferOrder, 'from' | 'to' | 'amount' | 'payments' | 'asset' | 'memo' | 'postages' | 'inscribes'>
  const assertOrder = ({ from, to, amount, payments, asset, memo, postages, inscribes }: Asked) => {
    // A token goes with the coin that carries it, or is inscribed first, and with no other order.
    if ((postages ?? inscribes) === undefined || readBrc20Asset(asset.contract) === undefined) assertAsset(asset)
    requireScript(network, from)
    for (const each of [{ to }, ...(payments ?? [])]) requireScript(network, each.to)
    if (payments && (payments[0]?.to !== to || sum(payments) !== amount)) throw new ChainError('the payments of the order are not what it says of them')
    if (memo !== undefined) throw new ChainError('this chain carries no memo')
  }
  /** This chain has no contracts and counts no slots. The node is asked all the same, so that no answer comes from one of another chain, or from none. */
  const assertKnown = async (address: string) => {
    requireScript(network, address)
    if (record(await rpc('validateaddress', address), 'address').isvalid !== true) throw new ChainError(`the node knows no address ${address}`)
  }
  const listCoins = async (address: string): Promise<readonly ListedCoin[]> => {
    const script = requireScript(network, address)
    return config.coinsOf
      ? checkCoins(
          rpc,
          (await config.coinsOf(address)).map((each) => listed(each, script)),
        )
      : (await scanCoins(rpc, network, address)).coins
  }
  return {
    chain,
    head: async () => {
      const info = record(await rpc('getblockchaininfo'), 'state of the chain')
      return { height: BigInt(count(info.blocks, 'height of the head')), hash: id(info.bestblockhash, 'hash of the head') }
    },
    blockHash: (height) => readBlockHash(rpc, height),
    readBlock: (height) => readBlock(rpc, network, height),
    readWholeBlock: (height) => readWholeBlock(rpc, network, height),
    estimateFee: async (order) => {
      assertOrder(order)
      const rates = await readRates(rpc, config.fallbackRates)
      return tiersOf(chain, rates, order, await coinsThatFit(rpc, chain, order, await listCoins(order.from), rates[1], knownSizes))
    },
    nextSlot: async (address) => {
      await assertKnown(address)
      return 0n
    },
    slotUse: async (address, unsigned, height) => {
      requireScript(network, address)
      return findSlotUse(rpc, chain, unsigned, height)
    },
    prepare: async (order) => {
      assertOrder(order)
      if (order.cpfpFor !== undefined) return prepareCpfp(rpc, chain, { ...order, cpfpFor: order.cpfpFor }, config.fallbackRates)
      return prepareTransfer(rpc, chain, order, await listCoins(order.from), config.fallbackRates)
    },
    prepareCancel: async (order) => {
      requireScript(network, order.from)
      return prepareCancel(rpc, order, config.fallbackRates)
    },
    broadcast: (raw) => broadcast(rpc, chain, raw),
    transaction: (txid) => readTransaction(rpc, txid),
    balance: async (address, asset, height) => {
      assertAsset(asset)
      requireScript(network, address)
      return readBalance(rpc, network, address, height)
    },
    isContract: async (address) => {
      await assertKnown(address)
      return false
    },
    listCoins,
    coins: {
      unspent: async (address) => (await listCoins(address)).map((coin) => ({ outpoint: nameOf(coin), address, amount: coin.amount, height: coin.height })),
      pending: (memory, wanted) => readPending(rpc, network, memory, wanted),
      pendingSpender: (outpoints) => findPendingSpender(rpc, outpoints),
      pendingFee: (txid) => readPendingFee(rpc, txid),
    },
  }
}

function listed({ outpoint, amount: value, height }: UnspentCoin, script: Uint8Array): ListedCoin {
  const [txid = '', index] = outpoint.split(':')
  return { txid, index: Number(index), amount: value, script, height }
}

/** Core scans its set of coins once at a time and refuses a second scan: ours wait for each other. */
function oneScanAtATime(rpc: Rpc): Rpc {
  let last: Promise<unknown> = Promise.resolve()
  return (method, ...params) => {
    if (method !== 'scantxoutset') return rpc(method, ...params)
    const scan = last.then(() => rpc(method, ...params))
    last = scan.catch(() => undefined)
    return scan
  }
}
