import type { ServerContext } from '@holdfast/features/context'
import assert from 'node:assert/strict'

/** Kills readers at a moment counted in what they wait for: answers of a node, and transactions of the database. */
export function openReaper() {
  const killed = new Error('killed')
  let left = 0
  let isDead = false
  let deaths = 0
  /** Called wherever a reader could die. A dead reader does nothing more. */
  const maybeDie = (): void => {
    isDead ||= left > 0 && --left === 0
    if (isDead) throw killed
  }
  return {
    maybeDie,
    get deaths() {
      return deaths
    },
    /** The same context, with a database in which a reader may die. */
    mortal: (context: ServerContext): ServerContext => {
      const { db } = context
      const asSystem = async <T>(run: Parameters<typeof db.asSystem<T>>[0]) => {
        maybeDie()
        const done = await db.asSystem(run)
        // Killed after the database has committed and before the answer arrived.
        maybeDie()
        return done
      }
      const asOrganisation = async <T>(orgId: string, run: Parameters<typeof db.asOrganisation<T>>[1]) => {
        maybeDie()
        const done = await db.asOrganisation(orgId, run)
        maybeDie()
        return done
      }
      return { ...context, db: { ...db, asSystem, asOrganisation } as typeof db }
    },
    /** Lets a reader work until it is done, or dies at the `after`-th moment. */
    run: async (after: number, read: () => Promise<unknown>): Promise<void> => {
      left = after
      try {
        await read()
      } catch (cause) {
        // The caller of the node may have wrapped the error in its own.
        assert.ok(isDead, String(cause))
      }
      if (isDead) deaths++
      left = 0
      isDead = false
    },
  }
}
