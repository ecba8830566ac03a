import { type ChainCodec, ChainError, type SlotUse } from '@holdfast/chain-core'
import { concatBytes, equalBytes, fromHex, toHex } from '@holdfast/encoding'
import { at } from '@holdfast/units'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { parseTransaction, serializeSigned } from '../codec/transaction.ts'
import { hexData, list, record } from './answers.ts'
import { blockAt, blockOf, type Header, headerOf, type Listed } from './read-block.ts'
import { findTransaction } from './read-transaction.ts'
import type { Rpc } from './rpc.ts'

const BLOCKS_A_QUESTION = 50n
// Blocks that two bytes of their number can tell apart.
const REF_BLOCKS = 65_536n

/**
 * What ended the slot of unsigned bytes: the block up to `height` that holds them, or the first whose time is past theirs, once every
 * block in which they could stand has been looked through and does not hold them. Undefined while neither is so. That the node has
 * not heard of the transaction is never enough; a block it cannot show throws ChainError.
 */
export async function findSlotUse(rpc: Rpc, codec: ChainCodec, unsigned: Uint8Array, height: bigint): Promise<SlotUse | undefined> {
  const txid = toHex(sha256(unsigned))
  const { expirationMs, refBlock } = parseTransaction(unsigned)
  const found = await findTransaction(rpc, txid)
  if (found && found.height <= height) {
    const { header, listed } = await blockOrThrow(rpc, found.height)
    const here = listed.find((each) => each.txid === txid)
    if (!here) throw new ChainError(`the node says that block ${found.height} holds ${txid}, and shows no such transaction there`)
    return useOf(codec, unsigned, header, here)
  }
  const { header: last } = await blockOrThrow(rpc, height)
  if (BigInt(last.timestampMs) < expirationMs) return undefined
  for (let at = await heightOfRef(rpc, refBlock, height); at <= height; at += BLOCKS_A_QUESTION) {
    const end = at + BLOCKS_A_QUESTION > height + 1n ? height + 1n : at + BLOCKS_A_QUESTION
    for (const { header, listed } of await blocksBetween(rpc, at, end)) {
      const here = listed.find((each) => each.txid === txid)
      if (here) return useOf(codec, unsigned, header, here)
      // This block could still have held them: only the one before it says the time of a block's transactions.
      if (BigInt(header.timestampMs) >= expirationMs) return { txid: null, height: header.height, blockHash: header.hash, raw: null }
    }
  }
  throw new ChainError(`the node's blocks up to ${height} do not fit together`)
}

async function blockOrThrow(rpc: Rpc, height: bigint): Promise<{ header: Header; listed: Listed[] }> {
  const claim = await blockAt(rpc, height)
  if (claim === undefined) throw new ChainError(`the node does not have block ${height} yet`)
  return blockOf(claim, height)
}

/** The height of the block that a transaction stands on: the last one up to `height` with these bytes in its number and its id. */
async function heightOfRef(rpc: Rpc, { bytes, hash }: { bytes: Uint8Array; hash: Uint8Array }, height: bigint): Promise<bigint> {
  const low = BigInt(`0x${toHex(bytes)}`)
  const back = (((height - low) % REF_BLOCKS) + REF_BLOCKS) % REF_BLOCKS
  for (let at = height - back; at >= 0n && at > height - 2n * REF_BLOCKS; at -= REF_BLOCKS) {
    const { header } = await blockOrThrow(rpc, at)
    if (equalBytes(fromHex(header.hash.slice(16, 32)), hash)) return at
  }
  throw new ChainError(`the node does not have the block ${toHex(bytes)} ${toHex(hash)} that the transaction stands on`)
}

async function blocksBetween(rpc: Rpc, start: bigint, end: bigint): Promise<{ header: Header; listed: Listed[] }[]> {
  const answer = record(await rpc('wallet/getblockbylimitnext', { startNum: Number(start), endNum: Number(end) }), 'list of blocks')
  const claims = list(answer.block, 'list of blocks').toSorted((a, b) => Number(headerOf(a).height - headerOf(b).height))
  if (BigInt(claims.length) !== end - start) throw new ChainError(`the node gave ${claims.length} blocks where ${end - start} were asked for`)
  const blocks = claims.map((claim, i) => blockOf(claim, start + BigInt(i)))
  for (const [i, { header }] of blocks.entries()) {
    if (i > 0 && header.parentHash !== at(blocks, i - 1).header.hash) throw new ChainError(`the node's blocks ${start} to ${end} do not stand on each other`)
  }
  return blocks
}

/** The use by our bytes. `raw` where the signature is the paying account's own; in the one form in which our codec writes it. */
function useOf(codec: ChainCodec, unsigned: Uint8Array, { height, hash }: Header, { txid, claim }: Listed): SlotUse {
  const [signature] = list(claim.signature, 'list of signatures').map((each) => hexData(each, 'signature'))
  const raw = signature?.length === 65 ? rawOf(codec, unsigned, signature) : null
  return { txid, height, blockHash: hash, raw }
}

/** Others may have written the same signature another way on its way to the chain: with the higher s, or the recovery without its offset. */
function rawOf(codec: ChainCodec, unsigned: Uint8Array, signature: Uint8Array): Uint8Array | null {
  const order = secp256k1.Point.Fn.ORDER
  const s = BigInt(`0x${toHex(signature.subarray(32, 64))}`)
  const isHigh = s > order / 2n
  const low = fromHex((isHigh ? order - s : s).toString(16).padStart(64, '0'))
  const recovery = (at(signature, 64) % 27) ^ Number(isHigh)
  const raw = serializeSigned(unsigned, concatBytes(signature.subarray(0, 32), low, Uint8Array.of(27 + recovery)))
  try {
    codec.detach(raw)
    return raw
  } catch (cause) {
    if (cause instanceof ChainError) return null
    throw cause
  }
}
