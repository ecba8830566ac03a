import type { Timer } from '@holdfast/ports'

export type Repeating = {
  /** Begins the next round at once, or right after the present one. */
  poke(): void
  /** Ends after the present round. */
  stop(): Promise<void>
}

/**
 * Runs `round` again and again with `pauseMs` between, never two at a time. A round that fails is told to `report` and
 * followed by the next one: what it was to do is still in the database.
 */
export function repeat(
  timer: Pick<Timer, 'sleep'>,
  pauseMs: number,
  round: (isStopped: () => boolean) => Promise<void>,
  report: (cause: unknown) => void = () => {},
): Repeating {
  let stopped = false
  let poked = false
  let pause = new AbortController()
  const run = async () => {
    while (!stopped) {
      poked = false
      await round(() => stopped).catch(report)
      if (stopped || poked) continue
      pause = new AbortController()
      await timer.sleep(pauseMs, pause.signal).catch(() => {})
    }
  }
  const running = run()
  const poke = () => {
    poked = true
    pause.abort()
  }
  return {
    poke,
    stop: async () => {
      stopped = true
      poke()
      await running
    },
  }
}
