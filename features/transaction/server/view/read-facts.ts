import { type OrganisationTx, writtenOnce } from '@holdfast/db'
import { sql } from 'kysely'
import { type NotifyCount, notifyCounts, type NotifyStanding, notifyStanding } from './notify-states.ts'

/** What is known of a transaction by its id alone: how it was filed, by which request it was asked for, and what became of its notifications. */
export type Facts = {
  category: string | null
  tags: string[]
  note: string
  /** What a person said of it; null if nobody did. */
  suspicious: boolean | null
  requestId: string | null
  /** When the chain first had it in a block, if it is a payment. */
  inBlockMs: number | undefined
  notify: NotifyStanding | null
}

type Row = {
  id: string
  category: string | null
  tags: string[] | null
  note: string | null
  suspicious: boolean | null
  request_id: string | null
  in_block_at: bigint | null
  told: NotifyCount[] | null
}

const askFacts = writtenOnce(
  (_, { orgId, ids }: { orgId: string; ids: readonly string[] }) => sql<Row>`
    select t.id, m.category, m.tags, m.note, m.suspicious,
      (select r.request_id from idempotency r where r.org_id = ${orgId} and r.result_id = t.id::text limit 1) as request_id,
      (select min(e.at) from transfer_event e where e.org_id = ${orgId} and e.order_id = t.id and e.state = 'confirming') as in_block_at,
      ${notifyCounts(orgId)} as told
    from unnest(${ids}::uuid[]) t (id) left join transaction_mark m on m.org_id = ${orgId} and m.transaction_id = t.id`,
)

/** The facts of transactions, by their ids. One question, which needs the ids alone, so that it travels with the one about the transactions themselves. */
export async function readFacts(tx: OrganisationTx, ids: readonly string[]): Promise<Map<string, Facts>> {
  if (ids.length === 0) return new Map()
  const rows = await askFacts(tx, { orgId: tx.orgId, ids })
  return new Map(rows.map((row) => [row.id, factsOf(row)]))
}

function factsOf({ category, tags, note, suspicious, request_id, in_block_at, told }: Row): Facts {
  return {
    category,
    tags: tags ?? [],
    note: note ?? '',
    suspicious,
    requestId: request_id,
    inBlockMs: in_block_at === null ? undefined : Number(in_block_at),
    notify: told && notifyStanding(told),
  }
}
