import { looksAlike } from '@holdfast/chain-core'
import type { OrganisationTx } from '@holdfast/db'
import { looksOf, mayLookLike, paidLike } from '@holdfast/features/known-address/server'

export type Similar = { address: string; name: string | null; kind: 'personal' | 'book' | 'own' | 'paid' }

/** Addresses that begin or end like this one and are another: of the person's book, of the organisation's, of its own, of those it paid. */
export async function similarTo(tx: OrganisationTx, personId: string, address: string): Promise<Similar[]> {
  return (await similarToEach(tx, personId, [address])).get(address) ?? []
}

/** The same of several addresses. Each kind is found by an index, however many the organisation has. */
export async function similarToEach(tx: OrganisationTx, personId: string, addresses: readonly string[]): Promise<Map<string, Similar[]>> {
  if (addresses.length === 0) return new Map()
  const looks = looksOf(addresses)
  const own = await tx.selectFrom('address').select(['address', 'label']).where('org_id', '=', tx.orgId).where(mayLookLike('address', looks)).execute()
  const paid = await paidLike(tx, looks)
  const all: Similar[] = [
    ...(await entriesLike(tx, personId, addresses)),
    ...own.map((each): Similar => ({ address: each.address, name: each.label, kind: 'own' })),
    ...paid.map((each): Similar => ({ address: each.address, name: null, kind: 'paid' })),
  ]
  const first = all.filter((each, i) => all.findIndex((other) => other.address === each.address) === i)
  return new Map(addresses.map((address) => [address, first.filter((each) => looksAlike(each.address, address))]))
}

/** Those that can look like some, of the person's book and of the organisation's. They are compared whole afterwards. */
export async function entriesLike(tx: OrganisationTx, personId: string, addresses: readonly string[]): Promise<Similar[]> {
  const mayBe = mayLookLike('address', looksOf(addresses))
  const personal = await tx
    .selectFrom('personal_address')
    .select(['address', 'name'])
    .where('org_id', '=', tx.orgId)
    .where('person_id', '=', personId)
    .where('removed_at', 'is', null)
    .where(mayBe)
    .execute()
  const book = await tx
    .selectFrom('book_entry')
    .select(['address', 'name'])
    .where('org_id', '=', tx.orgId)
    .where('removed_at', 'is', null)
    .where(mayBe)
    .execute()
  return [...personal.map((each): Similar => ({ ...each, kind: 'personal' })), ...book.map((each): Similar => ({ ...each, kind: 'book' }))]
}
