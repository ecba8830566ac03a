import type { ServerContext } from '@holdfast/features/context'
import { createBackoff, repeat, type Repeating } from '@holdfast/jobs'

type Needs = Pick<ServerContext, 'ports' | 'db' | 'coSigners'>

const SWEEP_MS = 1_000
const RETRY_MS = 1_000
const RETRY_MS_MAX = 30_000

/** What one look at the database is given. */
export type Sweep = {
  isStopped: () => boolean
  backoff: ReturnType<typeof createBackoff>
  /** Does one thing where it is due, and puts it off, longer each time, unless it comes out true. A failure is told to `report`. */
  attend(id: string, act: () => Promise<boolean>): Promise<void>
  /** Has the next look follow at once. */
  poke(): void
}

type SweepOptions = {
  report: (cause: unknown) => void
  /** How long a thing that fails again and again is put off at most: 30 seconds unless told. */
  retryMsMax?: number
  /** Called when a signer has come or gone, before the look that follows. */
  onSigners?: () => void
}

/**
 * One kind of work that signers take part in. `start` looks at the database once a second whatever happens, so that work goes on after
 * any crash, and at once when a signer comes or goes: then nothing is put off any longer. `poke` has the process look now, where
 * it does this work at all; otherwise another process does within a second.
 */
export function sweepForSigners(): {
  start(needs: Needs, options: SweepOptions, round: (sweep: Sweep) => Promise<void>): Repeating
  poke(needs: Pick<Needs, 'db'>): void
} {
  const pokes = new WeakMap<object, () => void>()
  return {
    start: ({ ports, db, coSigners }, { report, retryMsMax = RETRY_MS_MAX, onSigners }, round) => {
      const backoff = createBackoff(() => ports.clock.monotonicMs(), RETRY_MS, retryMsMax)
      const attend = async (id: string, act: () => Promise<boolean>) => {
        if (!backoff.isDue(id)) return
        const finished = await act().catch((cause: unknown) => {
          report(cause)
          return false
        })
        if (finished) backoff.succeed(id)
        else backoff.fail(id)
      }
      const work = repeat(ports.timer, SWEEP_MS, (isStopped) => round({ isStopped, backoff, attend, poke: () => work.poke() }), report)
      const forget = coSigners.onChange(() => {
        backoff.clear()
        onSigners?.()
        work.poke()
      })
      pokes.set(db, work.poke)
      return {
        poke: work.poke,
        stop: async () => {
          forget()
          pokes.delete(db)
          await work.stop()
        },
      }
    },
    poke: ({ db }) => pokes.get(db)?.(),
  }
}
