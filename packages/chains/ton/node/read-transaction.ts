import { ChainError, type TransactionState } from '@holdfast/chain-core'
import { type Address, rawAddress, requireAddress, sameAddress } from '../codec/address.ts'
import { OP_INTERNAL_TRANSFER, OP_TRANSFER } from '../codec/jetton.ts'
import type { Network } from '../codec/network.ts'
import { idOf, MASTER_SHARD, readHead } from './blocks.ts'
import type { History } from './history.ts'
import { changeIn, opOf, readTransactions } from './read-block.ts'
import { NodeRefused, type Rpc } from './rpc.ts'
import { type Internal, type Transaction, transactionOf } from './transaction.ts'

/** Masterchain blocks within which a shard block is taken in; much later it is only where the chain itself stands still. */
const TAKEN_IN_WITHIN = 32n

/**
 * Where a transaction stands that began at a wallet. It is `included` in the block where what it ordered has arrived, which may be some blocks
 * after the wallet's own, and once everything is known that it cost: for a jetton, what came back of the coin sent along. Nothing from before `sinceMs`
 * is looked at.
 */
export async function readTransaction(rpc: Rpc, network: Network, history: History, txid: string, sinceMs = 0n): Promise<TransactionState> {
  const { hash, wallet } = parseId(txid, network)
  const carriedOut = (await history(wallet, { sinceMs, isEnough: ({ id }) => id === hash })).orders.get(hash)
  if (!carriedOut) return { state: 'unknown' }
  const { transaction } = carriedOut
  const outcome = await follow(rpc, transaction)
  const place = outcome && (await findBlock(rpc, outcome.end))
  return place ? { state: 'included', ...place, success: outcome.success, fee: outcome.fee } : { state: 'pending' }
}

export function parseId(txid: string, { isTest }: Network): { hash: string; wallet: Address } {
  const [, hash, address = ''] = /^([0-9a-f]{64}):(.{48})$/.exec(txid) ?? []
  if (hash === undefined) throw new ChainError(`not the id of a transaction of this chain: ${JSON.stringify(txid.slice(0, 130))}`)
  return { hash, wallet: requireAddress(address, isTest) }
}

type Outcome = { end: Transaction; success: boolean; fee: bigint }

/** Follows an order to its end; undefined while something of it is still on its way. */
async function follow(rpc: Rpc, order: Transaction): Promise<Outcome | undefined> {
  const fees = order.fees + order.sent.reduce((sum, { forwardFee }) => sum + forwardFee, 0n)
  const [message, ...more] = order.sent
  if (!message) return { end: order, success: false, fee: fees }
  // Orders of other wallets may send more messages; what the first one does then stands for all.
  if (more.length > 0 || opOf(message) !== OP_TRANSFER) {
    const arrived = await arrivalOf(rpc, message)
    return arrived && { end: arrived, success: !isSentBack(arrived), fee: fees }
  }
  return followJetton(rpc, order.account, message, fees + message.value)
}

/** Payer's jetton wallet, payee's jetton wallet, and back to the payer with what is left; or back from where it failed. */
async function followJetton(rpc: Rpc, payer: Address, message: Internal, fee: bigint): Promise<Outcome | undefined> {
  let end: Transaction | undefined
  let success = false
  let next: Internal | undefined = message
  for (const hop of ['own wallet', 'their wallet', 'back', 'back']) {
    const arrived: Transaction | undefined = next && (await arrivalOf(rpc, next))
    if (!next || !arrived) return undefined
    if (sameAddress(arrived.account, payer)) {
      // What comes back is taken in by the payer's wallet for a fee of its own. More than went along is no part of the cost: a block tells of the rest as a payment.
      const back = next.value < message.value ? next.value : message.value
      return { end: end ?? arrived, success, fee: fee - back + arrived.fees }
    }
    const isTheirs: boolean = hop === 'their wallet' && opOf(next) === OP_INTERNAL_TRANSFER && !next.isBounced
    if (isTheirs && !arrived.isAborted) {
      success = true
      end = arrived
    }
    const returned = changeIn(arrived, payer)
    const onward: Internal | undefined = isTheirs ? undefined : arrived.sent.find((each) => opOf(each) === OP_INTERNAL_TRANSFER)
    const bounced: Internal | undefined = arrived.sent.find(({ isBounced }) => isBounced)
    next = returned ?? onward ?? bounced
    if (!next) return { end: end ?? arrived, success, fee }
  }
  return end && { end, success, fee }
}

const isSentBack = ({ sent }: Transaction) => sent.some(({ isBounced }) => isBounced)

/** The transaction that a message led to, or undefined if it has not arrived. */
async function arrivalOf(rpc: Rpc, { from, to, createdLt, id }: Internal): Promise<Transaction | undefined> {
  let claim: unknown
  try {
    claim = await rpc('tryLocateResultTx', { source: rawAddress(from), destination: rawAddress(to), created_lt: String(createdLt) })
  } catch (cause) {
    if (cause instanceof NodeRefused) return undefined
    throw cause
  }
  const found = transactionOf(claim, to.workchain)
  if (found.message?.kind !== 'internal' || found.message.id !== id) throw new ChainError(`the node gave transaction ${found.hash} as one that it is not`)
  return found
}

/** The block that really lists a transaction, among those that can have taken it in; undefined if none has yet. */
export async function findBlock(rpc: Rpc, { hash, lt }: Transaction): Promise<{ height: bigint; blockHash: string } | undefined> {
  let first: bigint
  try {
    const id = idOf(await rpc('lookupBlock', { workchain: -1, shard: MASTER_SHARD, lt: String(lt) }))
    first = BigInt(id.seqno)
  } catch (cause) {
    // Above the masterchain's own time: it has not been taken in.
    if (cause instanceof NodeRefused) return undefined
    throw cause
  }
  const { height: head } = await readHead(rpc)
  // Nodes differ in whether they give the block before or after a time between two.
  for (let height = first > 0n ? first - 1n : first; height <= head && height <= first + TAKEN_IN_WITHIN; height++) {
    const read = await readTransactions(rpc, height)
    if (read?.transactions.some((each) => each.hash === hash)) return { height, blockHash: read.block.hash }
  }
  return undefined
}
