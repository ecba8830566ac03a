import { beginsWith, type OrganisationTx } from '@holdfast/db'
import { type RawBuilder, sql } from 'kysely'

export type FoundAddress = { address: string; kind: 'own' | 'paid' | 'sender'; subWalletId: string | null }

/** So many rows are read for each spelling of a beginning: an address that is paid all the time has more, and is found by the first of them. */
const ROWS_MAX = 500
/** Letters of so many characters behind the constant beginning are tried in both cases, because chains write checksums by them. */
const TRIED_IN_BOTH_CASES = 4
const HEX_START = /^0x[0-9a-f]{1,40}$/i
const START = /^[0-9a-z:_-]{3,100}$/i
const SHORTENED = /^([0-9a-z:_-]{2,})(?:…|\.{2,})([0-9a-z_-]{2,})$/i

/** A word as the beginning of addresses, and as their end where it was copied in short ("0x3C44…93BC"). */
export function addressPart(word: string): { start: string; end: string } | undefined {
  const [, start, end = ''] = SHORTENED.exec(word) ?? (START.test(word) ? [word, word] : [])
  return start === undefined ? undefined : { start, end }
}

/** The beginnings that addresses may be written with: hexadecimal ones have a checksum in the case of their letters. */
export function spellingsOfStart(start: string): string[] {
  if (!HEX_START.test(start)) return [...new Set([start, start.toLowerCase()])]
  const tried = [...start.slice(2, 2 + TRIED_IN_BOTH_CASES)]
  return tried.reduce<string[]>(
    (found, letter) => found.flatMap((each) => [...new Set([letter.toLowerCase(), letter.toUpperCase()])].map((one) => each + one)),
    ['0x'],
  )
}

/** The queries that find addresses by their beginning: our own, those we paid, and those that sent to us. Each reads a stretch of an index. */
export function addressQueries(orgId: string, start: string): RawBuilder<FoundAddress>[] {
  const of = (kind: FoundAddress['kind'], table: string, column: string, subWallet: RawBuilder<unknown>, also = sql``) =>
    spellingsOfStart(start).map(
      (text) => sql<FoundAddress>`(select ${sql.lit(kind)} as kind, ${sql.ref(`t.${column}`)} as address, ${subWallet} as "subWalletId"
        from ${sql.table(table)} t where t.org_id = ${orgId} and ${beginsWith(`t.${column}`, text)} ${also} limit ${ROWS_MAX})`,
    )
  const none = sql`null::uuid`
  return [
    ...of('own', 'address', 'address', sql`t.sub_wallet_id`),
    ...of('paid', 'transfer_order', 'address_to', none, sql`and t.txid is not null and t.replaces is null`),
    ...of('paid', 'order_output', 'address', none),
    ...of('sender', 'deposit', 'from_address', none),
  ]
}

/** Addresses that a word begins, or begins and ends: each once, our own first, then those we paid. */
export async function searchAddresses(tx: OrganisationTx, word: string, most: number): Promise<FoundAddress[]> {
  const part = addressPart(word)
  if (!part) return []
  const { rows } = await sql<FoundAddress>`select distinct on (lower(address)) kind, address, "subWalletId"
    from (${sql.join(addressQueries(tx.orgId, part.start), sql` union all `)}) found
    where lower(address) ^@ ${part.start.toLowerCase()} and right(lower(address), ${part.end.length}::int) = ${part.end.toLowerCase()}
    order by lower(address), array_position(array['own', 'paid', 'sender'], kind)`.execute(tx)
  const rank = { own: 0, paid: 1, sender: 2 }
  return rows.toSorted((one, other) => rank[one.kind] - rank[other.kind]).slice(0, most)
}
