import type { OrganisationTx } from '@holdfast/db'

export type EntryKey = { personId: string; chain: string; address: string; memo: string }

/** The row of a person's book with this chain, address and memo, also where it was removed. */
export async function findTwin(tx: OrganisationTx, { personId, chain, address, memo }: EntryKey) {
  return tx
    .selectFrom('personal_address')
    .select(['id', 'name', 'removed_at'])
    .where('org_id', '=', tx.orgId)
    .where('person_id', '=', personId)
    .where('chain', '=', chain)
    .where('address', '=', address)
    .where('memo', '=', memo)
    .executeTakeFirst()
}
