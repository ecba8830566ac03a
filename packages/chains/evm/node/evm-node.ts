import { type AssetRef, ChainError, type ChainNode, type NftStandard, readCollection, type TransferOrder } from '@holdfast/chain-core'
import type { Ports } from '@holdfast/ports'
import { fromHex } from '@holdfast/encoding'
import { known } from '@holdfast/units'
import { canonicalAddress } from '../codec/address.ts'
import { delegateOfCode } from '../codec/collect/index.ts'
import { evmCodec } from '../codec/evm-codec.ts'
import { evmChainId } from '../codec/chain-number.ts'
import { hasDelegation } from '../codec/set-code/networks.ts'
import { hash, hexData, quantity, record } from './answers.ts'
import { broadcast } from './broadcast.ts'
import { describeToken } from './describe-token.ts'
import { estimateFee } from './estimate-fee.ts'
import { findSlotUse } from './find-slot-use.ts'
import { prepareCancel, prepareTransfer } from './prepare-transfer.ts'
import { openTracer } from './internal-transfers.ts'
import { openProver } from './prove-block.ts'
import { readBlock } from './read-block.ts'
import { openReceipts } from './read-receipts.ts'
import { readTransaction } from './read-transaction.ts'
import { openRollupFee } from './rollup-fee.ts'
import { openRpc } from './rpc.ts'
import { simulateCall } from './simulate-call.ts'
import { readAllowance, readApproved, readOperator, tokenBalance } from './token-balance.ts'
import type { Watch } from './token-logs.ts'
import { tokenSigns } from './token-signs.ts'

export type EvmNodeConfig = Pick<Ports, 'fetch'> & {
  /** CAIP-2, such as `eip155:1`. */
  chain: string
  /** One source is one node: give every further URL its own, so that their answers can be compared. */
  rpcUrl: string
  /** The tokens whose transfers are read: an ERC-20 by its address, a collection by its asset text. Everything else that logs a transfer is ignored. */
  tokens: readonly string[]
  timer: Pick<Ports['timer'], 'after'>
  timeoutMs?: number
  answerMaxBytes?: number
}

/** A node of an EVM chain. */
export type EvmNode = ChainNode & Required<Pick<ChainNode, 'contracts' | 'prepareCancel'>>

const TIMEOUT_MS = 15_000
// A full block's receipts have a few MiB; ten times that is an attack or a defect.
const ANSWER_MAX_BYTES = 64 << 20

/** One JSON-RPC node of an EVM chain. All its methods throw ChainError for what the node does not answer properly. */
export function evmNode(config: EvmNodeConfig): EvmNode {
  const { chain, rpcUrl, fetch, timer, timeoutMs = TIMEOUT_MS, answerMaxBytes = ANSWER_MAX_BYTES } = config
  const codec = evmCodec({ chain })
  const rpc = openRpc({ chainId: known(evmChainId(chain), `the number of ${chain}`), rpcUrl, fetch, timer, timeoutMs, answerMaxBytes })
  const watch: Watch = { chain, tokens: new Map(config.tokens.map(watchedToken)), added: new Set() }
  const fees = { rpc, rollupFee: openRollupFee(rpc) }
  const asking = { rpc, trace: openTracer(rpc), receipts: openReceipts(rpc), prove: openProver(chain), watch }

  const assertAsset = (asset: AssetRef) => {
    if (asset.chain !== chain) throw new ChainError(`the asset is of ${asset.chain}, the node of ${chain}`)
    if (asset.contract !== null) requireAddress(readCollection(asset.contract)?.collection ?? asset.contract)
  }
  const assertOrder = ({ from, to, asset }: Pick<TransferOrder, 'from' | 'to' | 'asset'>) => {
    assertAsset(asset)
    requireAddress(from)
    requireAddress(to)
  }
  return {
    chain,
    head: async () => {
      const block = record(await rpc('eth_getBlockByNumber', ['latest', false]), 'block')
      return { height: quantity(block.number, 'block number'), hash: hash(block.hash, 'block hash') }
    },
    blockHash: async (height) => {
      const claim = await rpc('eth_getBlockByNumber', [`0x${height.toString(16)}`, false])
      return claim === null ? undefined : hash(record(claim, 'block').hash, 'block hash')
    },
    readBlock: async (height) => {
      if (height < 0n) throw new ChainError(`there is no block ${height}`)
      return readBlock(asking, height)
    },
    estimateFee: async (order) => {
      assertOrder(order)
      return estimateFee(fees, order)
    },
    nextSlot: async (address) => quantity(await rpc('eth_getTransactionCount', [requireAddress(address), 'pending']), 'nonce'),
    slotUse: (address, unsigned, height) => findSlotUse(rpc, codec, requireAddress(address), codec.decode(unsigned).slot, height),
    prepare: async (order) => {
      assertOrder(order)
      return prepareTransfer(fees, order)
    },
    prepareCancel: async (order) => prepareCancel(fees, chain, { ...order, from: requireAddress(order.from) }),
    broadcast: (raw) => broadcast(rpc, codec, raw),
    transaction: (txid) => readTransaction(rpc, txid),
    balance: async (address, asset, height) => {
      assertAsset(asset)
      const at = height === undefined ? 'latest' : `0x${height.toString(16)}`
      const holder = requireAddress(address)
      if (asset.contract === null) return quantity(await rpc('eth_getBalance', [holder, at]), 'balance')
      return tokenBalance(rpc, holder, asset.contract, at)
    },
    // An account that delegates to code (EIP-7702) runs it when it is paid, so it counts as a contract too.
    isContract: async (address) => hexData(await rpc('eth_getCode', [requireAddress(address), 'latest']), 'code') !== '0x',
    contracts: {
      simulateCall: (from, call) => {
        assertOrder({ from, to: call.contract, asset: { chain, contract: null } })
        return simulateCall(rpc, chain, requireAddress(from), call)
      },
      watch: (contract) => {
        const token = requireAddress(contract)
        if (watch.tokens.has(token)) return
        watch.tokens.set(token, 'erc20')
        watch.added.add(token)
      },
      describeToken: (contract) => {
        assertAsset({ chain, contract })
        return describeToken(rpc, contract)
      },
      tokenSigns: (contract) => tokenSigns(rpc, chain, requireAddress(contract)),
      allowance: async (owner, spender, token) =>
        readCollection(token) ? undefined : readAllowance(rpc, requireAddress(owner), requireAddress(spender), requireAddress(token)),
      isOperator: (owner, operator, collection) => readOperator(rpc, requireAddress(owner), requireAddress(operator), requireAddress(collection)),
      approvedFor: (collection, tokenId) => readApproved(rpc, requireAddress(collection), tokenId),
      ...(hasDelegation(chain) && {
        delegateOf: async (account) => delegateIn(fromHex(hexData(await rpc('eth_getCode', [requireAddress(account), 'latest']), 'code').slice(2))),
      }),
    },
  }
}

function delegateIn(code: Uint8Array): string | null {
  const delegate = delegateOfCode(code)
  if (delegate === undefined && code.length > 0) throw new ChainError('the account has code of its own, so that it delegates to nobody')
  return delegate ?? null
}

function watchedToken(token: string): [string, 'erc20' | NftStandard] {
  const collection = readCollection(token)
  return collection ? [requireAddress(collection.collection), collection.standard] : [requireAddress(token), 'erc20']
}

function requireAddress(text: string): string {
  const canonical = canonicalAddress(text)
  if (canonical === undefined) throw new ChainError(`not an address of this chain: ${JSON.stringify(text.slice(0, 60))}; check every digit`)
  return canonical
}
