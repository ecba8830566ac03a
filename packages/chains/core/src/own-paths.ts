/**
 * Which paths below a key count as ours: address i of sub-wallet n is at m/n/i, and there are bounds for both. Whoever has nothing but the key must be able to
 * find every coin again by trying, so no signer takes a path beyond these bounds, wherever the key would derive one: coins at a path of
 * numbers that only one machine knows would be that machine's hostages. The earlier a sub-wallet is, the more addresses it may have; all together are less
 * than 160 million, which one computer tries in an evening (docs/adr/0031).
 */

/** Sub-wallets that a key may have: their numbers are 0 to one below this. */
export const SUB_WALLETS_MAX = 1 << 16

/** Addresses that the first sub-wallets may have each. */
export const ADDRESSES_MAX = 1 << 20

/** Sub-wallet n has at most this divided by n + 1. */
const SHARED_ADDRESSES = 1 << 24

/** How many addresses the sub-wallet of a number may have: the last index of their paths is 0 to one below this. Zero if a key has no sub-wallet of it. */
export function addressesMaxOf(subWallet: number): number {
  return isBelow(subWallet, SUB_WALLETS_MAX) ? Math.min(ADDRESSES_MAX, Math.floor(SHARED_ADDRESSES / (subWallet + 1))) : 0
}

/** Why a path is none of a sub-wallet's address, in words that follow on "the path m/1/2"; undefined if it is one. */
export function faultOfOwnPath(path: readonly (number | bigint)[]): string | undefined {
  const [subWallet, address] = path.map(Number)
  if (path.length !== 2) return `has ${path.length} levels and not two, so it leads to no address of a sub-wallet`
  if (!isBelow(subWallet, SUB_WALLETS_MAX)) return `names sub-wallet ${subWallet}, and a key has numbers 0 to ${SUB_WALLETS_MAX - 1} alone`
  const max = addressesMaxOf(Number(subWallet))
  if (!isBelow(address, max)) return `names address ${address} of sub-wallet ${subWallet}, which has 0 to ${max - 1} alone`
  return undefined
}

/** Whether change at this path comes back to the sub-wallet that pays from `paying`. */
export function isChangePathOf(paying: readonly (number | bigint)[], path: readonly (number | bigint)[]): boolean {
  return faultOfOwnPath(path) === undefined && Number(path[0]) === Number(paying[0])
}

/** A path as people write it. */
export const pathText = (path: readonly (number | bigint)[]): string => ['m', ...path].join('/')

const isBelow = (index: number | undefined, max: number): boolean => index !== undefined && Number.isInteger(index) && index >= 0 && index < max
