import { BuildError, type ChainCodec, type TransferOrder } from '@holdfast/chain-core'
import { fromHex } from '@holdfast/encoding'
import { known } from '@holdfast/units'
import type { Frame } from '../codec/build.ts'
import { buildOrder, estimateFee } from './estimate-fee.ts'
import { headerOf } from './read-block.ts'
import type { Rpc } from './rpc.ts'

// Two orders that are alike and prepared on one block differ in the milliseconds by which they say they were made later.
const APART_MS = 1_000n

/**
 * What a transaction made now says of its place: it stands on the last final block, so that no fork takes it away, and ends `validForMs`
 * after the head. `apart` keeps like transactions from being the same.
 */
export async function readFrame(rpc: Rpc, validForMs: number, apart = 0n): Promise<Frame> {
  const [head, final] = await Promise.all([rpc('wallet/getnowblock', {}).then(headerOf), rpc('walletsolidity/getnowblock', {}).then(headerOf)])
  const timestampMs = BigInt(head.timestampMs) + (apart % APART_MS)
  return {
    refBlock: { bytes: fromHex(final.hash.slice(12, 16)), hash: fromHex(final.hash.slice(16, 32)) },
    timestampMs,
    expirationMs: timestampMs + BigInt(validForMs),
  }
}

/**
 * The unsigned bytes for an order. Where the tier asks for more than the cap, its fee limit is what the cap allows, as long as that
 * buys the energy the transfer needs now; below that it throws ChainError and says what is needed.
 */
export async function prepareTransfer(rpc: Rpc, codec: ChainCodec, order: TransferOrder, validForMs: number): Promise<Uint8Array> {
  const frame = await readFrame(rpc, validForMs, order.slot)
  const tiers = order.quoted ?? (await estimateFee(rpc, codec, order, frame))
  const { feeMax, parameters } = tiers[order.tier]
  const feeLimitWanted = known(parameters.feeLimit, 'the fee limit of a tier')
  const over = feeMax > order.feeCap ? feeMax - order.feeCap : 0n
  const feeLimit = feeLimitWanted - over
  const feeLimitLeast = known(parameters.feeLimitLeast, 'the least fee limit of a tier')
  if (feeLimit < feeLimitLeast) {
    const needed = feeMax - feeLimitWanted + feeLimitLeast
    const words = `the fee cap of ${order.feeCap} sun cannot be met: the transfer may cost ${needed} sun; raise the cap`
    throw new BuildError(words, { kind: 'fee_cap', cap: order.feeCap, needed })
  }
  return buildOrder(order, frame, feeLimit)
}
