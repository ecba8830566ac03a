import { ChainError, type TransactionState } from '@holdfast/chain-core'
import { amount, count, id, record } from './answers.ts'
import { orUndefined, type Rpc } from './rpc.ts'

/**
 * Where a transaction stands. `included` only while the block it is said to stand in is the one the node has at that height: after a reorganisation the
 * node's index goes on telling of blocks that are no longer part of the chain. The node needs `txindex=1`.
 */
export async function readTransaction(rpc: Rpc, txid: string): Promise<TransactionState> {
  const wanted = id(txid, 'transaction id')
  const found = await orUndefined(rpc('getrawtransaction', wanted, 2))
  if (found === undefined) return { state: 'unknown' }
  const transaction = record(found, 'transaction')
  if (id(transaction.txid, 'transaction id') !== wanted) throw new ChainError(`the node told of another transaction than ${wanted}`)
  if (transaction.blockhash === undefined) return { state: 'pending' }
  const blockHash = id(transaction.blockhash, 'block hash')
  const header = record(await rpc('getblockheader', blockHash), 'header of a block')
  if (id(header.hash, 'block hash') !== blockHash) throw new ChainError('the node told of another block than was asked for')
  const height = count(header.height, 'block height')
  const isActive = typeof header.confirmations === 'number' && header.confirmations > 0 && (await rpc('getblockhash', height).catch(gone)) === blockHash
  if (isActive) return { state: 'included', height: BigInt(height), blockHash, success: true, fee: feeOf(transaction) }
  const waiting = await orUndefined(rpc('getmempoolentry', wanted))
  return { state: waiting === undefined ? 'unknown' : 'pending' }
}

/** The first transaction of a block pays no fee and has none written. */
function feeOf(transaction: Record<string, unknown>): bigint {
  return transaction.fee === undefined ? 0n : amount(transaction.fee, 'fee of a transaction')
}

const HEIGHT_OUT_OF_RANGE = -8

function gone(cause: unknown): undefined {
  if ((cause as { code?: unknown }).code === HEIGHT_OUT_OF_RANGE) return undefined
  throw cause
}
