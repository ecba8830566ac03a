import type { Database } from '@holdfast/db'
import type { Ports } from '@holdfast/ports'

/**
 * Takes or keeps the right to run a task, for `forMs` from now. One holder has it at a time; who stops saying that it lives
 * loses it. It spares double work and nothing else: what the task writes must be right with two at it as well.
 */
export async function claimRunner({ db, ports }: { db: Database; ports: Pick<Ports, 'clock'> }, name: string, holder: string, forMs: number): Promise<boolean> {
  const nowMs = ports.clock.nowMs()
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

/** Gives the right back, so that another one need not wait for it to run out. */
export async function releaseRunner({ db }: { db: Database }, name: string, holder: string): Promise<void> {
  await db.asSystem((tx) => tx.deleteFrom('runner').where('name', '=', name).where('holder', '=', holder).execute())
}
