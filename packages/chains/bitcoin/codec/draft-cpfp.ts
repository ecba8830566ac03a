import { type ChainId, ChainError } from '@holdfast/chain-core'
import { requireScript } from './address.ts'
import { assertOwn, checked } from './draft-transfer.ts'
import { networkOf } from './networks.ts'
import { type SpentCoin, type UnsignedTransaction, withoutProof } from './psbt.ts'
import { dustLimit, feeFor, virtualSize } from './size.ts'

export type CpfpOrder = {
  chain: ChainId
  /** The address that was paid, and the waiting coin it was paid with. */
  from: string
  coin: SpentCoin
  /** Fee in satoshi and size in vbytes of the pending transaction with all that it waits for. */
  stuck: { fee: bigint; size: bigint }
  /** The rate that both together shall pay. */
  satPerKvb: bigint
  feeCap: bigint
  /** For a child in the place of one that waits: the least that nodes ask of what takes its place (`replacementFee`). */
  feeMin?: bigint
  /** The address of ours that the coin goes to; without it, back to `from`. */
  to?: string
}

const RELAY_SAT_PER_KVB = 1000n

/** A pending transaction pays the wished rate without a child, which would only cost a fee. */
export class CpfpNeedlessError extends ChainError {
  override name = 'CpfpNeedlessError'
}

/** Whether what waits pays a rate by itself. */
export const paysAlready = ({ fee, size }: CpfpOrder['stuck'], satPerKvb: bigint): boolean => fee >= feeFor(size, satPerKvb)

/**
 * A child that pays for its parent (CPFP): spends a deposit that waits, to ourselves, with a fee that brings both to the rate. Throws ChainError if the
 * coin cannot bear it, and CpfpNeedlessError where the parent needs none and no child is there that bids too little.
 */
export function draftCpfp(order: CpfpOrder): UnsignedTransaction {
  const network = networkOf(order.chain)
  const from = requireScript(network, order.from)
  assertOwn([order.coin], from)
  const script = requireScript(network, order.to ?? order.from)
  const size = virtualSize(from, 1, [script])
  const { stuck, satPerKvb, feeMin } = order
  if (feeMin === undefined && paysAlready(stuck, satPerKvb))
    throw new CpfpNeedlessError('the pending transaction pays this rate already; a child would only cost a fee')
  const lifting = feeFor(stuck.size + size, satPerKvb) - stuck.fee
  const relayed = feeFor(size, RELAY_SAT_PER_KVB)
  const fee = [relayed, feeMin ?? 0n].reduce((most, each) => (each > most ? each : most), lifting)
  const amount = order.coin.amount - fee
  const least = dustLimit(script)
  if (amount < least)
    throw new ChainError(`the deposit of ${order.coin.amount} satoshi cannot bear the fee of ${fee}, which cpfpFor it; wait, or choose a slower tier`)
  return checked({ chain: order.chain, inputs: [withoutProof(order.coin)], outputs: [{ script, amount }] }, order.feeCap)
}
