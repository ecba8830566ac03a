/** Where several recipients are paid from a sub-wallet, in a coin or in the first that it has. */
export function paySeveralPath(subWalletId: string, coin?: { chain: string; symbol: string }): string {
  return `/mpc/center/wallet/paySeveral?${new URLSearchParams({ sub_wallet_id: subWalletId, ...(coin && { chain: coin.chain, symbol: coin.symbol }) })}`
}

/** Where payments on dates are asked for, in a coin. The sub-wallet that pays goes along as the state of the visit. */
export function schedulePath(coin?: { chain: string; symbol: string }): string {
  return `/mpc/standingOrders/schedule?${new URLSearchParams({ ...(coin && { chain: coin.chain, symbol: coin.symbol }) })}`
}
