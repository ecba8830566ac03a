import { AppError } from '@holdfast/contract'
import type { SystemTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { sql } from 'kysely'

/**
 * Throws `not_permitted` if this server has its organisation and takes in no other one. Asked again at every step: who began before the first
 * organisation was founded must not come in after it. Of two that are founded at the same moment the second waits here, and finds the first.
 */
export async function refuseWhereClosed(tx: SystemTx, { openSetup }: Pick<ServerContext['settings'], 'openSetup'>): Promise<void> {
  if (openSetup) return
  await sql`select pg_advisory_xact_lock(hashtextextended('founding', 0))`.execute(tx)
  const existing = await tx.selectFrom('organisation').select('id').limit(1).executeTakeFirst()
  if (existing) throw new AppError('not_permitted')
}
