import { countAllKept, type Counted, type CountKey } from '@holdfast/db'
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
  return sumOf(await countAllKept(tx, nowMs, parts.map(inList), countKeys(filter, parts)))
}

/** A part as it is counted. */
export const inList = ({ from, where, staysSince }: Part): Counted => ({ from: sql`${from} t`, where, staysSince })

/** Under which names the counts of the parts are kept. */
export function countKeys(filter: TransactionFilter, parts: readonly Part[]): CountKey[] {
  const asked = Object.entries(filter).filter(([, value]) => value !== undefined)
  const isUnchanging = asked.every(([name]) => UNCHANGING.has(name))
  return parts.map(({ type, staysSince }) => (staysSince !== undefined && isUnchanging ? JSON.stringify(['transactions', type, asked.toSorted()]) : undefined))
}

export const sumOf = (counts: readonly ReadonlyMap<string, number>[]): number => counts.reduce((sum, each) => sum + (each.get('') ?? 0), 0)
