import { type Block, type BlockTransfer, ChainError, type OddLog } from '@holdfast/chain-core'
import { toHex } from '@holdfast/encoding'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { address, contractAddress, count, hash, hexData, isNothing, list, record, succeeded } from './answers.ts'
import { coinMovedInside } from './internal-transfers.ts'
import type { Rpc } from './rpc.ts'

/** What to look for in a block: the tokens in canonical text. */
export type Watch = { chain: string; tokens: ReadonlySet<string> }

export type Header = { height: bigint; hash: string; parentHash: string; timestampMs: number }
/** A transaction of a block: its claim as the node gave it, and what matters of it. */
export type Listed = { txid: string; claim: Record<string, unknown>; worked: boolean }
type Did = { logs: unknown[]; inside: unknown }
type Moving = Listed & Did

const TRANSFER_TOPIC = toHex(keccak_256(new TextEncoder().encode('Transfer(address,address,uint256)')))
/** The index of the coin that a transaction itself sends; its token logs follow from 1. */
const NATIVE_INDEX = 0
/** Of what unknown contracts claim no more is taken in from one block: whoever floods it gains nothing. */
const UNKNOWN_MAX = 2_000
const TIMESTAMP_MAX_MS = 8_640_000_000_000_000n

/**
 * Reads a block whole, or undefined above the head. What its transactions did is asked for by its height and must be of the very
 * transactions that the block has, so that one answer can never be mixed of two forks; where they do not fit, ChainError.
 */
export async function readBlock(rpc: Rpc, watch: Watch, height: bigint): Promise<Block | undefined> {
  const claim = await blockAt(rpc, height)
  if (claim === undefined) return undefined
  const { header, listed } = blockOf(claim, height)
  if (listed.length === 0) return { ...header, transfers: [] }
  const infos = await rpc('wallet/gettransactioninfobyblocknum', { num: Number(height) })
  const did = didOf(header, listed, list(infos, 'list of what transactions did'))
  // A transaction moved something only where both the block and the machine say that it worked.
  const moving = listed.flatMap((each) => {
    const done = each.worked && did.get(each.txid)
    return done ? [{ ...each, ...done }] : []
  })
  const oddLogs: OddLog[] = []
  const transfers = moving.flatMap((each) => [
    ...nativeTransfer(watch, each),
    ...tokenTransfers(watch, each, oddLogs),
    ...coinMovedInside(watch.chain, each.txid, each.inside),
  ])
  return { ...header, transfers, oddLogs, internalTransfers: 'partly', unknownTransfers: unknownTransfers(watch, moving) }
}

/** The node's claim about a block, or undefined above the head. */
export async function blockAt(rpc: Rpc, height: bigint): Promise<unknown> {
  if (height < 0n || height > BigInt(Number.MAX_SAFE_INTEGER)) throw new ChainError(`there is no block ${height}`)
  const ask = () => rpc('wallet/getblockbynum', { num: Number(height) })
  const first = await ask()
  if (!isNothing(first)) return first
  const { height: head } = headerOf(await rpc('wallet/getnowblock', {}))
  if (height > head) return undefined
  // The head may have reached the height between the two questions. If not, the node lost a block it should have.
  const second = await ask()
  if (isNothing(second)) throw new ChainError(`the node does not have block ${height} although its head is at ${head}; use a node that keeps all blocks`)
  return second
}

export function headerOf(claim: unknown): Header {
  const block = record(claim, 'block')
  const raw = record(record(block.block_header, 'block header').raw_data, 'block header')
  const id = hash(block.blockID, 'block id')
  const height = count(raw.number, 'block number')
  // A block's id begins with its number: an id that does not is of another block.
  if (BigInt(`0x${id.slice(0, 16)}`) !== height) throw new ChainError(`the node gave block ${height} under the id of another: ${id}`)
  const timestampMs = count(raw.timestamp, 'block timestamp')
  if (timestampMs > TIMESTAMP_MAX_MS) throw new ChainError(`the node gave a block time beyond any calendar: ${timestampMs}`)
  return { height, hash: id, parentHash: hash(raw.parentHash, 'parent id'), timestampMs: Number(timestampMs) }
}

/** A block with its transactions, as the node lists them. */
export function blockOf(claim: unknown, height: bigint): { header: Header; listed: Listed[] } {
  const header = headerOf(claim)
  if (header.height !== height) throw new ChainError(`the node gave block ${header.height} where block ${height} was asked for`)
  const listed = list(record(claim, 'block').transactions, 'list of transactions').map((each) => {
    const transaction = record(each, 'transaction')
    const [result] = list(transaction.ret, 'list of results')
    const worked = result === undefined || succeeded(record(result, 'result').contractRet)
    return { txid: hash(transaction.txID, 'transaction id'), claim: transaction, worked }
  })
  if (new Set(listed.map(({ txid }) => txid)).size !== listed.length) throw new ChainError(`block ${height} names one transaction twice`)
  return { header, listed }
}

