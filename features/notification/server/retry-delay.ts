/** Tries of one notification, which take about a day: 5 s, 10 s, 20 s and so on up to six hours between them. */
export const TRIES_MAX = 16
const FIRST_MS = 5_000
export const RETRY_MS_MAX = 6 * 3_600_000

/**
 * How long to wait after the `tries`-th failed try: twice as long as the last time, at most six hours, less a random part of up to
 * a quarter, so that receivers that come back are not met by everything at once. `random` is a byte.
 */
export function retryDelayMs(tries: number, random: number): number {
  const whole = Math.min(RETRY_MS_MAX, FIRST_MS * 2 ** Math.min(30, Math.max(0, tries - 1)))
  return Math.ceil(whole * (0.75 + (random & 255) / 1024))
}
