const FIRST_MS = 5_000
export const RETRY_MS_MAX = 6 * 3_600_000

/**
 * How long to wait after the `tries`-th failed try of something that is sent to others: 5 s at first, then twice as long as the last time, at most six hours,
 * less a random part of up to a quarter, so that who comes back is not met by everything at once. `random` is a byte.
 */
export function retryDelayMs(tries: number, random: number): number {
  const whole = Math.min(RETRY_MS_MAX, FIRST_MS * 2 ** Math.min(30, Math.max(0, tries - 1)))
  return Math.ceil(whole * (0.75 + (random & 255) / 1024))
}