/** What each transaction did, by its id; undefined for one that failed. */
function didOf(header: Header, listed: Listed[], infos: unknown[]): Map<string, Did | undefined> {
  const did = new Map<string, Did | undefined>()
  for (const each of infos) {
    const info = record(each, 'what a transaction did')
    if (count(info.blockNumber, 'block number') !== header.height) throw mixed(header)
    const failed = info.result === 'FAILED' || !succeeded(record(info.receipt ?? {}, 'receipt').result)
    did.set(hash(info.id, 'transaction id'), failed ? undefined : { logs: list(info.log, 'list of logs'), inside: info.internal_transactions })
  }
  if (did.size !== infos.length || did.size !== listed.length || listed.some(({ txid }) => !did.has(txid))) throw mixed(header)
  return did
}

function nativeTransfer({ chain }: Watch, { txid, claim }: Listed): BlockTransfer[] {
  const [contract] = list(record(claim.raw_data, 'transaction').contract, 'list of contracts').map((each) => record(each, 'contract'))
  if (contract?.type !== 'TransferContract') return []
  const value = record(record(contract.parameter, 'contract').value, 'contract')
  const amount = count(value.amount, 'amount')
  // A transfer of nothing moves no value; it is how look-alike addresses are planted in a history.
  if (amount === 0n) return []
  const [from, to] = [address(value.owner_address, 'sender'), address(value.to_address, 'recipient')]
  return [{ txid, index: NATIVE_INDEX, asset: { chain, contract: null }, from, to, amount }]
}

/**
 * What the watched tokens moved. A log that has the name of their event and another form is passed over and told of: it must not stop the reading for
 * everybody.
 */
function tokenTransfers(watch: Watch, { txid, logs }: Moving, oddLogs: OddLog[]): BlockTransfer[] {
  return logs.flatMap((claim, position) => {
    const log = logOf(claim)
    if (!watch.tokens.has(log.contract) || log.topics[0] !== TRANSFER_TOPIC) return []
    if (isUsual(log)) return transferOf(watch, log, txid, position)
    oddLogs.push({ contract: log.contract, txid, index: NATIVE_INDEX + 1 + position })
    return []
  })
}

/** What contracts that are not watched claim to have moved. Whatever has not exactly the usual form is passed over: it must not stop the reading. */
function unknownTransfers(watch: Watch, moving: Moving[]): BlockTransfer[] {
  const found: BlockTransfer[] = []
  for (const { txid, logs } of moving) {
    for (const [position, claim] of logs.entries()) {
      if (found.length >= UNKNOWN_MAX) return found
      const log = logOf(claim)
      if (log.topics[0] === TRANSFER_TOPIC && isUsual(log) && !watch.tokens.has(log.contract)) found.push(...transferOf(watch, log, txid, position))
    }
  }
  return found
}

type Log = { contract: string; topics: string[]; data: Uint8Array }

function logOf(claim: unknown): Log {
  const log = record(claim, 'log')
  const topics = list(log.topics, 'list of topics').map((topic) => hash(topic, 'topic'))
  return { contract: contractAddress(log.address, 'contract of a log'), topics, data: hexData(log.data ?? '', 'data of a log') }
}

function transferOf({ chain }: Watch, { contract, topics, data }: Log, txid: string, position: number): BlockTransfer[] {
  const amount = BigInt(`0x${toHex(data)}`)
  if (amount === 0n) return []
  const [from, to] = topics.slice(1).map(addressOfTopic) as [string, string]
  return [{ txid, index: NATIVE_INDEX + 1 + position, asset: { chain, contract }, from, to, amount }]
}

/** Whether a transfer's log has the form of TRC-20. */
const isUsual = ({ topics, data }: Log): boolean => topics.length === 3 && data.length === 32 && topics.slice(1).every(isAddressTopic)

function isAddressTopic(topic: string): boolean {
  return topic.startsWith('0'.repeat(24))
}

function addressOfTopic(topic: string): string {
  if (!isAddressTopic(topic)) throw new ChainError(`the node gave a log whose address has bytes before it: ${topic}`)
  return contractAddress(topic.slice(24), 'address of a log')
}

function mixed(header: Header): ChainError {
  return new ChainError(`the node's answers about block ${header.height} do not belong to one block; read it again`)
}
