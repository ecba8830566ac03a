import { type ChainId, ChainError, type SlotUse } from '@holdfast/chain-core'
import { bitcoinCodec, readUnsigned } from '../codec/bitcoin-codec.ts'
import { networkOf } from '../codec/networks.ts'
import { serializePsbt, transactionOf, type UnsignedTransaction } from '../codec/psbt.ts'
import { nameOf } from '../codec/select-coins.ts'
import { txidOf } from '../codec/transaction.ts'
import { count, record } from './answers.ts'
import { type BlockTransaction, readWholeBlock } from './read-block.ts'
import { readTransaction } from './read-transaction.ts'
import type { Rpc } from './rpc.ts'

/** How far back blocks are read for whoever spent an anchor that is not ours to find by its id: two weeks. */
const BLOCKS_READ_MAX = 2_016n

/**
 * The transaction that spent the anchor of unsigned bytes in a block up to `height`, or undefined where it is unspent at the end of that block. The very
 * transaction that the bytes make is found by its id, with its signed form; another is found by reading blocks back, and shown by its id alone: a
 * transaction of the chain does not say what of it is change, so that its bytes cannot be written again. Throws ChainError where the node cannot show
 * who spent it.
 */
export async function findSlotUse(rpc: Rpc, chain: ChainId, unsigned: Uint8Array, height: bigint): Promise<SlotUse | undefined> {
  const network = networkOf(chain)
  const transaction = readUnsigned(unsigned)
  const anchor = transaction.inputs[0]!
  const ours = txidOf(transactionOf(transaction))
  const state = await readTransaction(rpc, ours)
  if (state.state === 'included') {
    if (state.height > height) return undefined
    const found = (await readWholeBlock(rpc, network, state.height))?.transactions.find(({ txid }) => txid === ours)
    if (!found) throw changed()
    return { txid: ours, height: state.height, blockHash: state.blockHash, raw: signedForm(transaction, found) }
  }
  const head = BigInt(count(await rpc('getblockcount'), 'height of the head'))
  // Whether a waiting transaction spends it says nothing of blocks.
  const unspent = await rpc('gettxout', anchor.txid, anchor.index, false)
  if (unspent !== null) {
    record(unspent, 'coin')
    return undefined
  }
  for (let at = head; at >= 0n && at > head - BLOCKS_READ_MAX; at--) {
    const block = await readWholeBlock(rpc, network, at)
    if (!block) throw changed()
    const spender = block.transactions.find(({ inputs }) => inputs.some(({ outpoint }) => outpoint === nameOf(anchor)))
    if (spender) return at > height ? undefined : { txid: spender.txid, height: at, blockHash: block.hash, raw: null }
    // The coin cannot be spent before it was made, and whoever made it is no longer in the chain where nothing spends it.
    if (block.transactions.some(({ txid }) => txid === anchor.txid)) break
  }
  throw new ChainError(`the node says that the coin ${nameOf(anchor)} is not there, and shows no transaction that spent it`)
}

/** Null where the witnesses of the block are none that our codec writes, though the id is the same: who mines can write a signature another way. */
function signedForm(transaction: UnsignedTransaction, { inputs }: BlockTransaction): Uint8Array | null {
  if (inputs.length !== transaction.inputs.length) return null
  const raw = serializePsbt(
    transaction,
    inputs.map(({ witness }) => witness),
  )
  try {
    bitcoinCodec({ chain: transaction.chain }).detach(raw)
    return raw
  } catch (cause) {
    if (cause instanceof ChainError) return null
    throw cause
  }
}

function changed(): ChainError {
  return new ChainError('the chain changed while its blocks were read; ask again')
}
