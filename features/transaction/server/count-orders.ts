import { at, RecentMap } from '@holdfast/units'
import { type RawBuilder, sql, type SqlBool } from 'kysely'
import type { TransactionFilter } from './filter-transactions.ts'
import type { Viewer } from './view/view-context.ts'

/** What an order never changes in, and the currency of values, which chooses none: who is counted by these alone is counted for ever. */
const UNCHANGING: ReadonlySet<string> = new Set(['type', 'source', 'wallet_id', 'sub_wallet_id', 'chain', 'symbol', 'initiator_id', 'fiat'])
/** An order is written soon after the moment that it says it was asked for at. What is older than this is all there. */
const SETTLED_MS = 3_600_000
const KEPT_MAX = 1_000

/** How many orders were asked for before a moment. */
type Settled = { count: number; beforeMs: number }

/** By organisation and filter. Orders are added and never taken away, so what was counted once need not be counted again. */
const kept = new RecentMap<string, Settled>(KEPT_MAX)

/** How many orders there are under a filter, which is the condition `where` on `transfer_order t`. Of those that were counted before, only the number is added. */
export async function countOrders({ tx, nowMs }: Pick<Viewer, 'tx' | 'nowMs'>, filter: TransactionFilter, where: RawBuilder<SqlBool>): Promise<number> {
  const asked = Object.entries(filter).filter(([, value]) => value !== undefined)
  const key = asked.every(([name]) => UNCHANGING.has(name)) ? JSON.stringify([tx.orgId, asked.toSorted()]) : undefined
  const known = key === undefined ? undefined : kept.get(key)
  // Behind a clock that was set back, orders are written that are older than what was counted.
  const { count, beforeMs } = known && known.beforeMs <= nowMs - SETTLED_MS / 2 ? known : { count: 0, beforeMs: 0 }
  const settledMs = Math.max(beforeMs, nowMs - SETTLED_MS)
  const { rows } = await sql<{ settled: bigint; later: bigint }>`select count(*) filter (where t.created_at < ${settledMs}) as settled,
    count(*) filter (where t.created_at >= ${settledMs}) as later from transfer_order t where ${where} and t.created_at >= ${beforeMs}`.execute(tx)
  const found = at(rows, 0)
  const settled = count + Number(found.settled)
  if (key !== undefined) kept.set(key, { count: settled, beforeMs: settledMs })
  return settled + Number(found.later)
}
