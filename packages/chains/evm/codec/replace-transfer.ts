import { type CancelOrder, type ChainId, ChainError, type ContractCall, type Transfer, type TransferOrder } from '@holdfast/chain-core'
import { equalBytes } from '@holdfast/encoding'
import { evmCodec } from './evm-codec.ts'

/** What the fee has to reach, in wei per unit of gas, and how much gas it may use. */
export type LeastFee = { gasLimit: bigint; maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }

/** Nodes take a replacement only if it offers a tenth more for both, as go-ethereum's price bump of 10 % and everybody's after it. */
const BUMP_PERCENT = 10n

/** The least that a transaction in the same slot must offer to replace unsigned bytes. Throws ChainError unless these bytes carry out the order. */
export function leastReplacement(order: TransferOrder, replaces: Uint8Array): LeastFee {
  const { chain } = order.asset
  const { from = order.from, transfers, call, slot, feeParameters } = evmCodec({ chain }).decode(replaces)
  const ordered = order.payments ?? [order]
  const isSame = ({ asset, to, amount }: Transfer, i: number) =>
    asset.contract === order.asset.contract && to === ordered[i]?.to && amount === ordered[i].amount
  const isAsMany = transfers.length === (order.data ? 0 : ordered.length)
  const isSameCall = order.data ? call !== undefined && isSameData(call, order, order.data) : call === undefined
  if (from !== order.from || slot !== order.slot || !isAsMany || !transfers.every(isSame) || !isSameCall)
    throw new ChainError('the transaction to replace is another payment, or in another slot')
  const { gasLimit, maxFeePerGas, maxPriorityFeePerGas } = feeParameters as LeastFee
  return { gasLimit, maxFeePerGas: bumped(maxFeePerGas), maxPriorityFeePerGas: bumped(maxPriorityFeePerGas) }
}

function isSameData({ contract, value, data }: ContractCall, order: TransferOrder, ordered: Uint8Array): boolean {
  return contract === order.to && value === order.amount && equalBytes(data, ordered)
}

/**
 * The least that a transaction must offer to take the slot of unsigned bytes and pay nobody, and that slot. Throws ChainError if the bytes are somebody
 * else's.
 */
export function leastCancellation(chain: ChainId, { from, replaces }: CancelOrder): LeastFee & { slot: bigint } {
  const { from: payer = from, slot, feeParameters } = evmCodec({ chain }).decode(replaces)
  if (payer !== from) throw new ChainError('the transaction to cancel is of another address')
  const { maxFeePerGas, maxPriorityFeePerGas } = feeParameters as LeastFee
  return { slot, gasLimit: CANCELLATION_GAS, maxFeePerGas: bumped(maxFeePerGas), maxPriorityFeePerGas: bumped(maxPriorityFeePerGas) }
}

/** The least that any transaction takes; where a transfer to oneself takes more, as on some rollups, the node says so. */
const CANCELLATION_GAS = 21_000n

/** A tenth more, rounded up, and always more. */
function bumped(price: bigint): bigint {
  return price + price / BUMP_PERCENT + 1n
}
