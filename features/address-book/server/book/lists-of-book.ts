import type { OrganisationTx } from '@holdfast/db'
import { sql } from 'kysely'
import { readEntries } from './book-rows.ts'
import { ENTRIES_MAX } from './save-entry.ts'

/** The groups of the book, which signers know as lists, each with how many of its addresses are on the whitelist. */
export async function listsOfBook(tx: OrganisationTx, nowMs: number): Promise<{ name: string; listed: number }[]> {
  const groups = await tx.selectFrom('book_group').select(['id', 'name']).where('org_id', '=', tx.orgId).orderBy('name').execute()
  const entries = await readEntries(tx, nowMs, sql`status in ('active', 'cooling', 'deleting') and group_id is not null`, { limit: ENTRIES_MAX })
  return groups.map(({ id, name }) => ({ name, listed: entries.filter(({ group_id: group }) => group === id).length }))
}
