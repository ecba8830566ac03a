import type { ServerContext } from '@holdfast/features/context'
import { type Repeating, repeat } from '@holdfast/jobs'

const DAY_MS = 86_400_000n
/** So long a call stays in the log. */
const KEPT_MS = 180n * DAY_MS
const EVERY_MS = 3_600_000

/** Forgets calls that are older than 180 days, and nonces of calls that nobody takes any more, until stopped. */
export function startForgettingCalls({ db, ports }: Pick<ServerContext, 'db' | 'ports'>, report: (cause: unknown) => void): Pick<Repeating, 'stop'> {
  const forget = async () => {
    const nowMs = BigInt(Math.floor(ports.clock.nowMs()))
    await db.asSystem(async (tx) => {
      await tx
        .deleteFrom('machine_call')
        .where('at', '<', nowMs - KEPT_MS)
        .execute()
      await tx.deleteFrom('machine_nonce').where('over_at', '<', nowMs).execute()
    })
  }
  return repeat(ports.timer, EVERY_MS, forget, report)
}
