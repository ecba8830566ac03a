import { alikeKeys, CONSTANT_START, looksAlike } from '@holdfast/chain-core'
import { sql } from 'kysely'
import { type OrganisationTx, writtenOnce } from '@holdfast/db'
import { namedSubWalletsOf, subWalletPath } from '@holdfast/features/wallet/server'
import { IS_SIGNED_FOR, type Looks, looksOf, mayLookLike, selectPaidWhere } from './paid-addresses.ts'

/** Who looks, and what they call their sub-wallets. */
type Viewer = { tx: OrganisationTx; personId?: string | undefined }

/** An address the organisation has reason to know, and since when. Names are given by the organisation alone. */
type KnownAddress = { address: string; label: string | null; kind: 'own' | 'book' | 'paid'; sinceMs: number }

/** The known addresses by what those that look like them have in common with them (`alikeKeys`). */
export type KnownAddresses = ReadonlyMap<string, readonly KnownAddress[]>

const RANKS = { own: 0, book: 1, paid: 2 } as const

/**
 * The addresses that are known and are one of these or begin or end like one: the organisation's own, those a payment was signed for, and the
 * contacts of whoever looks, and the organisation's address book. What others send to us teaches nothing.
 */
export async function readKnownAddresses({ tx, personId }: Viewer, addresses: readonly string[]): Promise<KnownAddresses> {
  if (addresses.length === 0) return new Map()
  const rows = await askKnown(tx, { orgId: tx.orgId, personId: personId ?? null, ...looksOf(addresses) })
  return byLooks(rows.map(knownOf).toSorted((a, b) => RANKS[a.kind] - RANKS[b.kind]))
}

/** Known addresses, so that those that look like another one are found among many. */
export function byLooks(known: readonly KnownAddress[]): KnownAddresses {
  const found = new Map<string, KnownAddress[]>()
  for (const each of known) for (const key of alikeKeys(each.address)) found.set(key, [...(found.get(key) ?? []), each])
  return found
}

/** Those of the known addresses that are this one or look like it, each once. */
const near = (known: KnownAddresses, address: string): KnownAddress[] => [...new Set(alikeKeys(address).flatMap((key) => known.get(key) ?? []))]

/** What is known of this very address. */
export const knownAs = (known: KnownAddresses, address: string): KnownAddress[] => near(known, address).filter((each) => each.address === address)

// One question: it is asked for every page of payments.
const askKnown = writtenOnce(
  (db, { orgId, personId, ends, starts }: Looks & { orgId: string; personId: string | null }) => sql<KnownRow>`
    select 'own' as kind, address.address, address.label, named.wallet_name, named.sub_wallet_name, address.created_at as since
      from address join ${namedSubWalletsOf(db, orgId).as('named')} on named.sub_wallet_id = address.sub_wallet_id
      where address.org_id = ${orgId} and ${mayLookLike('address.address', { ends, starts })}
    union all select 'book', address, name, null, null, created_at from personal_address
      where org_id = ${orgId} and person_id = ${personId}::uuid and removed_at is null and ${mayLookLike('address', { ends, starts })}
    union all select 'book', address, name, null, null, created_at from book_entry
      where org_id = ${orgId} and removed_at is null and ${mayLookLike('address', { ends, starts })}
    union all select 'paid', paid.address, null, null, null, paid.since from (${selectPaidWhere({ orgId }, (column) => mayLookLike(column, { ends, starts }))}) paid`,
)

type KnownRow = { address: string; since: bigint } & (
  | { kind: 'own'; label: string | null; wallet_name: string; sub_wallet_name: string }
  | { kind: 'book' | 'paid'; label: string | null }
)

function knownOf(row: KnownRow): KnownAddress {
  const label = row.kind === 'own' ? (row.label ?? subWalletPath(row)) : row.label
  return { address: row.address, label, kind: row.kind, sinceMs: Number(row.since) }
}

/** `alikeKeys`, for the database. */
const KEYS = (address: string) => {
  const small = sql`regexp_replace(lower(${sql.ref(address)}), ${CONSTANT_START.source}, '')`
  return sql`unnest(array[left(${small}, 6) || '…', '…' || right(${small}, 6), left(${small}, 4) || '…' || right(${small}, 4)])`
}

/** Every address that came up in a payment or a deposit and imitates one that is known. */
export async function plantedAddresses(view: Viewer): Promise<string[]> {
  const { tx, personId } = view
  const book =
    personId === undefined
      ? sql``
      : sql`union select address from personal_address where org_id = ${tx.orgId} and person_id = ${personId} and removed_at is null`
  const { rows } = await sql<{ address: string }>`
    with known as (
      select address from address where org_id = ${tx.orgId}
      union select coalesce(order_output.address, transfer_order.address_to) from transfer_order
        left join order_output on order_output.org_id = transfer_order.org_id and order_output.order_id = transfer_order.id
        where transfer_order.org_id = ${tx.orgId} and ${IS_SIGNED_FOR}
      ${book}
    ), seen as (
      select from_address as address from deposit where org_id = ${tx.orgId} and from_address is not null
      union select address_to from transfer_order where org_id = ${tx.orgId}
      union select to_address from token_pull where org_id = ${tx.orgId}
    )
    select distinct seen.address from (select address, ${KEYS('seen.address')} as key from seen) seen
      join (select address, ${KEYS('known.address')} as key from known) known on known.key = seen.key and seen.address <> known.address`.execute(tx)
  const alike = rows.map(({ address }) => address)
  const known = await readKnownAddresses(view, alike)
  return alike.filter((address) => imitatedBy(known, address) !== undefined)
}

/** What the organisation calls an address, or null if it has no name for it. */
export function labelOf(known: KnownAddresses, address: string | null): string | null {
  if (address === null) return null
  return knownAs(known, address).find((each) => each.label !== null)?.label ?? null
}

/**
 * The known address that another one was made to be taken for, or undefined. An address of ours or of the book imitates
 * nobody; of two that were paid, the later one imitates the earlier.
 */
export function imitatedBy(known: KnownAddresses, address: string): KnownAddress | undefined {
  const alike = near(known, address)
  const itself = alike.filter((each) => each.address === address)
  if (itself.some((each) => each.kind !== 'paid')) return undefined
  const sinceMs = Math.min(...itself.map((each) => each.sinceMs))
  return alike
    .filter((each) => looksAlike(each.address, address) && (each.kind !== 'paid' || each.sinceMs < sinceMs))
    .toSorted((a, b) => RANKS[a.kind] - RANKS[b.kind] || a.sinceMs - b.sinceMs)[0]
}
