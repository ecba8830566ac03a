import { ChainError, type TransactionState } from '@holdfast/chain-core'
import { count, hash, isNothing, record, succeeded } from './answers.ts'
import { blockAt, blockOf } from './read-block.ts'
import type { Rpc } from './rpc.ts'

/** The height of the block that a node says holds a transaction, and what it says of it there; undefined if it knows of none. */
export async function findTransaction(rpc: Rpc, txid: string): Promise<{ height: bigint; info: Record<string, unknown> } | undefined> {
  const claim = await rpc('wallet/gettransactioninfobyid', { value: txid })
  if (isNothing(claim)) return undefined
  const info = record(claim, 'what a transaction did')
  if (hash(info.id, 'transaction id') !== txid) throw new ChainError(`the node told of another transaction than ${txid}`)
  return { height: count(info.blockNumber, 'block number'), info }
}

/**
 * Where a transaction stands. `included` only while the block at that height really lists it: after a reorganisation nodes may go on
 * telling of blocks that are no longer part of the chain.
 */
export async function readTransaction(rpc: Rpc, id: string): Promise<TransactionState> {
  const txid = hash(id, 'transaction id')
  const found = await findTransaction(rpc, txid)
  if (!found) {
    const waiting = await rpc('wallet/gettransactionfrompending', { value: txid })
    if (isNothing(waiting)) return { state: 'unknown' }
    if (hash(record(waiting, 'transaction').txID, 'transaction id') !== txid) throw new ChainError(`the node told of another transaction than ${txid}`)
    return { state: 'pending' }
  }
  const claim = await blockAt(rpc, found.height)
  if (claim === undefined) return { state: 'unknown' }
  const { header, listed } = blockOf(claim, found.height)
  const here = listed.find((each) => each.txid === txid)
  if (!here) return { state: 'unknown' }
  const { info } = found
  const receipt = record(info.receipt ?? {}, 'receipt')
  const energy = {
    used: count(receipt.energy_usage_total, 'energy used'),
    covered: count(receipt.energy_usage, 'energy used out of stake'),
    burned: count(receipt.energy_fee, 'coin burned for energy'),
  }
  const success = here.worked && info.result !== 'FAILED' && succeeded(receipt.result)
  const unstaked = count(info.withdraw_expire_amount, 'coin that came back out of stake')
  const beside = { ...(unstaked > 0n ? { unstaked } : {}), ...(energy.used > 0n ? { energy } : {}) }
  return { state: 'included', height: found.height, blockHash: header.hash, success, fee: count(info.fee, 'fee'), ...beside }
}
