import { CONFIGURATION_EXIT_CODE, type Ports } from '@holdfast/ports'
import type { LocalStack } from './local-stack.ts'

type Kept = Pick<LocalStack, 'process' | 'restart' | 'programs' | 'logOf'>

export type KeptRunning = {
  /** Resolves with the name of a program without which the others are of no use, where it cannot be started again. */
  lost: Promise<string>
  /** Starts nothing any more. */
  stop(): void
}

const FIRST_PAUSE_MS = 500
const PAUSE_MS_MAX = 60_000
/** A program that ran this long had nothing wrong with it when it ended: the next one is started soon again. */
const STEADY_MS = 60_000

/**
 * Starts every program again that ends by itself, each on its own, after a pause that doubles with each time in a row, up to a minute, and says so. It gives
 * up on nothing but a program that says that it was configured wrong: the same words would be wrong the next time, too. Where that is the server, nothing of
 * the others can be used; a signer or the local networks may be missing.
 */
export function keepRunning({ clock, timer }: Pick<Ports, 'clock' | 'timer'>, stack: Kept, say: (line: string) => void): KeptRunning {
  const closing = new AbortController()
  const { signal } = closing
  const keep = async (name: string): Promise<boolean> => {
    for (let times = 0; ; times++) {
      const startedMs = clock.monotonicMs()
      const code = await stack.process(name).exited
      if (signal.aborted) return true
      if (code === CONFIGURATION_EXIT_CODE) {
        say(`${name} says that its configuration is wrong, so it is not started again. See ${stack.logOf(name)}`)
        return false
      }
      if (clock.monotonicMs() - startedMs >= STEADY_MS) times = 0
      const pauseMs = Math.min(PAUSE_MS_MAX, FIRST_PAUSE_MS * 2 ** times)
      say(`${name} ended (${code === null ? 'by a signal' : `code ${code}`}); see ${stack.logOf(name)}. It is started again in ${pauseMs / 1000} s`)
      await timer.sleep(pauseMs, signal).catch(() => {})
      if (signal.aborted) return true
      await stack.restart(name).then(
        () => say(`${name} runs again`),
        () => signal.aborted || say(`${name} did not start; see ${stack.logOf(name)}`),
      )
    }
  }
  const lost = new Promise<string>((resolve) => {
    for (const name of stack.programs) void keep(name).then((isKept) => !isKept && name === 'server' && resolve(name))
  })
  return { lost, stop: () => closing.abort() }
}
