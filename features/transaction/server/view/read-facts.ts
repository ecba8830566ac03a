import { type OrganisationTx, writtenOnce } from '@holdfast/db'
import { sql } from 'kysely'
import { type NotifyStanding, notifyStanding } from './notify-states.ts'

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
type Mark = { id: string; category: string | null; tags: string[]; note: string; suspicious: boolean | null }

// Each of them looks all ids up in one table at once. To look them up one by one costs the database half as much again.
const askMarks = writtenOnce(
  (_, { orgId, ids }: Some) => sql<Mark>`
    select transaction_id as id, category, tags, note, suspicious from transaction_mark where org_id = ${orgId} and transaction_id = any(${ids}::uuid[])`,
)
const askRequests = writtenOnce(
  (_, { orgId, ids }: Some) => sql<{ id: string; request_id: string }>`
    select result_id as id, request_id from idempotency where org_id = ${orgId} and result_id = any(${ids}::text[])`,
)
const askInBlock = writtenOnce(
  (_, { orgId, ids }: Some) => sql<{ id: string; at: bigint }>`
    select order_id as id, min(at) as at from transfer_event
    where org_id = ${orgId} and order_id = any(${ids}::uuid[]) and state = 'confirming' group by order_id`,
)
const askTold = writtenOnce(
  (_, { orgId, ids }: Some) => sql<{ id: string; state: string; count: bigint; times: bigint }>`
    select record_id as id, state, count(*) as count, sum(attempts) as times from webhook_delivery
    where org_id = ${orgId} and record_id = any(${ids}::uuid[]) group by record_id, state`,
)

/** The facts of transactions, by their ids. The questions need the ids alone, so that they travel with the one about the transactions themselves. */
export async function readFacts(tx: OrganisationTx, ids: readonly string[]): Promise<Map<string, Facts>> {
  if (ids.length === 0) return new Map()
  const some = { orgId: tx.orgId, ids }
  const [marks, requests, inBlock, told] = await Promise.all([askMarks(tx, some), askRequests(tx, some), askInBlock(tx, some), askTold(tx, some)])
  const markOf = new Map(marks.map((row) => [row.id, row]))
  const requestOf = new Map(requests.map(({ id, request_id }) => [id, request_id]))
  const inBlockOf = new Map(inBlock.map(({ id, at }) => [id, Number(at)]))
  const toldOf = Map.groupBy(
    told.map(({ count, times, ...row }) => ({ ...row, count: Number(count), times: Number(times) })),
    ({ id }) => id,
  )
  return new Map(
    ids.map((id) => {
      const { category = null, tags = [], note = '', suspicious = null } = markOf.get(id) ?? {}
      const counts = toldOf.get(id)
      const facts = { category, tags, note, suspicious, requestId: requestOf.get(id) ?? null, inBlockMs: inBlockOf.get(id) }
      return [id, { ...facts, notify: counts ? notifyStanding(counts) : null }]
    }),
  )
}
