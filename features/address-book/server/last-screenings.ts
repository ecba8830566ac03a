import type { OrganisationTx } from '@holdfast/db'
import type { Screened } from '@holdfast/features/kyt/contract'
import { sql } from 'kysely'

type Place = { address: string; chains: readonly string[] }
type Row = { n: number; level: Screened['level']; provider: string; screened_at: bigint }

/**
 * What a screener said last of an order or a batch that pays each of these addresses on one of its networks, whatever became of it: one for each place, null
 * where nobody said anything. An order that pays several is screened as a whole, and so is a batch. Nobody is asked for it.
 */
export async function lastScreenings(tx: OrganisationTx, places: readonly Place[]): Promise<(Screened | null)[]> {
  if (places.length === 0) return []
  const asked = JSON.stringify(places.map(({ address, chains }, n) => ({ n, address, chains })))
  const { rows } = await sql<Row>`
    select place.n, said.level, said.provider, said.screened_at
    from jsonb_to_recordset(${asked}::jsonb) as place (n int, address text, chains jsonb)
    cross join lateral (
      select word.level, word.provider, word.screened_at
      from (
        select paid.chain, paid.intent_hash from transfer_order as paid
          where paid.org_id = ${tx.orgId} and paid.address_to = place.address and paid.replaces is null
        union all
        select paid.chain, paid.intent_hash from order_output as part
          join transfer_order as paid on paid.org_id = part.org_id and paid.id = part.order_id
          where part.org_id = ${tx.orgId} and part.address = place.address and paid.replaces is null
        union all
        select batch.chain, batch.intent_hash from batch_transfer_line as line
          join batch_transfer as batch on batch.org_id = line.org_id and batch.id = line.batch_id
          where line.org_id = ${tx.orgId} and line.address = place.address
      ) as paying
      join screening_word as word on word.org_id = ${tx.orgId} and word.intent_hash = paying.intent_hash
      where place.chains ? paying.chain
      order by word.screened_at desc, word.sequence desc limit 1
    ) as said`.execute(tx)
  const found = new Map(rows.map(({ n, level, provider, screened_at: at }) => [n, { level, provider, at: Number(at) }]))
  return places.map((_, n) => found.get(n) ?? null)
}
