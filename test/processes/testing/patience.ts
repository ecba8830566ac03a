import { nodePorts as ports } from '@holdfast/ports/node'

/** How long nothing may come of anything after the last kill. While something is killed again and again, nothing has to get anywhere. */
const CALM_MS = 120_000

type Of = {
  pollMs: number
  /** Whether nobody answered, which says nothing about what was done. */
  isLost: (cause: unknown) => boolean
}

/** Waits for what programs do that are killed meanwhile. */
export function openPatience({ pollMs, isLost }: Of) {
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
