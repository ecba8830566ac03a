/**
 * Which paths below a key count as ours. The product gives sub-wallet number n of a key the address at m/n/0 and no other. Whoever has nothing but the key
 * must be
 * able to find every coin again by trying, so no signer takes a path beyond these bounds, wherever the key would derive one: coins at a path of
 * numbers that only one machine knows would be that machine's hostages. Both bounds together are 1.3 million addresses, which one computer tries in an evening.
 */

/** Sub-wallets that a key may have: their numbers are 0 to one below this. */
export const SUB_WALLETS_MAX = 1 << 16

/** Addresses that each sub-wallet may have: the last index of their paths is 0 to one below this. The product uses the first alone. */
export const ADDRESSES_MAX = 20

/** Why a path is none of a sub-wallet's address, in words that follow on "the path m/1/2"; undefined if it is one. */
export function faultOfOwnPath(path: readonly (number | bigint)[]): string | undefined {
  const [subWallet, address] = path.map(Number)
  if (path.length !== 2) return `has ${path.length} levels and not two, so it leads to no address of a sub-wallet`
  if (!isBelow(subWallet, SUB_WALLETS_MAX)) return `names sub-wallet ${subWallet}, and a key has numbers 0 to ${SUB_WALLETS_MAX - 1} alone`
  if (!isBelow(address, ADDRESSES_MAX)) return `names address ${address} of a sub-wallet, which has 0 to ${ADDRESSES_MAX - 1} alone`
  return undefined
}

/** Whether change at this path comes back to the sub-wallet that pays from `paying`. */
export function isChangePathOf(paying: readonly (number | bigint)[], path: readonly (number | bigint)[]): boolean {
  return faultOfOwnPath(path) === undefined && Number(path[0]) === Number(paying[0])
}

/** A path as people write it. */
export const pathText = (path: readonly (number | bigint)[]): string => ['m', ...path].join('/')

const isBelow = (index: number | undefined, max: number): boolean => index !== undefined && Number.isInteger(index) && index >= 0 && index < max
