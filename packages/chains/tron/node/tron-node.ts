import { type AssetRef, ChainError, type ChainNode, type TransferOrder } from '@holdfast/chain-core'
import { toHex } from '@holdfast/encoding'
import type { Ports } from '@holdfast/ports'
import { addressBytes, canonicalAddress } from '../codec/address.ts'
import type { Frame } from '../codec/build.ts'
import { tronCodec } from '../codec/tron-codec.ts'
import { count, hexData, isNothing, list, record } from './answers.ts'
import { broadcast } from './broadcast.ts'
import { estimateFee, readPrices } from './estimate-fee.ts'
import { findSlotUse } from './find-slot-use.ts'
import { prepareTransfer, readFrame } from './prepare-transfer.ts'
import { blockAt, headerOf, readBlock } from './read-block.ts'
import { readControl } from './read-control.ts'
import { readResources, readStaked } from './read-resources.ts'
import { readTransaction } from './read-transaction.ts'
import { openRpc } from './rpc.ts'

export type TronNodeConfig = Pick<Ports, 'fetch'> & {
  /** CAIP-2, such as `tron:0x2b6653dc`. */
  chain: string
  /** Where the node's HTTP interface begins, above `/wallet`. One source is one node: give every further URL its own. */
  rpcUrl: string
  /** The TRC-20 contracts whose transfers are read; everything else that logs a transfer is ignored. */
  tokens: readonly string[]
  timer: Pick<Ports['timer'], 'after'>
  timeoutMs?: number
  answerMaxBytes?: number
  /** How long a prepared transaction can be taken by the chain; until then its order can have no other. At most 24 hours. */
  validForMs?: number
}

/** A node of a TRON chain: what every chain's node does, and what only TRON has. */
export type TronNode = ChainNode &
  Required<Pick<ChainNode, 'stake' | 'control'>> & {
    /** For `buildTransfer` and `buildStake`: what a transaction made now says of its place and time. */
    frame(): Promise<Frame>
  }

const TIMEOUT_MS = 15_000
const ANSWER_MAX_BYTES = 64 << 20
const VALID_FOR_MS = 30 * 60_000
const VALID_FOR_MAX_MS = 24 * 3_600_000 - 60_000
const BALANCE_OF_SELECTOR = '70a08231'

/** One node of a TRON chain through its HTTP interface. All its methods throw ChainError for what the node does not answer properly. */
export function tronNode(config: TronNodeConfig): TronNode {
  const { chain, validForMs = VALID_FOR_MS, timeoutMs = TIMEOUT_MS, answerMaxBytes = ANSWER_MAX_BYTES } = config
  if (validForMs <= 0 || validForMs > VALID_FOR_MAX_MS) throw new ChainError(`a transaction cannot be valid for ${validForMs} ms: at most ${VALID_FOR_MAX_MS}`)
  const codec = tronCodec({ chain })
  const { rpcUrl, fetch, timer } = config
  const rpc = openRpc({ chain, rpcUrl, fetch, timer, timeoutMs, answerMaxBytes })
  const watch = { chain, tokens: new Set(config.tokens.map(requireAddress)) }
  const assertAsset = (asset: AssetRef) => {
    if (asset.chain !== chain) throw new ChainError(`the asset is of ${asset.chain}, the node of ${chain}`)
    if (asset.contract !== null) requireAddress(asset.contract)
  }
  const assertOrder = ({ from, to, asset }: Pick<TransferOrder, 'from' | 'to' | 'asset'>) => {
    assertAsset(asset)
    requireAddress(from)
    requireAddress(to)
  }
  const headAt = async (path: string) => {
    const { height, hash } = headerOf(await rpc(path, {}))
    return { height, hash }
  }
  const balanceNow = async (address: string, { contract }: AssetRef): Promise<bigint> => {
    const holder = toHex(addressBytes(address))
    if (contract === null) return count(record(await rpc('wallet/getaccount', { address: holder }), 'account').balance, 'balance')
    const data = `${BALANCE_OF_SELECTOR}${holder.slice(2).padStart(64, '0')}`
    const answer = record(
      await rpc('wallet/triggerconstantcontract', { owner_address: holder, contract_address: toHex(addressBytes(contract)), data }),
      'balance',
    )
    const [word] = list(answer.constant_result, 'token balance')
    const bytes = hexData(word, 'token balance')
    if (bytes.length !== 32) throw new ChainError(`there is no TRC-20 token at ${contract}`)
    return BigInt(`0x${toHex(bytes)}`)
  }
  // Nodes of TRON keep nothing of the past: an answer counts for a height only where no block came while it was given.
  const atHead = async (height: bigint | undefined, ask: () => Promise<bigint>): Promise<bigint> => {
    if (height === undefined) return ask()
    const before = await headAt('wallet/getnowblock')
    const answer = await ask()
    const after = await headAt('wallet/getnowblock')
    if (before.height === height && before.hash === after.hash) return answer
    throw new ChainError(`the node keeps no balances of the past: block ${height} is not its head`)
  }
  return {
    chain,
    head: () => headAt('wallet/getnowblock'),
    finalHead: () => headAt('walletsolidity/getnowblock'),
    blockHash: async (height) => {
      const claim = await blockAt(rpc, height)
      return claim === undefined ? undefined : headerOf(claim).hash
    },
    readBlock: (height) => readBlock(rpc, watch, height),
    estimateFee: async (order) => {
      assertOrder(order)
      return estimateFee(rpc, codec, order, await readFrame(rpc, validForMs))
    },
    nextSlot: async (address) => {
      requireAddress(address)
      return 0n
    },
    slotUse: async (address, unsigned, height) => {
      if (codec.decode(unsigned).from !== requireAddress(address)) throw new ChainError(`the transaction is no order of ${address}`)
      return findSlotUse(rpc, codec, unsigned, height)
    },
    prepare: async (order) => {
      assertOrder(order)
      return prepareTransfer(rpc, codec, order, validForMs)
    },
    broadcast: (raw) => broadcast(rpc, codec, raw),
    transaction: (txid) => readTransaction(rpc, txid),
    balancesOfHeadAlone: true,
    balance: async (address, asset, height) => {
      assertAsset(asset)
      const holder = requireAddress(address)
      return atHead(height, () => balanceNow(holder, asset))
    },
    isContract: async (address) => !isNothing(await rpc('wallet/getcontract', { value: toHex(addressBytes(requireAddress(address))) })),
    control: (address) => readControl(rpc, requireAddress(address)),
    stake: {
      staked: async (address, height) => {
        const holder = requireAddress(address)
        return atHead(height, () => readStaked(rpc, holder))
      },
      resources: (address) => readResources(rpc, requireAddress(address)),
      energyPrice: async () => (await readPrices(rpc)).energy,
    },
    frame: () => readFrame(rpc, validForMs),
  }
}

function requireAddress(text: string): string {
  const canonical = canonicalAddress(text)
  if (canonical === undefined) throw new ChainError(`not an address of this chain: ${JSON.stringify(text.slice(0, 60))}; check every character`)
  return canonical
}
