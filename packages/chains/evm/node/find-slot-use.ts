import { type ChainCodec, ChainError, type SlotUse } from '@holdfast/chain-core'
import { fromHex, toHex } from '@holdfast/encoding'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { addressBytes } from '../codec/address.ts'
import { evmChainId, NONCE_MAX } from '../codec/chain-number.ts'
import { type SignedAuthorization, writeSignedAuthorization } from '../codec/set-code/authorization.ts'
import { serializeTransaction } from '../codec/transaction.ts'
import { address, array, hash, hexData, quantity, record } from './answers.ts'
import type { Rpc } from './rpc.ts'

/** How many nonces an account has used at the end of a block; every nonce below that number is gone for good in this chain. */
async function slotsUsed(rpc: Rpc, holder: string, height: bigint): Promise<bigint> {
  return quantity(await rpc('eth_getTransactionCount', [holder, blockNumber(height)]), 'nonce')
}

/** Blocks that are read one by one where a node has forgotten how many nonces were used then. */
const BLOCKS_READ_MAX = 64n

/**
 * What used an account's nonce, a transaction or an authorization that another one carried, in a block up to `height`, or undefined if the nonce is free at
 * the end of that block. The block is found by the nonces the account had at the end of earlier ones, looking back in doubling steps, so that a node which
 * keeps the state of recent blocks alone can answer for what was used recently; a little further back, blocks are read themselves. A node that does not know,
 * or whose answers do not fit together, throws ChainError: then nothing is proven.
 */
export async function findSlotUse(rpc: Rpc, codec: ChainCodec, holder: string, slot: bigint, height: bigint): Promise<SlotUse | undefined> {
  const isUsedAt = async (at: bigint) => at >= 0n && (await slotsUsed(rpc, holder, at)) > slot
  if (!(await isUsedAt(height))) return undefined
  // The lowest block at whose end the nonce is known to be used, and the highest at whose end it is known to be free.
  let used = height
  let free = height - 1n
  try {
    for (let step = 2n; await isUsedAt(free); step *= 2n) {
      used = free
      free = used > step ? used - step : -1n
    }
    while (used - free > 1n) {
      const middle = (used + free) / 2n
      if (await isUsedAt(middle)) used = middle
      else free = middle
    }
  } catch (cause) {
    if (!(cause instanceof ChainError)) throw cause
    for (let at = used; at >= 0n && at > used - BLOCKS_READ_MAX; at--) {
      const found = await useIn(rpc, codec, holder, slot, at)
      if (found) return found
    }
    throw cause
  }
  const found = await useIn(rpc, codec, holder, slot, used)
  // The account's nonce went past this one in this block, yet nothing here is the account's: the answers do not fit.
  if (!found) throw new ChainError(`the node says that nonce ${slot} of ${holder} was used in block ${used}, and shows no such transaction there`)
  return found
}

async function useIn(rpc: Rpc, codec: ChainCodec, holder: string, slot: bigint, height: bigint): Promise<SlotUse | undefined> {
  const block = record(await rpc('eth_getBlockByNumber', [blockNumber(height), true]), 'block')
  if (quantity(block.number, 'block number') !== height) throw new ChainError(`the node gave another block than block ${height}`)
  const blockHash = hash(block.hash, 'block hash')
  const claims = array(block.transactions, 'list of transactions').map((each) => record(each, 'transaction'))
  const found = claims.find((each) => address(each.from, 'sender') === holder && quantity(each.nonce, 'nonce') === slot)
  if (!found) return authorizationIn(claims, codec, { holder, slot, height, blockHash })
  if (hash(found.blockHash, 'block hash of a transaction') !== blockHash) throw new ChainError(`block ${height} changed while it was read; read it again`)
  return { txid: hash(found.hash, 'transaction id'), height, blockHash, raw: rawOf(codec, found) }
}

type Asked = { holder: string; slot: bigint; height: bigint; blockHash: string }

