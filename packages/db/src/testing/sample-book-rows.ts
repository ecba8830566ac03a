import type { Database } from '../open-database.ts'

type Owner = { orgId: string; personId: string; address: string }
type Made = { nowMs: number; chain: string; id: (part: string) => string }

const ENTRY = {
  name: 'Kraken',
  memo: '',
  note: '',
  vasp: '',
  leaves: false,
  listed_by: null,
  unlisted_by: null,
  verified: null,
  verified_by: null,
  verified_at: null,
  proof: null,
  removed_at: null,
}

/** For tests: one row in every table of 0370-address-book.sql. */
export async function insertBookRows(db: Database, { orgId, personId, address }: Owner, { nowMs, chain, id }: Made): Promise<void> {
  await db.asOrganisation(orgId, async (tx) => {
    const [groupId, entryId] = [id('list'), id('entry')]
    await tx.insertInto('book_group').values({ org_id: orgId, id: groupId, name: 'Exchanges', created_at: nowMs }).execute()
    const times = { reviewed_at: nowMs, created_at: nowMs, updated_at: nowMs }
    await tx
      .insertInto('book_entry')
      .values({ ...ENTRY, ...times, org_id: orgId, id: entryId, address, chains: JSON.stringify([chain]), group_id: groupId, created_by: personId })
      .execute()
    const event = { org_id: orgId, id: id('book event'), entry_id: entryId, action: 'added' as const, name: 'Kraken' }
    await tx
      .insertInto('book_event')
      .values({ ...event, person_id: personId, order_id: null, at: nowMs })
      .execute()
  })
}
