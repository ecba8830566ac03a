/** Where several recipients are paid from a sub-wallet, in a coin or in the first that it has. */
export function paySeveralPath(subWalletId: string, coin?: { chain: string; symbol: string }): string {
  return `/mpc/center/wallet/paySeveral?${new URLSearchParams({ sub_wallet_id: subWalletId, ...(coin && { chain: coin.chain, symbol: coin.symbol }) })}`
}