/**
 * The first authorization of an account with this nonce that a block's transactions carry. Whoever carries it, the account's own signature proves whose it is: a node
 * could invent none.
 */
function authorizationIn(claims: readonly Record<string, unknown>[], codec: ChainCodec, { holder, slot, height, blockHash }: Asked): SlotUse | undefined {
  for (const claim of claims.filter(({ type }) => type === '0x4'))
    for (const each of authorizationsOf(claim)) {
      if (each?.nonce !== slot) continue
      const found = detached(codec, writeSignedAuthorization(each))
      if (found?.from === holder) return { txid: found.txid, height, blockHash, raw: found.raw }
    }
  return undefined
}

/** The authorizations that a transaction carries, as far as our codec writes such ones; undefined for each other one. */
function authorizationsOf(claim: Record<string, unknown>): (SignedAuthorization | undefined)[] {
  return array(claim.authorizationList, 'list of authorizations').map((each) => {
    const { chainId, address: delegate, nonce, yParity, v, r, s } = record(each, 'authorization')
    const [named, of] = [`eip155:${quantity(chainId, 'chain id')}`, address(delegate, 'delegate')]
    const signature = { yParity: quantity(yParity ?? v, 'y parity'), r: quantity(r, 'r'), s: quantity(s, 's') }
    const read = { chain: named, delegate: of === NOBODY ? null : of, nonce: quantity(nonce, 'nonce of an authorization'), signature }
    return evmChainId(named) === undefined || read.nonce > NONCE_MAX ? undefined : read
  })
}

const NOBODY = '0x0000000000000000000000000000000000000000'

/** Whose signed bytes they are; undefined where the codec refuses them, as those for another chain. */
function detached(codec: ChainCodec, raw: Uint8Array): { from: string; txid: string; raw: Uint8Array } | undefined {
  try {
    const { from, txid } = codec.detach(raw)
    return { from, txid, raw }
  } catch (cause) {
    if (cause instanceof ChainError) return undefined
    throw cause
  }
}

/**
 * The signed bytes of a transaction, where it has the form in which our codec writes them; null if it has not, and so cannot be
 * ours. The bytes are proven by the transaction's id, which is their hash.
 */
function rawOf(codec: ChainCodec, claim: Record<string, unknown>): Uint8Array | null {
  const isOurForm = (claim.type === '0x2' || claim.type === '0x4') && typeof claim.to === 'string' && array(claim.accessList ?? [], 'access list').length === 0
  if (!isOurForm) return null
  const authorizations = claim.type === '0x4' ? authorizationsOf(claim) : []
  // One that our codec does not write, as one that would hold on every chain: then the whole is none of ours.
  if (authorizations.includes(undefined)) return null
  const raw = serializeTransaction(
    {
      chainId: quantity(claim.chainId, 'chain id'),
      nonce: quantity(claim.nonce, 'nonce'),
      maxPriorityFeePerGas: quantity(claim.maxPriorityFeePerGas, 'priority fee'),
      maxFeePerGas: quantity(claim.maxFeePerGas, 'fee'),
      gasLimit: quantity(claim.gas, 'gas limit'),
      to: addressBytes(address(claim.to, 'recipient')),
      value: quantity(claim.value, 'value'),
      data: fromHex(hexData(claim.input, 'call data').slice(2)),
      ...(claim.type === '0x4' && { authorizations: authorizations.filter((each) => each !== undefined) }),
    },
    { yParity: quantity(claim.yParity ?? claim.v, 'y parity'), r: quantity(claim.r, 'r'), s: quantity(claim.s, 's') },
  )
  if (`0x${toHex(keccak_256(raw))}` !== hash(claim.hash, 'transaction id')) throw new ChainError('the node gave a transaction whose fields do not make its id')
  return detached(codec, raw) ? raw : null
}

function blockNumber(height: bigint): string {
  return `0x${height.toString(16)}`
}
