import { countKept } from '@holdfast/db'
import { at } from '@holdfast/units'
import { type RawBuilder, sql, type SqlBool } from 'kysely'
import type { TransactionFilter } from './filter-transactions.ts'
import type { Viewer } from './view/view-context.ts'

/** What a row never changes in, and the currency of values, which chooses none. */
const UNCHANGING: ReadonlySet<string> = new Set(['type', 'source', 'wallet_id', 'sub_wallet_id', 'chain', 'symbol', 'initiator_id', 'fiat'])

/** A part of the list: the rows of a table, called `t`, of which a condition is true. */
type Part = {
  type: string
  from: RawBuilder<unknown>
  where: RawBuilder<SqlBool>
  /** The column with the moment from which on a row is there for ever. Absent where rows may go at any time. */
  staysSince?: RawBuilder<unknown>
}

/** How many rows a part of the list has under a filter. */
export async function countRows(
  { tx, nowMs }: Pick<Viewer, 'tx' | 'nowMs'>,
  filter: TransactionFilter,
  { type, from, where, staysSince }: Part,
): Promise<number> {
  if (staysSince === undefined) {
    const { rows } = await sql<{ count: bigint }>`select count(*) as count from ${from} t where ${where}`.execute(tx)
    return Number(at(rows, 0).count)
  }
  const asked = Object.entries(filter).filter(([, value]) => value !== undefined)
  const key = asked.every(([name]) => UNCHANGING.has(name)) ? JSON.stringify(['transactions', type, asked.toSorted()]) : undefined
  const counts = await countKept(tx, nowMs, { key, from: sql`${from} t`, where, staysSince })
  return counts.get('') ?? 0
}
