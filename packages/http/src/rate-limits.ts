import { AppError } from '@holdfast/contract'
import type { Clock } from '@holdfast/ports'
import { type BucketLimits, createTokenBuckets, type TokenBuckets } from '@holdfast/ports/token-buckets'

export type RateLimits = TokenBuckets & {
  /** Like `take`, but throws AppError `rate_limited` where there is no token. */
  demand(key: string): void
}

/** Token buckets whose refusal is an answer of the interface. */
export function createRateLimits(clock: Clock, limits: BucketLimits): RateLimits {
  const { take } = createTokenBuckets(clock, limits)
  return {
    take,
    demand: (key) => {
      const retryAfter = take(key)
      if (retryAfter > 0) throw new AppError('rate_limited', { details: { retry_after: retryAfter } })
    },
  }
}
