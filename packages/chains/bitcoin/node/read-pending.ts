import { ChainError, type PoolMemory, type PendingPool, type PendingFee, type PendingPayment } from '@holdfast/chain-core'
import type { Network } from '../codec/networks.ts'
import { amount, array, count, id, record } from './answers.ts'
import { readOutputs, readTransactionIn, transfersOf } from './read-block.ts'
import { inTurns } from './take-turns.ts'
import { isNotFound, NodeRefused, orUndefined, type Rpc } from './rpc.ts'

/** Transactions that one look reads. A pool that is new to the reader is taken in a part at a time, and what comes meanwhile before the rest. */
const READ_MAX = 500
const METHOD_NOT_FOUND = -32601

type Claim = Record<string, unknown>

/**
 * What of the node's pool pays a wanted address. A node does not say what a pending transaction spends, so the transactions before it are read too, but
 * only for
 * those that are wanted: then change is left out, as in blocks.
 */
export async function readPending(
  rpc: Rpc,
  network: Network,
  memory: PoolMemory,
  wanted: (addresses: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<PendingPool> {
  const txids = array(await rpc('getrawmempool'), 'list of what waits').map((each) => id(each, 'transaction id'))
  const looked = nextToRead(txids, memory).slice(0, READ_MAX)
  const found = (await inTurns(looked, (txid) => readPendingClaim(rpc, txid))).flatMap((claim) => (claim ? [{ claim, paid: paidBy(network, claim) }] : []))
  const ours = found.length === 0 ? new Set<string>() : await wanted([...new Set(found.flatMap(({ paid }) => paid))])
  const paying = found.filter(({ paid }) => paid.some((address) => ours.has(address)))
  const payments = await inTurns(paying, ({ claim }) => readPayment(rpc, network, claim, ours))
  return { txids: new Set(txids), looked, payments: payments.filter((each) => each !== undefined && each.transfers.length > 0) as PendingPayment[] }
}

/** What was not read yet, first what was not there at the last look: whoever waits for a payment just sent does not wait for the pool to be read through. */
export function nextToRead(txids: readonly string[], { listed, read }: PoolMemory): string[] {
  const unread = txids.filter((txid) => !read.has(txid))
  return [...unread.filter((txid) => !listed.has(txid)), ...unread.filter((txid) => listed.has(txid))]
}

/** A pending transaction as the node tells it; undefined if it waits no more. */
async function readPendingClaim(rpc: Rpc, txid: string): Promise<Claim | undefined> {
  const claim = await readClaim(rpc, txid)
  return claim?.blockhash === undefined ? claim : undefined
}

async function readClaim(rpc: Rpc, txid: string): Promise<Claim | undefined> {
  const answer = await orUndefined(rpc('getrawtransaction', txid, 1))
  if (answer === undefined) return undefined
  const claim = record(answer, 'transaction')
  if (id(claim.txid, 'transaction id') !== txid) throw new ChainError(`the node told of another transaction than ${txid}`)
  return claim
}

const paidBy = (network: Network, claim: Claim): string[] => readOutputs(network, claim).flatMap(({ address }) => address ?? [])

async function readPayment(rpc: Rpc, network: Network, claim: Claim, ours: ReadonlySet<string>): Promise<PendingPayment | undefined> {
  const inputs = array(claim.vin, 'list of inputs').map((each) => record(each, 'input'))
  const vin = await inTurns(inputs, async (input) => ({ ...input, prevout: await readSpent(rpc, input) }))
  // What one of them spends may have gone with it since it was listed.
  if (vin.some(({ prevout }) => prevout === undefined)) return undefined
  const transaction = readTransactionIn(network, { ...claim, vin })
  const transfers = transfersOf(network, transaction).filter(({ to }) => ours.has(to))
  return { txid: transaction.txid, spends: transaction.inputs.map(({ outpoint }) => outpoint), transfers }
}

async function readSpent(rpc: Rpc, input: Claim): Promise<unknown> {
  const before = await readClaim(rpc, id(input.txid, 'transaction id of an input'))
  return before && array(before.vout, 'list of outputs')[count(input.vout, 'index of an input')]
}

/** The pending transaction that spends one of these coins. Undefined if none does, or the node is too old to say (Bitcoin Core before 24). */
export async function findPendingSpender(rpc: Rpc, outpoints: readonly string[]): Promise<string | undefined> {
  const asked = outpoints.map((outpoint) => {
    const [txid, index] = outpoint.split(':')
    return { txid, vout: Number(index) }
  })
  try {
    const answers = array(await rpc('gettxspendingprevout', asked), 'spenders of coins').map((each) => record(each, 'spender of a coin'))
    const found = answers.find(({ spendingtxid }) => spendingtxid !== undefined)
    return found && id(found.spendingtxid, 'transaction id')
  } catch (cause) {
    if (cause instanceof NodeRefused && cause.code === METHOD_NOT_FOUND) return undefined
    throw cause
  }
}

/** What a pending transaction pays, with all that it waits for. */
export async function readPendingFee(rpc: Rpc, txid: string): Promise<PendingFee | undefined> {
  const entry = await readEntry(rpc, txid)
  if (!entry) return undefined
  const fee = amount(record(entry.fees, 'fees of a pending transaction').ancestor, 'fees of what it waits for')
  return { fee, size: BigInt(count(entry.ancestorsize, 'size of what it waits for')) }
}

/** What the transactions pay that wait for a waiting one, in satoshi: they fall with it. None if it does not wait. */
export async function readDescendantFees(rpc: Rpc, txid: string): Promise<bigint> {
  const entry = await readEntry(rpc, txid)
  if (!entry) return 0n
  const fees = record(entry.fees, 'fees of a pending transaction')
  const others = amount(fees.descendant, 'fees of what waits for it') - amount(fees.base, 'fee of a pending transaction')
  return others > 0n ? others : 0n
}

async function readEntry(rpc: Rpc, txid: string): Promise<Claim | undefined> {
  try {
    return record(await rpc('getmempoolentry', id(txid, 'transaction id')), 'waiting transaction')
  } catch (cause) {
    if (isNotFound(cause)) return undefined
    throw cause
  }
}
