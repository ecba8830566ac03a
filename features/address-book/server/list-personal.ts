import { looksAlike } from '@holdfast/chain-core'
import type { OrganisationTx } from '@holdfast/db'
import type { Networks } from '@holdfast/features/network/server'
import { at } from '@holdfast/units'
import { sql } from 'kysely'
import { lastScreenings } from './last-screenings.ts'
import { entriesLike } from './similar-to.ts'

type Asked = { personId: string; keyword: string; chain: string | undefined; page: number; pageSize: number }
type Row = {
  id: string
  name: string
  chain: string
  address: string
  memo: string
  note: string
  created_at: bigint
  last_used_at: bigint | null
  total: bigint
}

/** A page of a person's book by name. Words are looked for in the name, the address, the memo and the note. */
export async function listPersonal(tx: OrganisationTx, networks: Networks, { personId, keyword, chain, page, pageSize }: Asked) {
  const word = keyword.trim().toLowerCase()
  const found = word === '' ? sql`` : sql`and position(${word} in lower(concat_ws(' ', name, address, memo, note))) > 0`
  const onChain = chain === undefined ? sql`` : sql`and chain = ${chain}`
  const { rows } = await sql<Row>`
    with book as (
      select * from personal_address where org_id = ${tx.orgId} and person_id = ${personId} and removed_at is null
    )
    select id, name, chain, address, memo, note, created_at, count(*) over () as total,
      (select max(created_at) from transfer_order as paid where paid.org_id = ${tx.orgId} and paid.initiator = ${personId} and paid.replaces is null
        and paid.chain = book.chain and paid.address_to = book.address) as last_used_at
    from book where true ${onChain} ${found}
    order by lower(name), id limit ${pageSize} offset ${(page - 1) * pageSize}`.execute(tx)
  const screenings = await lastScreenings(
    tx,
    rows.map((row) => ({ address: row.address, chains: [row.chain] })),
  )
  const addresses = rows.map(({ address }) => address)
  const entries = addresses.length === 0 ? [] : await entriesLike(tx, personId, addresses)
  const list = rows.map((row, i) => {
    const network = networks.find(row.chain)
    return {
      id: row.id,
      name: row.name,
      chain: row.chain,
      network: network?.name ?? row.chain,
      base_symbol: network?.assets.find((each) => each.contract === null)?.symbol ?? '',
      address: row.address,
      memo: row.memo,
      note: row.note,
      last_used_at: row.last_used_at === null ? null : Number(row.last_used_at),
      kyt: screenings[i] ?? null,
      similar: entries.some(({ address }) => looksAlike(address, row.address)),
      created_at: Number(row.created_at),
    }
  })
  // A page past the end says nothing of how many there are.
  const pageTotal = rows[0] ? Number(rows[0].total) : page === 1 ? 0 : await countAll(tx, personId, onChain, found)
  return { pageTotal, list }
}

async function countAll(tx: OrganisationTx, personId: string, onChain: ReturnType<typeof sql>, found: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await sql<{ count: bigint }>`
    select count(*) as count from personal_address
    where org_id = ${tx.orgId} and person_id = ${personId} and removed_at is null ${onChain} ${found}`.execute(tx)
  return Number(at(rows, 0).count)
}
