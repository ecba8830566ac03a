import { ChainError, type TransactionState } from '@holdfast/chain-core'
import { hash, quantity, record, succeeded } from './answers.ts'
import { beyondGas } from './rollup-fee.ts'
import type { Rpc } from './rpc.ts'

/**
 * Where a transaction stands. `included` only while the block that the receipt names is the one the node has at that
 * height: after a reorganisation nodes go on telling of blocks that are no longer part of the chain.
 */
export async function readTransaction(rpc: Rpc, txid: string): Promise<TransactionState> {
  const id = hash(txid, 'transaction id')
  const found = await rpc('eth_getTransactionByHash', [id])
  if (found === null) return { state: 'unknown' }
  if (hash(record(found, 'transaction').hash, 'transaction id') !== id) throw new ChainError(`the node told of another transaction than ${id}`)
  const claim = await rpc('eth_getTransactionReceipt', [id])
  if (claim === null) return { state: 'pending' }
  const receipt = record(claim, 'receipt')
  if (hash(receipt.transactionHash, 'transaction id of a receipt') !== id) throw new ChainError(`the node told of another transaction than ${id}`)
  const height = quantity(receipt.blockNumber, 'block number')
  const blockHash = hash(receipt.blockHash, 'block hash')
  const block = await rpc('eth_getBlockByNumber', [`0x${height.toString(16)}`, false])
  if (block === null || hash(record(block, 'block').hash, 'block hash') !== blockHash) return { state: 'unknown' }
  const surcharge = beyondGas(receipt)
  const fee = quantity(receipt.gasUsed, 'gas used') * quantity(receipt.effectiveGasPrice, 'gas price') + surcharge
  return { state: 'included', height, blockHash, success: succeeded(receipt.status), fee, ...(surcharge > 0n && { surcharge }) }
}
