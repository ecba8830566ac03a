import type { ServerContext } from '@holdfast/features/context'
import { repeat } from '@holdfast/jobs'
import { writeMissingFacts } from './log-facts.ts'

const PAUSE_MS = 3_600_000

/** Reads entries from before there were facts of them, until every one has its own. */
export function startLogFacts({ db, ports }: Pick<ServerContext, 'db' | 'ports'>, report: (cause: unknown) => void): { stop(): Promise<void> } {
  const round = async (isStopped: () => boolean) => {
    while (!isStopped() && (await writeMissingFacts(db)) > 0) {
      /* There may be more. */
    }
  }
  return repeat(ports.timer, PAUSE_MS, round, report)
}
