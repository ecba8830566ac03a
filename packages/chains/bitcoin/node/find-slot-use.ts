import { type ChainId, ChainError, type SlotUse } from '@holdfast/chain-core'
import { at } from '@holdfast/units'
import { bitcoinCodec, readUnsigned } from '../codec/bitcoin-codec.ts'
import { type Network, networkOf } from '../codec/networks.ts'
import { serializePsbt, type UnsignedTransaction } from '../codec/psbt.ts'
import { nameOf } from '../codec/select-coins.ts'
import { idOfSteps, type Step, stepsOf } from '../codec/steps.ts'
import { count, record } from './answers.ts'
import { type BlockTransaction, readWholeBlock } from './read-block.ts'
import { readTransaction } from './read-transaction.ts'
import type { Rpc } from './rpc.ts'

/** How far back blocks are read for whoever spent an anchor that is not ours to find by its id: two weeks. */
const BLOCKS_READ_MAX = 2_016n

/**
 * The transaction that spent the anchor of unsigned bytes in a block up to `height`, or undefined if it is unspent at the end of that block. The very
 * transaction that the bytes make is found by its id, with its signed form; another is found by reading blocks back, and shown by its id alone: a
 * transaction of the chain does not say what of it is change, so that its bytes cannot be written again. Of several that are sent one after another the last
 * counts: where a block has the first, nobody else can take the place of those that follow, so the slot is still open. Throws ChainError if the node
 * cannot show who spent it.
 */
export async function findSlotUse(rpc: Rpc, chain: ChainId, unsigned: Uint8Array, height: bigint): Promise<SlotUse | undefined> {
  const network = networkOf(chain)
  const transaction = readUnsigned(unsigned)
  const anchor = at(transaction.inputs, 0)
  const steps = stepsOf(transaction)
  const [first, ours] = [idOfSteps(steps.slice(0, 1)), idOfSteps(steps)]
  const state = await readTransaction(rpc, ours)
  if (state.state === 'included') {
    if (state.height > height) return undefined
    const found: BlockTransaction[] = []
    for (const step of steps) found.push(await readIncluded(rpc, network, idOfSteps([step])))
    return { txid: ours, height: state.height, blockHash: state.blockHash, raw: signedForm(transaction, steps, found) }
  }
  const head = BigInt(count(await rpc('getblockcount'), 'height of the head'))
  // Whether a pending transaction spends it says nothing of blocks.
  const unspent = await rpc('gettxout', anchor.txid, anchor.index, false)
  if (unspent !== null) {
    record(unspent, 'coin')
    return undefined
  }
  for (let at = head; at >= 0n && at > head - BLOCKS_READ_MAX; at--) {
    const block = await readWholeBlock(rpc, network, at)
    if (!block) throw changed()
    const spender = block.transactions.find(({ inputs }) => inputs.some(({ outpoint }) => outpoint === nameOf(anchor)))
    if (spender && steps.length > 1 && spender.txid === first) return undefined
    if (spender) return at > height ? undefined : { txid: spender.txid, height: at, blockHash: block.hash, raw: null }
    // The coin cannot be spent before it was made, and whoever made it is no longer in the chain where nothing spends it.
    if (block.transactions.some(({ txid }) => txid === anchor.txid)) break
  }
  throw new ChainError(`the node says that the coin ${nameOf(anchor)} is not there, and shows no transaction that spent it`)
}

/** A transaction that a block has, whole. */
async function readIncluded(rpc: Rpc, network: Network, txid: string): Promise<BlockTransaction> {
  const state = await readTransaction(rpc, txid)
  const block = state.state === 'included' ? await readWholeBlock(rpc, network, state.height) : undefined
  const found = block?.transactions.find((each) => each.txid === txid)
  if (!found) throw changed()
  return found
}

/** Null if the witnesses of the block are none that our codec writes, though the id is the same: who mines can write a signature another way. */
function signedForm(transaction: UnsignedTransaction, steps: readonly Step[], found: readonly BlockTransaction[]): Uint8Array | null {
  const witnesses = found.map(({ inputs }) => inputs.map(({ witness }) => witness))
  if (witnesses.some((own, i) => own.length !== at(steps, i).coins.length)) return null
  // What a leaf is spent with stands behind its signature, and follows from the bytes.
  for (const [i, { reveals }] of steps.entries()) if (reveals) at(witnesses, i)[0] = at(at(witnesses, i), 0).slice(0, 1)
  const raw = serializePsbt(transaction, witnesses.flat())
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
