import { type Block, type BlockTransfer, ChainError, type CoinTransaction } from '@holdfast/chain-core'
import { fromHex } from '@holdfast/encoding'
import { addressOfScript } from '../codec/address.ts'
import type { Network } from '../codec/networks.ts'
import { amount, array, count, hexData, id, record } from './answers.ts'
import { isNotFound, NodeRefused, type Rpc } from './rpc.ts'

/** An output as it stands in a block, and what an input spent. `address` is undefined for scripts that have none. */
export type BlockOutput = { script: Uint8Array; amount: bigint; address: string | undefined }
export type BlockInput = { outpoint: string; spent: BlockOutput; witness: Uint8Array[] }
export type BlockTransaction = Omit<CoinTransaction, 'inputs' | 'outputs'> & { inputs: BlockInput[]; outputs: BlockOutput[] }
export type WholeBlock = { height: bigint; hash: string; parentHash: string; timestampMs: number; transactions: BlockTransaction[] }

const HEIGHT_OUT_OF_RANGE = -8
const NO_PARENT = '00'.repeat(32)

/** The hash of a block of the best chain, or undefined above the head. */
export async function readBlockHash(rpc: Rpc, height: bigint): Promise<string | undefined> {
  if (height < 0n) throw new ChainError(`there is no block ${height}`)
  // Core's heights are numbers of 32 bits; no chain will reach that in our time.
  if (height > 0x7fff_ffffn) return undefined
  try {
    return id(await rpc('getblockhash', Number(height)), 'block hash')
  } catch (cause) {
    if (cause instanceof NodeRefused && cause.code === HEIGHT_OUT_OF_RANGE) return undefined
    throw cause
  }
}

/** A block with all its transactions and what their inputs spent, or undefined above the head. */
export async function readWholeBlock(rpc: Rpc, network: Network, height: bigint): Promise<WholeBlock | undefined> {
  const hash = await readBlockHash(rpc, height)
  if (hash === undefined) return undefined
  const block = record(await blockOf(rpc, hash), 'block')
  if (id(block.hash, 'block hash') !== hash || BigInt(count(block.height, 'block height')) !== height) {
    throw new ChainError(`the node gave another block than block ${height}; read it again`)
  }
  const transactions = array(block.tx, 'list of transactions').map((claim) => readTransactionIn(network, record(claim, 'transaction')))
  if (transactions.length === 0) throw new ChainError(`the node gave block ${height} without transactions, which no block is`)
  if (new Set(transactions.map(({ txid }) => txid)).size !== transactions.length) throw new ChainError(`block ${height} names one transaction twice`)
  const parentHash = height === 0n ? NO_PARENT : id(block.previousblockhash, 'hash of the block before')
  return { height, hash, parentHash, timestampMs: count(block.time, 'time of a block') * 1000, transactions }
}

async function blockOf(rpc: Rpc, hash: string): Promise<unknown> {
  try {
    return await rpc('getblock', hash, 3)
  } catch (cause) {
    if (isNotFound(cause)) throw new ChainError(`the node named the block ${hash} and does not have it; read it again`, { cause })
    throw cause
  }
}

export function readTransactionIn(network: Network, claim: Record<string, unknown>): BlockTransaction {
  const inputs = array(claim.vin, 'list of inputs').map((each) => record(each, 'input'))
  const isCoinbase = inputs[0]?.coinbase !== undefined
  const outputs = readOutputs(network, claim)
  return { txid: id(claim.txid, 'transaction id'), isCoinbase, inputs: isCoinbase ? [] : inputs.map((each) => readInput(network, each)), outputs }
}

/** The outputs of a transaction as a node tells it. */
export function readOutputs(network: Network, claim: Record<string, unknown>): BlockOutput[] {
  return array(claim.vout, 'list of outputs').map((each, i) => {
    const output = record(each, 'output')
    if (output.n !== i) throw new ChainError('the node gave the outputs of a transaction in another order than theirs')
    return readOutput(network, output)
  })
}

function readInput(network: Network, claim: Record<string, unknown>): BlockInput {
  const outpoint = `${id(claim.txid, 'transaction id of an input')}:${count(claim.vout, 'index of an input')}`
  const witness = array(claim.txinwitness ?? [], 'witness').map((item) => fromHex(hexData(item, 'witness')))
  return { outpoint, spent: readOutput(network, record(claim.prevout, 'output that is spent')), witness }
}

/** The address is made of the script here: what the node calls it counts for nothing. */
function readOutput(network: Network, claim: Record<string, unknown>): BlockOutput {
  const script = fromHex(hexData(record(claim.scriptPubKey, 'script').hex, 'script'))
  return { script, amount: amount(claim.value, 'amount of an output'), address: addressOfScript(network, script) }
}

/**
 * A block's payments: every output with an address and an amount. Left out are the first transaction, whose rewards nobody may spend for a hundred blocks and
 * which this wallet takes no part in, and what goes back to an address that also pays. `from` is named where all inputs are of one address.
 */
export async function readBlock(rpc: Rpc, network: Network, height: bigint): Promise<Block | undefined> {
  const block = await readWholeBlock(rpc, network, height)
  if (!block) return undefined
  const { transactions } = block
  return { ...block, transfers: transactions.filter(({ isCoinbase }) => !isCoinbase).flatMap((each) => transfersOf(network, each)) }
}

/** What a transaction pays to others than its payers, by the rule of `readBlock`. */
export function transfersOf({ chain }: Network, { txid, inputs, outputs }: BlockTransaction): BlockTransfer[] {
  const payers = new Set(inputs.map(({ spent }) => spent.address))
  const [only] = payers
  const from = payers.size === 1 && only !== undefined ? only : ''
  return outputs.flatMap(({ address, amount: value }, index) => {
    if (address === undefined || value === 0n || payers.has(address)) return []
    return [{ txid, index, asset: { chain, contract: null }, from, to: address, amount: value }]
  })
}
