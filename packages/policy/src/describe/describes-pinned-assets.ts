import { pinnedContract } from '@holdfast/chain-core'
import type { Asset, TransactionIntent } from '@holdfast/intent'
import type { Policy } from '../policy.ts'

/**
 * Whether an order names what it moves as the policy does. Symbol and decimals are how people read an amount: an order
 * with its own would show one amount and move another.
 */
export function describesPinnedAssets(intent: Pick<TransactionIntent, 'asset' | 'feeAsset'>, policy: Policy): boolean {
  return [intent.asset, intent.feeAsset].every((asset) => policy.assets.some((pinned) => isSame(pinned, asset)))
}

function isSame(pinned: Asset, asset: Asset): boolean {
  const { chain, symbol, decimals } = asset
  return pinned.chain === chain && pinned.contract === pinnedContract(asset.contract) && pinned.symbol === symbol && pinned.decimals === decimals
}
