import { type Block, type BlockTransfer, ChainError, collectionAsset, type OddLog, readCollection } from '@holdfast/chain-core'
import { at, known } from '@holdfast/units'
import { address, array, hash, quantity, record, succeeded } from './answers.ts'
import { coinMovedInside, type Inside, takerOf, type Tracer } from './internal-transfers.ts'
import type { Prover } from './prove-block.ts'
import type { ReceiptReader } from './read-receipts.ts'
import type { Rpc } from './rpc.ts'
import { movedBy, type TokenKind, tokenLogOf, type Watch } from './token-logs.ts'

type Header = { height: bigint; hash: string; parentHash: string; timestampMs: number }
type Sent = { txid: string; from: string; to: string | null; value: bigint; hasData: boolean }

/** The index of the coin that a transaction itself sends; its token logs follow from 1. */
const NATIVE_INDEX = 0
/**
 * A log that moves several tokens gives each an index of its own, so many apart. Every log costs 375 gas and no transaction may ask for
 * more than 2^24 (EIP-7825): there are never so many logs in one.
 */
const INDEX_STEP = 1 << 16
const INDEX_MAX = 2 ** 30 - 1
/** What a transaction costs that runs no code. */
const PLAIN_GAS = 21_000n
/** Of what unknown contracts claim no more is taken in from one block: whoever floods it gains nothing. */
const UNKNOWN_MAX = 2_000
// The latest second that a JavaScript date can hold.
const TIMESTAMP_MAX_S = 8_640_000_000_000n

/** What a node is asked by, and what is remembered of it. */
export type Asking = { rpc: Rpc; trace: Tracer; receipts: ReceiptReader; prove: Prover; watch: Watch }

/**
 * Reads a block whole, or undefined above the head. The receipts are asked for by the block's hash and must match it
 * transaction by transaction, so that one answer can never be mixed of two forks, and all of it must be what the block's hash covers, where that can be
 * computed; where they do not, ChainError.
 */
export async function readBlock({ rpc, trace, receipts, prove, watch }: Asking, height: bigint): Promise<Block | undefined> {
  const claim = await blockAt(rpc, height)
  if (claim === undefined) return undefined
  const { header, sent, claims } = blockOf(claim, height)
  const checked = (found: Receipt[]): Receipt[] => {
    receiptsOf(found, header, sent)
    prove(record(claim, 'block'), claims, found)
    return found
  }
  if (sent.length === 0) return checked([]), { ...header, transfers: [], internalTransfers: 'seen' }
  const logged = await receipts(
    header.hash,
    sent.map(({ txid }) => txid),
    checked,
  )
  if (logged === null) throw new ChainError(`block ${height} was replaced while it was read; read it again`)
  const runsCode = sent.some(({ hasData }, i) => hasData || at(logged, i).gasUsed === undefined || quantity(at(logged, i).gasUsed, 'gas used') !== PLAIN_GAS)
  const traced = runsCode
    ? await trace(
        header.hash,
        height,
        sent.map((each, i) => ({ ...each, succeeded: succeeded(at(logged, i).status) })),
      )
    : []
  const oddLogs: OddLog[] = []
  const transfers = transfersOf({ ...watch, oddLogs }, header, sent, logged, traced ?? [])
  return { ...header, transfers, oddLogs, unknownTransfers: unknownTransfers(watch, sent, logged), internalTransfers: traced ? 'seen' : 'unseen' }
}

async function blockAt(rpc: Rpc, height: bigint): Promise<unknown> {
  const ask = () => rpc('eth_getBlockByNumber', [`0x${height.toString(16)}`, true])
  const first = await ask()
  if (first !== null) return first
  const head = quantity(await rpc('eth_blockNumber', []), 'height of the head')
  if (height > head) return undefined
  // The head may have reached the height between the two questions. If not, the node lost a block it should have.
  const second = await ask()
  if (second === null) throw new ChainError(`the node does not have block ${height} although its head is at ${head}; use a node that keeps all blocks`)
  return second
}

function blockOf(claim: unknown, height: bigint): { header: Header; sent: Sent[]; claims: Record<string, unknown>[] } {
  const block = record(claim, 'block')
  const number = quantity(block.number, 'block number')
  if (number !== height) throw new ChainError(`the node gave block ${number} where block ${height} was asked for`)
  const timestamp = quantity(block.timestamp, 'block timestamp')
  if (timestamp > TIMESTAMP_MAX_S) throw new ChainError(`the node gave a block time beyond any calendar: ${timestamp}`)
  const header = {
    height,
    hash: hash(block.hash, 'block hash'),
    parentHash: hash(block.parentHash, 'parent hash'),
    timestampMs: Number(timestamp) * 1000,
  }
  const claims = array(block.transactions, 'list of transactions').map((each) => record(each, 'transaction'))
  return { header, sent: claims.map((each) => sentOf(each, header)), claims }
}

function sentOf(transaction: Record<string, unknown>, header: Header): Sent {
  if (hash(transaction.blockHash, 'block hash of a transaction') !== header.hash) throw mixed(header)
  return {
    txid: hash(transaction.hash, 'transaction id'),
    from: address(transaction.from, 'sender'),
    to: transaction.to === null || transaction.to === undefined ? null : address(transaction.to, 'recipient'),
    value: quantity(transaction.value, 'value'),
    hasData: transaction.input !== '0x',
  }
}

