import type { Clock } from './index.ts'

export type BucketLimits = { burst: number; perSecond: number }

export type TokenBuckets = {
  /** Takes one token of `key`. Answers 0, or the seconds (at least 1) until there is one again. */
  take(key: string): number
}

const MAX_KEYS = 50_000

/**
 * Token buckets by key (an address, an account): `burst` calls at once, then `perSecond`. Kept in this process only.
 * The memory is bounded: past 50,000 keys the one that was used longest ago is forgotten.
 */
export function createTokenBuckets(clock: Pick<Clock, 'monotonicMs'>, limits: BucketLimits): TokenBuckets {
  const buckets = new Map<string, { tokens: number; atMs: number }>()
  return {
    take: (key) => {
      const nowMs = clock.monotonicMs()
      const bucket = buckets.get(key)
      const refilled = bucket ? Math.min(limits.burst, bucket.tokens + ((nowMs - bucket.atMs) / 1000) * limits.perSecond) : limits.burst
      const isGranted = refilled >= 1
      // Deleting first moves the key to the end of the map's order, which is the order of forgetting.
      buckets.delete(key)
      buckets.set(key, { tokens: isGranted ? refilled - 1 : refilled, atMs: nowMs })
      if (buckets.size > MAX_KEYS) buckets.delete(buckets.keys().next().value as string)
      return isGranted ? 0 : Math.max(1, Math.ceil((1 - refilled) / limits.perSecond))
    },
  }
}
