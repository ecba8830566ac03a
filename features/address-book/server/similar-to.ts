import { endOf, looksAlike, startOf } from '@holdfast/chain-core'
import type { OrganisationTx } from '@holdfast/db'
import { endsIn, paidAddresses } from '@holdfast/features/known-address/server'
import { sql } from 'kysely'

export type Similar = { address: string; name: string | null; kind: 'personal' | 'book' | 'own' | 'paid' }

/** Addresses that begin and end like this one and are another: of the person's book, of the organisation's, of its own, of those it paid. */
export async function similarTo(tx: OrganisationTx, personId: string, address: string): Promise<Similar[]> {
  return (await similarToEach(tx, personId, [address])).get(address) ?? []
}

/** The same of several addresses. */
export async function similarToEach(tx: OrganisationTx, personId: string, addresses: readonly string[]): Promise<Map<string, Similar[]>> {
  if (addresses.length === 0) return new Map()
  const ends = [...new Set(addresses.map(endOf))]
  const inBook = mayBeAlike(addresses, ends)
  const personal = await tx
    .selectFrom('personal_address')
    .select(['address', 'name'])
    .where('org_id', '=', tx.orgId)
    .where('person_id', '=', personId)
    .where('removed_at', 'is', null)
    .where(inBook)
    .execute()
  const book = await tx
    .selectFrom('book_entry')
    .select(['address', 'name'])
    .where('org_id', '=', tx.orgId)
    .where('removed_at', 'is', null)
    .where(inBook)
    .execute()
  const own = await tx.selectFrom('address').select(['address', 'label']).where('org_id', '=', tx.orgId).where(endsIn('address', ends)).execute()
  const paid = await paidAddresses(tx, ends)
  const all: Similar[] = [
    ...personal.map((each): Similar => ({ ...each, kind: 'personal' })),
    ...book.map((each): Similar => ({ ...each, kind: 'book' })),
    ...own.map((each): Similar => ({ address: each.address, name: each.label, kind: 'own' })),
    ...paid.map((each): Similar => ({ address: each.address, name: null, kind: 'paid' })),
  ]
  const first = all.filter((each, i) => all.findIndex((other) => other.address === each.address) === i)
  return new Map(addresses.map((address) => [address, first.filter((each) => looksAlike(each.address, address))]))
}

/**
 * Whether an address of a book can look like one of these: it ends like one, or begins like one after what all addresses of a chain begin with, which is as
 * long as one of these numbers of characters. It is compared whole afterwards.
 */
function mayBeAlike(addresses: readonly string[], ends: readonly string[]) {
  const starts = [...new Set(addresses.map(startOf))]
  const begun = sql.join([0, 1, 2, 4, 6].map((length) => sql`substr(lower(address), ${length}::int + 1, 6)`))
  return sql<boolean>`(lower(right(address, 4)) = any(${ends}::text[]) or array[${begun}] && ${starts}::text[])`
}
