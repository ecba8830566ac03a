import { countAllKept } from '@holdfast/db'
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

/** How many rows all parts of the list have under a filter. */
export async function countRows({ tx, nowMs }: Pick<Viewer, 'tx' | 'nowMs'>, filter: TransactionFilter, parts: readonly Part[]): Promise<number> {
  const asked = Object.entries(filter).filter(([, value]) => value !== undefined)
  const isUnchanging = asked.every(([name]) => UNCHANGING.has(name))
  const counted = parts.map(({ type, from, where, staysSince }) => {
    const key = staysSince !== undefined && isUnchanging ? JSON.stringify(['transactions', type, asked.toSorted()]) : undefined
    return { key, from: sql`${from} t`, where, staysSince }
  })
  const counts = await countAllKept(tx, nowMs, counted)
  return counts.reduce((sum, each) => sum + (each.get('') ?? 0), 0)
}
