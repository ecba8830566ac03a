import type { Asset, TransferIntent } from '@holdfast/intent'
import type { Policy } from './policy.ts'

/**
 * Whether an order names what it moves as the policy does. Symbol and decimals are how people read an amount: an order
 * with its own would show one amount and move another.
 */
export function describesPinnedAssets(intent: Pick<TransferIntent, 'asset' | 'feeAsset'>, policy: Policy): boolean {
  return [intent.asset, intent.feeAsset].every((asset) => policy.assets.some((pinned) => isSame(pinned, asset)))
}

function isSame(a: Asset, b: Asset): boolean {
  return a.chain === b.chain && a.contract === b.contract && a.symbol === b.symbol && a.decimals === b.decimals
}