type Receipt = Record<string, unknown>

/** Throws where receipts are not those of this block's transactions, in their order. */
function receiptsOf(receipts: readonly Receipt[], header: Header, sent: Sent[]): void {
  if (receipts.length !== sent.length) throw mixed(header)
  if (new Set(sent.map(({ txid }) => txid)).size !== sent.length) throw new ChainError(`block ${header.height} names one transaction twice`)
  for (const [i, receipt] of receipts.entries()) {
    const sameBlock = hash(receipt.blockHash, 'block hash of a receipt') === header.hash
    const sameTransaction = hash(receipt.transactionHash, 'transaction id of a receipt') === at(sent, i).txid
    if (!sameBlock || !sameTransaction) throw mixed(header)
  }
}

type Looking = Watch & { oddLogs: OddLog[] }

function transfersOf(watch: Looking, header: Header, sent: Sent[], receipts: Receipt[], traced: Inside[]): BlockTransfer[] {
  return sent.flatMap((each, i) => {
    const receipt = at(receipts, i)
    // A failed transaction moves nothing but its fee, whatever it meant to do.
    if (!succeeded(receipt.status)) return []
    const tokens = tokenTransfers(watch, header, each, array(receipt.logs, 'list of logs'))
    return [
      ...nativeTransfer(watch, each, receipt),
      ...tokens.map((moved) => withTaker(moved, each, traced[i])),
      ...coinMovedInside(watch.chain, each.txid, traced[i] ?? []),
    ]
  })
}

/** Names who took a token that another one's transaction moved: by the traces; without them, the contract that was called, or else the sender. */
function withTaker(moved: BlockTransfer, { from, to }: Sent, inside: Inside | undefined): BlockTransfer {
  if (moved.from === from || BigInt(moved.from) === 0n) return moved
  const contract = known(moved.asset.contract, 'the contract of a token that was moved')
  const token = readCollection(contract)?.collection ?? contract
  return { ...moved, takenBy: takerOf(inside, token, moved.from) ?? (to === null || to === token ? from : to) }
}

function nativeTransfer(watch: Watch, { txid, from, to, value }: Sent, receipt: Receipt): BlockTransfer[] {
  if (value === 0n) return []
  // A contract that is created with coin receives it at its new address.
  const recipient = to ?? address(receipt.contractAddress, 'address of a created contract')
  return [{ txid, index: NATIVE_INDEX, asset: { chain: watch.chain, contract: null }, from, to: recipient, amount: value }]
}

/**
 * What the watched tokens of a transaction moved. A log that has the name of their event and another form, or moves more tokens than can be told apart,
 * is passed
 * over: a strange one must not stop the reading for everybody. Of a token that somebody listed for others it is written down, for people to look.
 */
function tokenTransfers(watch: Looking, header: Header, { txid }: Sent, logs: unknown[]): BlockTransfer[] {
  return logs.flatMap((claim, position) => {
    const log = tokenLogOf(claim)
    const kind = watch.tokens.get(log.contract)
    if (kind === undefined) return []
    const { removed, transactionHash } = record(claim, 'log')
    if (removed === true || hash(transactionHash, 'transaction id of a log') !== txid) throw mixed(header)
    const moved = movedBy(log, kind, watch.chain)
    if (moved && indexOf(position, moved.length) <= INDEX_MAX) return moved.map((each, i) => ({ txid, index: indexOf(position, i), ...each }))
    if (!watch.added.has(log.contract)) watch.oddLogs.push({ contract: contractOf(log.contract, kind), txid, index: indexOf(position, 0) })
    return []
  })
}

const indexOf = (position: number, i: number): number => NATIVE_INDEX + 1 + position + i * INDEX_STEP

/** The asset text of what is watched. */
const contractOf = (contract: string, kind: TokenKind): string => (kind === 'erc20' ? contract : collectionAsset({ standard: kind, collection: contract }))

const KINDS: readonly TokenKind[] = ['erc20', 'erc721', 'erc1155']

/** What contracts that are not watched claim to have moved. Whatever has not exactly the usual form is passed over: it must not stop the reading. */
function unknownTransfers(watch: Watch, sent: Sent[], receipts: Receipt[]): BlockTransfer[] {
  const found: BlockTransfer[] = []
  for (const [i, { txid }] of sent.entries()) {
    const receipt = at(receipts, i)
    if (!succeeded(receipt.status)) continue
    for (const [position, claim] of array(receipt.logs, 'list of logs').entries()) {
      const log = tokenLogOf(claim)
      if (watch.tokens.has(log.contract)) continue
      // One of them is enough to tell people of the contract, whatever else its log says.
      const [moved] = KINDS.flatMap((kind) => movedBy(log, kind, watch.chain) ?? [])
      if (!moved) continue
      if (found.length === UNKNOWN_MAX) return found
      found.push({ txid, index: NATIVE_INDEX + 1 + position, ...moved })
    }
  }
  return found
}

function mixed(header: Header): ChainError {
  return new ChainError(`the node's answers about block ${header.height} do not belong to one block; read it again`)
}
