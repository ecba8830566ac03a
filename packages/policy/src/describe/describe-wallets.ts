import { readTokenWallets } from '@holdfast/chain-core'
import type { Asset } from '@holdfast/intent'
import { known } from '@holdfast/units'

export const walletsEn = {
  wallets: (symbol: string, chain: string, token: string, code: string) =>
    `Wallets of ${symbol} on ${chain}, ${token}: contracts with the code ${code}; an order to pay ${symbol} goes to no other contract`,
}

export const walletsZh: typeof walletsEn = {
  wallets: (symbol, chain, token, code) => `${symbol} 的代币钱包，网络 ${chain}，${token}：合约代码为 ${code}；支付 ${symbol} 时不会发往其他合约`,
}

/**
 * What a policy pins of the wallets of a token, in words: the code as explorers show it, with all else that their addresses follow from. Undefined for
 * assets.
 */
export function describeWallets({ symbol, chain, contract }: Asset, words: typeof walletsEn): string | undefined {
  const wallets = readTokenWallets(contract)
  return wallets && words.wallets(symbol, chain, wallets.token, known(contract, 'what a policy pins of wallets').slice(wallets.token.length + 1))
}
