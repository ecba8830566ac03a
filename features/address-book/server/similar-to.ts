import { endOf, looksAlike } from '@holdfast/chain-core'
import type { OrganisationTx } from '@holdfast/db'
import { endsIn, paidAddresses } from '@holdfast/features/known-address/server'
import { sql } from 'kysely'

export type Similar = { address: string; name: string | null; kind: 'personal' | 'book' | 'own' | 'paid' }

/** Addresses that begin and end like this one and are another: of the person's book, of the organisation's, of its own, of those it paid. */
export async function similarTo(tx: OrganisationTx, personId: string, address: string): Promise<Similar[]> {
  const end = endOf(address)
  const personal = await tx
    .selectFrom('personal_address')
    .select(['address', 'name'])
    .where('org_id', '=', tx.orgId)
    .where('person_id', '=', personId)
    .where('removed_at', 'is', null)
    .where(sql<boolean>`lower(right(address, ${end.length})) = ${end}`)
    .execute()
  const book = await tx
    .selectFrom('book_entry')
    .select(['address', 'name'])
    .where('org_id', '=', tx.orgId)
    .where('removed_at', 'is', null)
    .where(sql<boolean>`lower(right(address, ${end.length})) = ${end}`)
    .execute()
  const own = await tx
    .selectFrom('address')
    .select(['address', 'label'])
    .where('org_id', '=', tx.orgId)
    .where(endsIn('address', [end]))
    .execute()
  const paid = await paidAddresses(tx, [end])
  const all: Similar[] = [
    ...personal.map((each): Similar => ({ ...each, kind: 'personal' })),
    ...book.map((each): Similar => ({ ...each, kind: 'book' })),
    ...own.map((each): Similar => ({ address: each.address, name: each.label, kind: 'own' })),
    ...paid.map((each): Similar => ({ address: each.address, name: null, kind: 'paid' })),
  ]
  return all.filter((each, i) => looksAlike(each.address, address) && all.findIndex((first) => first.address === each.address) === i)
}
