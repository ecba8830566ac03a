import { at, known, RecentMap } from '@holdfast/units'
import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { type OrganisationTx, writtenOnce } from '../run-transaction.ts'

/** A row is written soon after the moment it states. Rows older than this are all there. */
const SETTLED_MS = 3_600_000
const KEPT_MAX = 2_000

/** How many rows from before a moment there are, by group. */
type Settled = { counts: ReadonlyMap<string, number>; beforeMs: number }

const kept = new RecentMap<string, Settled>(KEPT_MAX)

/** Which rows are counted. */
export type Counted = {
  /** The SQL after "from". */
  from: RawBuilder<unknown>
  where: RawBuilder<SqlBool>
  /** The column with the moment from which on a row stays for ever. A row that has no such moment yet is counted each time; all are, if there is no column. */
  staysSince?: RawBuilder<unknown> | undefined
  /** A text that groups the rows. */
  group?: RawBuilder<unknown>
}

/**
 * Names what is counted, without the organisation: the same name always means the same rows, apart from new ones. Undefined if an old row may start or stop
 * being counted: then everything is counted each time.
 */
export type CountKey = string | undefined

type Bounds = Record<`before${number}` | `settled${number}`, number>
type Row = { place: number; name: string; settled: bigint; later: bigint }

/** How many rows there are, by group ('' if there is none). Kept rows that were counted before are not counted again; only new ones are. */
export async function countKept(tx: OrganisationTx, nowMs: number, { key, ...counted }: Counted & { key: CountKey }): Promise<Map<string, number>> {
  return at(await countAllKept(tx, nowMs, [counted], [key]), 0)
}

/** `countKept` of several, by one question. */
export async function countAllKept(tx: OrganisationTx, nowMs: number, counted: readonly Counted[], keys: readonly CountKey[]): Promise<Map<string, number>[]> {
  return counting(tx, nowMs, keys, async (bounds) => (await question(counted, bounds).execute(tx)).rows)
}

/** The same for a page that counts all the time: the question is written once, with places for the values that `write` is given (`writtenOnce`). */
export function countsWrittenOnce<Given extends object>(write: (given: Given) => readonly Counted[]) {
  const ask = writtenOnce((_, given: Given & Bounds) => question(write(given), given))
  return (tx: OrganisationTx, nowMs: number, given: Given, keys: readonly CountKey[]): Promise<Map<string, number>[]> =>
    counting(tx, nowMs, keys, (bounds) => ask(tx, { ...given, ...bounds }))
}

const boundOf = (bounds: Bounds, name: keyof Bounds): number => known(bounds[name], name)

const question = (counted: readonly Counted[], bounds: Bounds) =>
  sql<Row>`${sql.join(
    counted.flatMap((each, place) => countedIn(each, { place, beforeMs: boundOf(bounds, `before${place}`), settledMs: boundOf(bounds, `settled${place}`) })),
    sql` union all `,
  )}`

async function counting(tx: OrganisationTx, nowMs: number, keys: readonly CountKey[], ask: (bounds: Bounds) => Promise<readonly Row[]>) {
  if (keys.length === 0) return []
  const asked = keys.map((key) => settledOf(tx, nowMs, key))
  const bounds: Bounds = Object.fromEntries(
    asked.flatMap(({ beforeMs, settledMs }, place) => [
      [`before${place}`, beforeMs],
      [`settled${place}`, settledMs],
    ]),
  )
  const rows = await ask(bounds)
  return asked.map(({ name, counts, settledMs }, place) => {
    const own = rows.filter((row) => row.place === place)
    const settled = addUp(
      counts,
      own.map((row) => [row.name, row.settled]),
    )
    if (name !== undefined) kept.set(name, { counts: settled, beforeMs: settledMs })
    return addUp(
      settled,
      own.map((row) => [row.name, row.later]),
    )
  })
}

/** What was counted before, and until which moment rows are settled now. */
function settledOf({ orgId }: OrganisationTx, nowMs: number, key: CountKey): Settled & { name: string | undefined; settledMs: number } {
  const name = key === undefined ? undefined : `${orgId} ${key}`
  const before = name === undefined ? undefined : kept.get(name)
  // After a clock was set back, new rows are older than what was counted.
  const { counts, beforeMs } = before && before.beforeMs <= nowMs - SETTLED_MS / 2 ? before : { counts: new Map<string, number>(), beforeMs: 0 }
  return { name, counts, beforeMs, settledMs: Math.max(beforeMs, nowMs - SETTLED_MS) }
}

function countedIn(
  { from, where, staysSince, group = sql`''` }: Counted,
  { place, beforeMs, settledMs }: { place: number; beforeMs: number; settledMs: number },
) {
  const which = sql`${sql.lit(place)} as place, ${group} as name`
  if (staysSince === undefined) return [sql`select ${which}, 0 as settled, count(*) as later from ${from} where ${where} group by 2`]
  return [
    sql`select ${which}, count(*) filter (where ${staysSince} < ${settledMs}) as settled, count(*) filter (where ${staysSince} >= ${settledMs}) as later
      from ${from} where ${where} and ${staysSince} >= ${beforeMs} group by 2`,
    sql`select ${which}, 0, count(*) from ${from} where ${where} and ${staysSince} is null group by 2`,
  ]
}

function addUp(counts: ReadonlyMap<string, number>, more: readonly (readonly [string, bigint])[]): Map<string, number> {
  const sum = new Map(counts)
  for (const [name, count] of more) sum.set(name, (sum.get(name) ?? 0) + Number(count))
  return sum
}
