import { RecentMap } from '@holdfast/units'
import { type RawBuilder, sql, type SqlBool } from 'kysely'
import type { OrganisationTx } from './run-transaction.ts'

/** A row is written soon after the moment it states. Rows older than this are all there. */
const SETTLED_MS = 3_600_000
const KEPT_MAX = 2_000

/** How many rows from before a moment there are, by group. */
type Settled = { counts: ReadonlyMap<string, number>; beforeMs: number }

const kept = new RecentMap<string, Settled>(KEPT_MAX)

/** Which rows are counted. */
export type Counted = {
  /**
   * Names what is counted, without the organisation: the same name always means the same rows, apart from new ones. Undefined if an old row may start or
   * stop being counted: then everything is counted each time.
   */
  key: string | undefined
  /** The SQL after "from". */
  from: RawBuilder<unknown>
  where: RawBuilder<SqlBool>
  /** The column with the moment from which on a row stays for ever. A row that has no such moment yet is counted each time. */
  staysSince: RawBuilder<unknown>
  /** A text that groups the rows. */
  group?: RawBuilder<unknown>
}

/** How many rows there are, by group ('' if there is none). Kept rows that were counted before are not counted again; only new ones are. */
export async function countKept(tx: OrganisationTx, nowMs: number, { key, from, where, staysSince, group = sql`''` }: Counted): Promise<Map<string, number>> {
  const name = key === undefined ? undefined : `${tx.orgId} ${key}`
  const known = name === undefined ? undefined : kept.get(name)
  // After a clock was set back, new rows are older than what was counted.
  const { counts, beforeMs } = known && known.beforeMs <= nowMs - SETTLED_MS / 2 ? known : { counts: new Map<string, number>(), beforeMs: 0 }
  const settledMs = Math.max(beforeMs, nowMs - SETTLED_MS)
  const { rows } = await sql<{ name: string; settled: bigint; later: bigint }>`
    select ${group} as name, count(*) filter (where ${staysSince} < ${settledMs}) as settled, count(*) filter (where ${staysSince} >= ${settledMs}) as later
      from ${from} where ${where} and ${staysSince} >= ${beforeMs} group by 1
    union all select ${group}, 0, count(*) from ${from} where ${where} and ${staysSince} is null group by 1`.execute(tx)
  const settled = new Map(counts)
  const add = (to: Map<string, number>, of: string, count: bigint) => to.set(of, (to.get(of) ?? 0) + Number(count))
  for (const row of rows) add(settled, row.name, row.settled)
  if (name !== undefined) kept.set(name, { counts: settled, beforeMs: settledMs })
  const all = new Map(settled)
  for (const row of rows) add(all, row.name, row.later)
  return all
}
