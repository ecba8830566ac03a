const HOUR_MS = 3_600_000n

/** What was left at a moment: units of energy, bytes of bandwidth, or coin in base units. */
export type Left = { atMs: bigint; left: bigint }

/**
 * Hours, rounded down, from the last of some readings until `least` is reached, if it goes on falling as it did between the first and the last of them; 0 if it
 * is reached already. Undefined if it does not fall, or if one reading is all there is. The readings are in the order of time.
 */
export function hoursUntil(readings: readonly Left[], least: bigint): bigint | undefined {
  const [first, last] = [readings[0], readings.at(-1)]
  if (!first || !last) return undefined
  if (last.left <= least) return 0n
  const [fallen, tookMs] = [first.left - last.left, last.atMs - first.atMs]
  if (fallen <= 0n || tookMs <= 0n) return undefined
  return ((last.left - least) * tookMs) / (fallen * HOUR_MS)
}
