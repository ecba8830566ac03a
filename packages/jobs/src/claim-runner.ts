import type { Database } from '@holdfast/db'
import type { Ports } from '@holdfast/ports'
import { newId } from '@holdfast/units'

type Needs = { db: Database; ports: Pick<Ports, 'clock' | 'random'> }

/** The right of one process to run a task. It spares double work and nothing else: what the task writes must be right with two at it as well. */
export type RunnerClaim = {
  /** Takes or keeps the right, and says whether it is held. While most of its time is left that costs nothing. */
  held(): Promise<boolean>
  /** Gives the right back, so that another one need not wait for it to run out. */
  release(): Promise<void>
}

/** A claim to run the task `name`, `forMs` at a time. Who stops asking for it loses it. */
export function claimRunner({ db, ports }: Needs, name: string, forMs: number): RunnerClaim {
  const holder = newId(ports.clock.nowMs(), ports.random)
  let takenMs = -Infinity
  return {
    held: async () => {
      const startedMs = ports.clock.monotonicMs()
      if (startedMs - takenMs < forMs / 2) return true
      const isTaken = await take(db, name, holder, ports.clock.nowMs(), forMs)
      takenMs = isTaken ? startedMs : -Infinity
      return isTaken
    },
    release: async () => {
      takenMs = -Infinity
      await db.asSystem((tx) => tx.deleteFrom('runner').where('name', '=', name).where('holder', '=', holder).execute())
    },
  }
}

async function take(db: Database, name: string, holder: string, nowMs: number, forMs: number): Promise<boolean> {
  return db.asSystem(async (tx) => {
    const claimed = await tx
      .insertInto('runner')
      .values({ name, holder, expires_at: nowMs + forMs })
      .onConflict((conflict) =>
        conflict
          .column('name')
          .doUpdateSet({ holder, expires_at: nowMs + forMs })
          .where((row) => row.or([row('runner.holder', '=', holder), row('runner.expires_at', '<=', BigInt(nowMs))])),
      )
      .executeTakeFirst()
    return (claimed.numInsertedOrUpdatedRows ?? 0n) > 0n
  })
}
