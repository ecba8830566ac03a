import { repeat } from '@holdfast/jobs'
import type { Ports } from '@holdfast/ports'
import { sendDuePushes, type SendingNeeds } from './send-pushes.ts'

/** A person takes longer to reach for a telephone; nobody has to wake this. */
const PAUSE_MS = 3_000

/** Tells devices until stopped that something waits. Nothing else waits for it. */
export function startPushes(needs: SendingNeeds & { ports: Pick<Ports, 'timer'> }, report: (cause: unknown) => void = () => {}): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const round = async () => {
    while (!stopping.signal.aborted && (await sendDuePushes(needs, stopping.signal)) > 0) {
      /* There may be more. */
    }
  }
  const sweeper = repeat(needs.ports.timer, PAUSE_MS, round, report)
  return {
    stop: async () => {
      stopping.abort()
      await sweeper.stop()
    },
  }
}
