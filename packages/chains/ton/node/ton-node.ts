import { type AssetRef, ChainError, type ChainNode, type TransferOrder } from '@holdfast/chain-core'
import type { Ports } from '@holdfast/ports'
import { type Address, addressText, requireAddress } from '../codec/address.ts'
import { jettonWalletAddress, pinnedForm } from '../codec/jetton.ts'
import { requireNetwork } from '../codec/network.ts'
import { tonCodec } from '../codec/ton-codec.ts'
import { isWalletCode } from '../codec/wallet.ts'
import { type Account, readAccount } from './account.ts'
import { masterId, readHead } from './blocks.ts'
import { broadcast } from './broadcast.ts'
import { findSlotUse } from './find-slot-use.ts'
import { openHistory } from './history.ts'
import { jettonBalance, openForms } from './jettons.ts'
import { estimateFee, type Preparing, prepareTransfer } from './prepare-transfer.ts'
import { readBlock } from './read-block.ts'
import { readTransaction } from './read-transaction.ts'
import { rememberAnswers } from './remember-answers.ts'
import { openRpc } from './rpc.ts'
import { openSenders } from './senders.ts'
import { walletState } from './wallet-state.ts'

export type TonNodeConfig = Pick<Ports, 'fetch'> & {
  /** CAIP-2, such as `ton:-239`. */
  chain: string
  /** Where toncenter's second interface takes JSON-RPC, mostly ending in `/api/v2/jsonRPC`. One source is one node: give every further URL its own. */
  rpcUrl: string
  /** The masters of the jettons whose transfers are read; what all others tell counts for nothing. */
  tokens: readonly string[]
  timer: Pick<Ports['timer'], 'after'>
  /** The ed25519 key of a paying address, or undefined if it is not known: a wallet's first order brings it to the chain. */
  publicKeyOf: Preparing['publicKeyOf']
  timeoutMs?: number
  answerMaxBytes?: number
  /** How long a prepared order can be carried out; until then its slot can have no other. At most 24 hours. */
  validForMs?: number
}

const TIMEOUT_MS = 15_000
const ANSWER_MAX_BYTES = 64 << 20
const VALID_FOR_MS = 30 * 60_000
const VALID_FOR_MAX_MS = 24 * 3_600_000

/** One node of TON through toncenter's second interface. All its methods throw ChainError for what the node does not answer properly. */
export function tonNode(config: TonNodeConfig): ChainNode {
  const { chain, validForMs = VALID_FOR_MS, timeoutMs = TIMEOUT_MS, answerMaxBytes = ANSWER_MAX_BYTES, rpcUrl, fetch, timer, publicKeyOf } = config
  if (validForMs < 1_000 || validForMs > VALID_FOR_MAX_MS) throw new ChainError(`an order cannot be valid for ${validForMs} ms: at most ${VALID_FOR_MAX_MS}`)
  const network = requireNetwork(chain)
  const { isTest } = network
  const codec = tonCodec({ chain })
  const tokens = config.tokens.map((each) => requireAddress(each, isTest))
  const rpc = openRpc({ chain, globalId: network.globalId, rpcUrl, fetch, timer, timeoutMs, answerMaxBytes })
  const [forms, history] = [openForms(rpc), openHistory(rpc)]
  const answers = rememberAnswers(rpc)
  const watch = { network, tokens, forms, senders: openSenders(answers.ask) }
  const preparing = { rpc, network, forms, validForMs, publicKeyOf }
  const head = async () => {
    const { height, hash } = await readHead(rpc)
    return { height, hash }
  }
  const assertAsset = (asset: AssetRef) => {
    if (asset.chain !== chain) throw new ChainError(`the asset is of ${asset.chain}, the node of ${chain}`)
    if (asset.contract !== null) requireAddress(asset.contract, isTest)
  }
  const canonical = <T extends Pick<TransferOrder, 'from' | 'to' | 'asset' | 'payments'>>(order: T): T => {
    assertAsset(order.asset)
    const text = (each: string) => addressText(requireAddress(each, isTest), isTest)
    const payments = order.payments?.map((each) => ({ ...each, to: text(each.to) }))
    return { ...order, from: text(order.from), to: text(order.to), ...(payments && { payments }) }
  }
  const balanceOf = async (holder: Address, contract: string | null): Promise<{ account: Account; balance: bigint }> => {
    if (contract === null) {
      const account = await readAccount(rpc, holder)
      return { account, balance: account.balance }
    }
    const master = requireAddress(contract, isTest)
    const form = await forms(master)
    const account = await readAccount(rpc, jettonWalletAddress(form, master, holder))
    return { account, balance: account.contract ? jettonBalance(form, account.contract.data) : 0n }
  }
  return {
    chain,
    head,
    // Validators have signed every block of the masterchain before anybody shows it; none is ever replaced.
    finalHead: head,
    blockHash: async (height) => (await masterId(rpc, height))?.hash,
    readBlock: (height) => answers.during(() => readBlock(answers.ask, watch, height)),
    estimateFee: async (order) => estimateFee(preparing, canonical(order)),
    tokenWallets: async (contract) => pinnedForm(addressText(requireAddress(contract, isTest), isTest), await forms(requireAddress(contract, isTest))),
    nextSlot: async (address) => walletState(await readAccount(rpc, requireAddress(address, isTest))).seqno,
    slotUse: async (address, unsigned, height) => {
      if (codec.decode(unsigned).from !== codec.canonicalAddress(address)) throw new ChainError(`the transaction is no order of ${address}`)
      return findSlotUse(rpc, network, { codec, history }, unsigned, height)
    },
    prepare: async (order) => prepareTransfer(preparing, canonical(order)),
    broadcast: (raw) => broadcast(rpc, codec, chain, raw),
    transaction: (txid, sinceMs) => readTransaction(rpc, network, history, txid, sinceMs),
    balancesOfHeadAlone: true,
    balance: async (address, asset, height) => {
      assertAsset(asset)
      const { account, balance } = await balanceOf(requireAddress(address, isTest), asset.contract)
      if (height === undefined || account.height === height) return balance
      throw new ChainError(`the node keeps no balances of the past: it told of block ${account.height}, not of ${height}`)
    },
    isContract: async (address) => {
      const { contract } = await readAccount(rpc, requireAddress(address, isTest))
      return contract !== undefined && !isWalletCode(contract.code)
    },
    isUninitialised: async (address) => (await readAccount(rpc, requireAddress(address, isTest))).contract === undefined,
  }
}
