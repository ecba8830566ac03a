import { ChainError, type TransferOrder } from '@holdfast/chain-core'
import { leastReplacement } from '../codec/replace-transfer.ts'
import { buildTransfer } from '../codec/transfer.ts'
import { estimateFee, type FeeMarket } from './estimate-fee.ts'
import type { Rpc } from './rpc.ts'

/**
 * The unsigned bytes for an order. Where the tier asks for more than the cap, it bids what the cap allows, as long as the next
 * block would take it with the economy tip; below that it throws ChainError and says what is needed now. An order that replaces bids at
 * least what nodes ask of a replacement, whatever the tier.
 */
export async function prepareTransfer(rpc: Rpc, order: TransferOrder): Promise<Uint8Array> {
  const least = order.replaces ? leastReplacement(order, order.replaces) : { gasLimit: 0n, maxFeePerGas: 0n, maxPriorityFeePerGas: 0n }
  const { tiers, market } = await estimateFee(rpc, order)
  const wanted = tiers[order.tier].parameters as typeof least
  const gasLimit = most(wanted.gasLimit, least.gasLimit)
  const bid = lesser(most(wanted.maxFeePerGas, least.maxFeePerGas), order.feeCap / gasLimit)
  assertTaken(bid, gasLimit, order.feeCap, market)
  if (bid < least.maxFeePerGas) {
    throw new ChainError(
      `the fee cap of ${order.feeCap} wei cannot be met: a replacement can cost ${least.maxFeePerGas * gasLimit} wei at least; raise the cap or wait`,
    )
  }
  const priority = most(lesser(wanted.maxPriorityFeePerGas, bid - market.nextBaseFee), least.maxPriorityFeePerGas)
  const { asset, from, to, amount, data, slot } = order
  return buildTransfer({ asset, from, to, amount, ...(data ? { data } : {}), nonce: slot, gasLimit, maxFeePerGas: bid, maxPriorityFeePerGas: priority })
}

function assertTaken(bid: bigint, gasLimit: bigint, feeCap: bigint, market: FeeMarket): void {
  const needed = market.nextBaseFee + market.priorityFees[0]!
  if (bid >= needed) return
  throw new ChainError(`the fee cap of ${feeCap} wei cannot be met: the next block asks for at least ${needed * gasLimit} wei; raise the cap or wait`)
}

function lesser(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

function most(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
