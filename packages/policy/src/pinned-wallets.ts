import { type Effects, readTokenWallets } from '@holdfast/chain-core'
import type { Policy } from './policy.ts'

/** What is amiss with the wallet of a token that an order goes to: the policy pins other wallets of it, or none. */
export type WalletsFault = { kind: 'other' | 'unpinned'; reason: string }

/**
 * Whether an order to pay a token goes to the payer's own wallet of it as the policy pins them, on chains where each holder has one. Without the pin it would be
 * the word of whoever made the bytes which contract takes the coin that goes along.
 */
export function faultOfTokenWallets(
  { assets }: Pick<Policy, 'assets'>,
  { chain, tokenWallets }: Pick<Effects, 'chain' | 'tokenWallets'>,
): WalletsFault | undefined {
  if (tokenWallets === undefined) return undefined
  const token = readTokenWallets(tokenWallets)?.token
  const pinned = assets.find((each) => each.chain === chain && readTokenWallets(each.contract)?.token === token)
  if (pinned?.contract === tokenWallets) return undefined
  if (pinned) return { kind: 'other', reason: `the transaction goes to a contract of other code than the wallets of ${pinned.symbol} that the policy pins` }
  return {
    kind: 'unpinned',
    reason: `the policy does not pin the wallets of the token ${token}: propose its next version, which pins them, and have it approved; then pay`,
  }
}
