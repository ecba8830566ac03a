import { sql } from 'kysely'
import type { OrganisationTx } from './run-transaction.ts'

/**
 * Waits until nobody else of the organisation is naming a thing of this kind, and keeps others waiting until the transaction ends: of two
 * similar names
 * that are given at the same moment, the second then finds the first. No unique index can tell what looks alike. Take it before rows that others lock.
 */
export async function lockNames(tx: OrganisationTx, kind: 'person' | 'wallet'): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`names of ${kind} in ${tx.orgId}`}, 0))`.execute(tx)
}
