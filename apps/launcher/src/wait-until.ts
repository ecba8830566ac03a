import type { Ports } from '@holdfast/ports'

const POLL_MS = 100
const TIMEOUT_MS = 120_000

/**
 * Looks again and again until `look` sees something, and answers it. Throws after two minutes, saying what was missing; `what` may be a function, which
 * then says how things stand at the end.
 */
export async function waitUntil<T>(ports: Pick<Ports, 'clock' | 'timer'>, what: string | (() => string), look: () => Promise<T | undefined>): Promise<T> {
  const startedMs = ports.clock.monotonicMs()
  for (;;) {
    const seen = await look()
    if (seen !== undefined) return seen
    if (ports.clock.monotonicMs() - startedMs > TIMEOUT_MS)
      throw new Error(`still waiting for ${typeof what === 'string' ? what : what()} after ${TIMEOUT_MS / 1000} s`)
    await ports.timer.sleep(POLL_MS)
  }
}
