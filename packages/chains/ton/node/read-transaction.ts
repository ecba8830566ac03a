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
 * Where a transaction stands that began at a wallet. It is `included` in the block where the last of what it ordered has arrived, which may be some blocks
 * after the wallet's own, and once everything is known that it cost: for a jetton, what came back of the coin sent along. Nothing from before `sinceMs`
 * is looked at. Of several messages each has its own end; it is a success if one of them was.
 */
export async function readTransaction(rpc: Rpc, network: Network, history: History, txid: string, sinceMs = 0n): Promise<TransactionState> {
  const { hash, wallet } = parseId(txid, network)
  const carriedOut = (await history(wallet, { sinceMs, isEnough: ({ id }) => id === hash })).orders.get(hash)
  if (!carriedOut) return { state: 'unknown' }
  const { transaction } = carriedOut
  const outcomes = await follow(rpc, transaction)
  const blockOf = blockFinder(rpc)
  const places: Place[] = []
  for (const { end } of outcomes ?? []) {
    const place = await blockOf(end)
    if (!place) return { state: 'pending' }
    if (!places.some(({ height }) => height === place.height)) places.push(place)
  }
  const last = places.toSorted((a, b) => Number(a.height - b.height)).at(-1)
  if (!outcomes || !last) return { state: 'pending' }
  const fee = outcomes.reduce((sum, each) => sum + each.fee, feesOf(transaction))
  const arrivals = transaction.sent.length > 1 ? { arrivals: places } : {}
  return { state: 'included', ...last, success: outcomes.some(({ success }) => success), fee, ...arrivals }
}

/** What the wallet itself paid for its order. */
const feesOf = ({ fees, sent }: Transaction) => sent.reduce((sum, { forwardFee }) => sum + forwardFee, fees)

export function parseId(txid: string, { isTest }: Network): { hash: string; wallet: Address } {
  const [, hash, address = ''] = /^([0-9a-f]{64}):(.{48})$/.exec(txid) ?? []
  if (hash === undefined) throw new ChainError(`not the id of a transaction of this chain: ${JSON.stringify(txid.slice(0, 130))}`)
  return { hash, wallet: requireAddress(address, isTest) }
}

type Place = { height: bigint; blockHash: string }
/** What became of one message: where it ended, and what it cost beyond what the wallet paid for sending it. */
type Outcome = { end: Transaction; success: boolean; fee: bigint }

/** Follows every message of an order to its end; undefined while something of it is still on its way. A message that the wallet left out has none. */
async function follow(rpc: Rpc, order: Transaction): Promise<Outcome[] | undefined> {
  if (order.sent.length === 0) return [{ end: order, success: false, fee: 0n }]
  const outcomes: Outcome[] = []
  for (const message of order.sent) {
    const outcome = opOf(message) === OP_TRANSFER ? await followJetton(rpc, order.account, message) : await followCoin(rpc, message)
    if (!outcome) return undefined
    outcomes.push(outcome)
  }
  return outcomes
}

async function followCoin(rpc: Rpc, message: Internal): Promise<Outcome | undefined> {
  const arrived = await arrivalOf(rpc, message)
  return arrived && { end: arrived, success: !isSentBack(arrived), fee: 0n }
}

/** Payer's jetton wallet, payee's jetton wallet, and back to the payer with what is left; or back from where it failed. */
async function followJetton(rpc: Rpc, payer: Address, message: Internal): Promise<Outcome | undefined> {
  const fee = message.value
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
export const findBlock = (rpc: Rpc, transaction: Transaction): Promise<Place | undefined> => blockFinder(rpc)(transaction)

/** Finds blocks of transactions, and reads no block twice. */
function blockFinder(rpc: Rpc): (transaction: Transaction) => Promise<Place | undefined> {
  const read = new Map<bigint, ReturnType<typeof readTransactions>>()
  const readOnce = (height: bigint) => {
    const found = read.get(height) ?? readTransactions(rpc, height)
    read.set(height, found)
    return found
  }
  return async ({ hash, lt }) => {
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
      const block = await readOnce(height)
      if (block?.transactions.some((each) => each.hash === hash)) return { height, blockHash: block.block.hash }
    }
    return undefined
  }
}
