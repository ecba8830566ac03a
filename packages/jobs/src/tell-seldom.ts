import { createBackoff } from './backoff.ts'

const FIRST_MS = 5_000
const MAX_MS = 10 * 60_000
/** Different words that are remembered. */
const REMEMBERED_MAX = 1_000

/**
 * Passes on what is reported, but the same words only now and then while they come again and again: after 5 s, then after twice as long each time, at most
 * every 10 minutes. What fails several times a second would fill a disk with one line otherwise.
 */
export function tellSeldom(clock: { monotonicMs(): number }, report: (cause: unknown) => void): (cause: unknown) => void {
  const told = createBackoff(() => clock.monotonicMs(), FIRST_MS, MAX_MS)
  const known = new Set<string>()
  return (cause) => {
    const words = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)
    if (!told.isDue(words)) return
    if (known.size >= REMEMBERED_MAX) {
      told.clear()
      known.clear()
    }
    known.add(words)
    told.fail(words)
    report(cause)
  }
}
