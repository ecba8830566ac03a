import { ChainError } from '@holdfast/chain-core'

/**
 * What a call of a router does with assets, whatever else it says: it gives at most so much of one and gets at least so much of another, in base units. Assets
 * are contracts in EIP-55, null for the network's own coin. `to` gets it; `deadlineS` is the second after which the router does nothing, null if the call sets
 * none.
 */
export type Trade = {
  gives: string | null
  atMost: bigint
  gets: string | null
  atLeast: bigint
  to: string
  deadlineS: bigint | null
}

/** More pools than these one after the other no honest trade needs. */
const POOLS_MAX = 4

/** The first and the last asset of a path. Throws ChainError if it is none: each asset stands in it once. */
export function endsOf(path: readonly string[]): { first: string; last: string } {
  const [first, last] = [path[0], path.at(-1)]
  if (first === undefined || last === undefined || path.length < 2) throw new ChainError('the trade has no path from one asset to another')
  if (path.length > POOLS_MAX + 1) throw new ChainError(`the trade goes through more than ${POOLS_MAX} pools`)
  if (new Set(path).size !== path.length) throw new ChainError('the trade goes through an asset twice')
  return { first, last }
}

/** The trade, if it gives and gets something. Throws ChainError if not. */
export function wholeTrade(trade: Trade): Trade {
  // A router of version 3 takes an amount of 0 for all that it has itself, and a least amount of 0 is no bound at all.
  if (trade.atMost === 0n) throw new ChainError('the trade does not say how much it gives')
  if (trade.atLeast === 0n) throw new ChainError('the trade does not say how much it gets at least')
  return trade
}
