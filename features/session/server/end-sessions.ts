import type { SystemTx } from '@holdfast/db'
import type { Clock } from '@holdfast/ports'
import { sql } from 'kysely'

/**
 * Ends sessions of a person: the one named, or all but `exceptId`. Counts from the next request on; event streams end within half a second.
 * Answers the ids of those that were open.
 */
export async function endSessions(
  tx: SystemTx,
  clock: Clock,
  person: { orgId: string; personId: string },
  sessionId?: string,
  exceptId?: string,
): Promise<string[]> {
  let query = tx
    .updateTable('session')
    .set({ revoked_at: sql<bigint>`greatest(created_at, ${BigInt(clock.nowMs())})` })
    .where('org_id', '=', person.orgId)
    .where('person_id', '=', person.personId)
    .where('revoked_at', 'is', null)
  if (sessionId !== undefined) query = query.where('id', '=', new Uint8Array(Buffer.from(sessionId, 'hex')))
  if (exceptId !== undefined) query = query.where('id', '<>', new Uint8Array(Buffer.from(exceptId, 'hex')))
  const ended = await query.returning('id').execute()
  return ended.map(({ id }) => Buffer.from(id).toString('hex'))
}
