import { AppError } from '@holdfast/contract'
import type { Clock } from '@holdfast/ports'
import { networkOf } from '@holdfast/ports/address-ranges'
import { type BucketLimits, createTokenBuckets } from '@holdfast/ports/token-buckets'

/** How often somebody may be turned away before the work of looking at a call is done no more. Whoever is let in takes nothing of it. */
export type StrangerLimits = {
  /** Throws AppError `rate_limited` if nothing is left to the network of this address. */
  demand(address: string): void
  /** Counts a call that was turned away. */
  spend(address: string): void
}

const MAX_KEYS = 50_000

/** Limits by the caller's network, as all limits of addresses count it. */
export function createStrangerLimits(clock: Clock, limits: BucketLimits): StrangerLimits {
  const { take } = createTokenBuckets(clock, limits)
  // A token that was taken before it was known how the call ends; the next call of the network has it where this one is let in.
  const held = new Set<string>()
  return {
    demand: (address) => {
      const network = networkOf(address)
      if (held.has(network)) return
      const retryAfter = take(network)
      if (retryAfter > 0) throw new AppError('rate_limited', { details: { retry_after: retryAfter } })
      held.add(network)
      // Those are of networks whose calls were let in; the one that came first is forgotten.
      if (held.size > MAX_KEYS) held.delete(held.values().next().value as string)
    },
    spend: (address) => {
      const network = networkOf(address)
      if (!held.delete(network)) take(network)
    },
  }
}
