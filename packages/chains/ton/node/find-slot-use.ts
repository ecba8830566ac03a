import { type ChainCodec, ChainError, type SlotUse } from '@holdfast/chain-core'
import { equalBytes } from '@holdfast/encoding'
import { known } from '@holdfast/units'
import { type Address, requireAddress } from '../codec/address.ts'
import type { Network } from '../codec/network.ts'
import { joinSigned, parseTransfer } from '../codec/transfer.ts'
import { holds, masterId, readHeader, shardTops } from './blocks.ts'
import type { CarriedOut, History } from './history.ts'
import { walletState } from './wallet-state.ts'
import { findBlock } from './read-transaction.ts'
import type { Rpc } from './rpc.ts'
import { nameOf } from './senders.ts'

/**
 * What ended the slot of unsigned bytes: the order that the wallet carried out under this seqno in a block up to `height`; or, where it has carried
 * out none and the time of the bytes had passed in the shard of the wallet, the block at `height`. Undefined while neither is so.
 */
export async function findSlotUse(
  rpc: Rpc,
  network: Network,
  { codec, history }: { codec: ChainCodec; history: History },
  unsigned: Uint8Array,
  height: bigint,
): Promise<SlotUse | undefined> {
  const { effects } = parseTransfer(unsigned, network)
  const wallet = requireAddress(known(effects.from, 'the paying address'), network.isTest)
  const { slot } = effects
  const validUntilMs = known(effects.validUntilMs, 'the end of the bytes')
  // Orders are carried out in the order of their seqnos: one before the slot ends the search as the one of the slot does.
  const isEnough = ({ order }: CarriedOut) => order !== undefined && order.seqno <= slot
  const { account, orders } = await history(wallet, { sinceMs: validUntilMs - VALID_MAX_MS, isEnough })
  const used = [...orders.values()].find(({ order }) => order?.seqno === effects.slot)
  if (used) {
    const place = await findBlock(rpc, used.transaction)
    if (!place || place.height > height) return undefined
    return { txid: nameOf(used.transaction, network), ...place, raw: rawOf(codec, network, unsigned, used) }
  }
  if (walletState(account).seqno > effects.slot) throw new ChainError(`the wallet has passed its order ${effects.slot}, and no transaction shows how`)
  const master = await masterId(rpc, height)
  if (!master) throw new ChainError(`the node does not have block ${height} yet`)
  if (account.height < height) throw new ChainError(`the node told of the account as of block ${account.height}, before block ${height}`)
  if ((await shardTimeMs(rpc, master.seqno, wallet)) < validUntilMs) return undefined
  return { txid: null, height, blockHash: master.hash, raw: null }
}

/** No bytes are valid for longer, so before that no order in their slot was made: the slot was free when they were. */
const VALID_MAX_MS = 7n * 24n * 3_600_000n

/** The time of the last block of the account's shard that a masterchain block knows: no later block of the shard has an earlier one. */
async function shardTimeMs(rpc: Rpc, seqno: number, wallet: Address): Promise<bigint> {
  const top = (await shardTops(rpc, seqno)).find((id) => holds(id, wallet))
  if (!top) throw new ChainError(`block ${seqno} has no shard for the wallet`)
  return top.seqno === 0 ? 0n : BigInt((await readHeader(rpc, top)).timeS) * 1_000n
}

/** The signed form of our bytes where the order on the chain is made of them; null if it is another. */
function rawOf(codec: ChainCodec, network: Network, unsigned: Uint8Array, { order }: CarriedOut): Uint8Array | null {
  if (!order || !equalBytes(order.order.hash, parseTransfer(unsigned, network).cell.hash)) return null
  const raw = joinSigned(unsigned, order.signature)
  try {
    codec.detach(raw)
    return raw
  } catch (cause) {
    if (cause instanceof ChainError) return null
    throw cause
  }
}
