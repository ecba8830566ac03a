import { type OrganisationTx, writtenOnce } from '@holdfast/db'
import { known } from '@holdfast/units'
import { sql } from 'kysely'
import { type NotifyCount, type NotifyStanding, notifyStanding } from './notify-states.ts'

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

type Some = { orgId: string; ids: readonly string[] }
type Fact = { id: string } & (
  | { what: 'mark'; word: string | null; note: string; tags: string; one: bigint | null }
  | { what: 'request'; word: string }
  | { what: 'in_block'; one: bigint }
  | { what: 'told'; word: string; one: bigint; two: bigint }
)

// One question, of which each part looks all ids up in one table at once. To look them up one by one costs the database half as much again.
const askFacts = writtenOnce(
  (_, { orgId, ids }: Some) => sql<Fact>`
    select 'mark' as what, transaction_id::text as id, category as word, note, to_json(tags)::text as tags, suspicious::int::int8 as one, null::int8 as two
      from transaction_mark where org_id = ${orgId} and transaction_id = any(${ids}::uuid[])
    union all select 'request', result_id, request_id, null, null, null, null from idempotency where org_id = ${orgId} and result_id = any(${ids}::text[])
    union all select 'in_block', order_id::text, null, null, null, min(at), null
      from transfer_event where org_id = ${orgId} and order_id = any(${ids}::uuid[]) and state = 'confirming' group by order_id
    union all select 'told', record_id::text, state, null, null, count(*), sum(attempts)
      from webhook_delivery where org_id = ${orgId} and record_id = any(${ids}::uuid[]) group by record_id, state`,
)

/** The facts of transactions, by their ids. The questions need the ids alone, so that they travel with the one about the transactions themselves. */
export async function readFacts(tx: OrganisationTx, ids: readonly string[]): Promise<Map<string, Facts>> {
  if (ids.length === 0) return new Map()
  const facts = new Map(
    ids.map((id): [string, Facts] => [id, { category: null, tags: [], note: '', suspicious: null, requestId: null, inBlockMs: undefined, notify: null }]),
  )
  const told = new Map<string, NotifyCount[]>()
  for (const fact of await askFacts(tx, { orgId: tx.orgId, ids })) {
    const of = known(facts.get(fact.id), 'a transaction that was asked about')
    if (fact.what === 'mark') {
      Object.assign(of, { category: fact.word, note: fact.note, tags: JSON.parse(fact.tags), suspicious: fact.one === null ? null : fact.one === 1n })
    } else if (fact.what === 'request') of.requestId = fact.word
    else if (fact.what === 'in_block') of.inBlockMs = Number(fact.one)
    else told.set(fact.id, [...(told.get(fact.id) ?? []), { state: fact.word, count: Number(fact.one), times: Number(fact.two) }])
  }
  for (const [id, counts] of told) known(facts.get(id), 'a transaction that was asked about').notify = notifyStanding(counts)
  return facts
}
