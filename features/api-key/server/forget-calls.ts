import type { ServerContext } from '@holdfast/features/context'
import { type Repeating, repeat } from '@holdfast/jobs'

const DAY_MS = 86_400_000
/** So long a call stays in the log. */
const KEPT_MS = 180 * DAY_MS
const EVERY_MS = 3_600_000

/** Forgets calls that are older than 180 days, until stopped. */
export function startForgettingCalls({ db, ports }: Pick<ServerContext, 'db' | 'ports'>, report: (cause: unknown) => void): Pick<Repeating, 'stop'> {
  const forget = async () => {
    const before = BigInt(Math.floor(ports.clock.nowMs()) - KEPT_MS)
    await db.asSystem((tx) => tx.deleteFrom('machine_call').where('at', '<', before).execute())
  }
  return repeat(ports.timer, EVERY_MS, forget, report)
}
