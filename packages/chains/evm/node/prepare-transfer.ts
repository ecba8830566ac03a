import { ChainError, type TransferOrder } from '@holdfast/chain-core'
import { buildTransfer } from '../codec/transfer.ts'
import { estimateFee, type FeeMarket } from './estimate-fee.ts'
import type { Rpc } from './rpc.ts'

/**
 * The unsigned bytes for an order. Where the tier asks for more than the cap, it bids what the cap allows, as long as the next
 * block would take it with the economy tip; below that it throws ChainError and says what is needed now.
 */
export async function prepareTransfer(rpc: Rpc, order: TransferOrder): Promise<Uint8Array> {
  const { tiers, market } = await estimateFee(rpc, order)
  const { gasLimit, maxFeePerGas, maxPriorityFeePerGas } = tiers[order.tier].parameters as Record<'gasLimit' | 'maxFeePerGas' | 'maxPriorityFeePerGas', bigint>
  const affordable = order.feeCap / gasLimit
  const bid = least(maxFeePerGas, affordable)
  assertTaken(bid, gasLimit, order.feeCap, market)
  const priority = least(maxPriorityFeePerGas, bid - market.nextBaseFee)
  const { asset, from, to, amount, slot } = order
  return buildTransfer({ asset, from, to, amount, nonce: slot, gasLimit, maxFeePerGas: bid, maxPriorityFeePerGas: priority })
}

function assertTaken(bid: bigint, gasLimit: bigint, feeCap: bigint, market: FeeMarket): void {
  const needed = market.nextBaseFee + market.priorityFees[0]!
  if (bid >= needed) return
  throw new ChainError(`the fee cap of ${feeCap} wei cannot be met: the next block asks for at least ${needed * gasLimit} wei; raise the cap or wait`)
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
