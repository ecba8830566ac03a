import { AppError } from '@holdfast/contract'
import type { Clock } from '@holdfast/ports'
import { networkOf } from '@holdfast/ports/address-ranges'
import { type BucketLimits, createTokenBuckets } from '@holdfast/ports/token-buckets'

export type RateLimits = {
  /** Takes one token of the key. Throws AppError `rate_limited` if there is none. */
  demand(key: string): void
}

/** Token buckets whose refusal is an answer of the interface. */
export function createRateLimits(clock: Clock, limits: BucketLimits): RateLimits {
  const { take } = createTokenBuckets(clock, limits)
  return {
    demand: (key) => {
      const retryAfter = take(key)
      if (retryAfter > 0) throw new AppError('rate_limited', { details: { retry_after: retryAfter } })
    },
  }
}

/** The same by the caller's address; all addresses of one subscriber count as one, since an IPv6 subscriber has 2^64. */
export function createAddressLimits(clock: Clock, limits: BucketLimits): RateLimits {
  const { demand } = createRateLimits(clock, limits)
  return { demand: (address) => demand(networkOf(address)) }
}
