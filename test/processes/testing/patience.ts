import { CallError, TransportError } from '@holdfast/contract'
import { errorNameOf } from '@holdfast/features/error-catalogue'
import { nodePorts as ports } from '@holdfast/ports/node'

/** How long nothing may come of anything after the last kill. While something is killed again and again, nothing has to get anywhere. */
const CALM_MS = 120_000

/** What the server says where it cannot say what was done. */
const NO_ANSWER = ['answer_late', 'database_away', 'busy']

/** Whether the code of an error says that the server cannot say what was done, or is one of those `names`. */
export const saysNoAnswer = (code: string, names: readonly string[] = []): boolean => [...NO_ANSWER, ...names].includes(errorNameOf(code) ?? '')

/** Whether nobody answered a call of the console's client, which says nothing about what was done. */
export const isUnanswered = (cause: unknown, names?: readonly string[]): boolean =>
  cause instanceof TransportError || cause instanceof TypeError || (cause instanceof CallError && saysNoAnswer(cause.code, names))

/** Waits for what programs do that are killed meanwhile. `isLost` says whether nobody answered. */
export function openPatience({ pollMs, isLost = isUnanswered }: { pollMs: number; isLost?: (cause: unknown) => boolean }) {
  let calmSinceMs: number | undefined
  /** Waits for something, and gives up only when it has not come long after the last kill. */
  const eventually = async <T>(what: string, look: () => Promise<T | undefined>): Promise<T> => {
    for (;;) {
      const sinceMs = calmSinceMs
      const isLast = sinceMs !== undefined && performance.now() > sinceMs + CALM_MS
      const found = await look()
      if (found !== undefined) return found
      // The look itself may have seen that something came.
      if (isLast && calmSinceMs === sinceMs) throw new Error(`still waiting for ${what} ${CALM_MS / 1000} s after the last kill`)
      await ports.timer.sleep(pollMs)
    }
  }
  /** Tries again where nobody answered. A refusal is not retried: it ends the test. */
  const persist = <T>(what: string, act: () => Promise<T>): Promise<T> =>
    eventually(what, async () => {
      try {
        return await act()
      } catch (cause) {
        if (isLost(cause)) return undefined
        throw cause
      }
    })
  return {
    eventually,
    persist,
    /** From now on everything runs, or something has come again: the time that is left begins anew. */
    calm: () => {
      calmSinceMs = performance.now()
    },
  }
}
