import type { OutputOf } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { endsBetween, paymentsBetween } from '@holdfast/features/standing-order/server'
import { formatAmount } from '@holdfast/units'
import type { getCalendar } from '../contract.ts'

type Entry = OutputOf<typeof getCalendar>['list'][number]
export type Span = { fromMs: number; untilMs: number }

/** So many orders of each kind, and so many batches, are shown of one month. */
const SHOWN_MAX = 500

/** What is on the days of a span, the earliest first. */
export async function readCalendar(tx: OrganisationTx, needs: Pick<ServerContext, 'ports' | 'networks'>, span: Span): Promise<Entry[]> {
  const [payments, ends, orders, batches] = await Promise.all([
    paymentsBetween(tx, needs, span),
    endsBetween(tx, span),
    readOrders(tx, needs, span),
    readBatches(tx, span),
  ])
  const entries = [
    ...payments.map(({ atMs, state, name, amount, symbol, standingOrderId, orderId }): Entry => {
      return { kind: 'payment', ...dated(atMs), state, name, amount, symbol, standing_order_id: standingOrderId, order_id: orderId }
    }),
    ...ends.map(({ atMs, name, standingOrderId }): Entry => ({ kind: 'standing', ...dated(atMs), name, standing_order_id: standingOrderId })),
    ...orders,
    ...batches,
  ]
  return entries.toSorted((a, b) => a.at - b.at)
}

const dated = (at: number) => ({ at, date: new Date(at).toISOString().slice(0, 10) })

/** Orders that go on a day of the span because their delay is over by then, and those that can be approved until a day of it. */
async function readOrders(tx: OrganisationTx, { networks }: Pick<ServerContext, 'networks'>, { fromMs, untilMs }: Span): Promise<Entry[]> {
  const open = tx
    .selectFrom('transfer_order')
    .select(['id', 'chain', 'contract', 'symbol', 'amount', 'signable_at', 'expires_at'])
    .where('org_id', '=', tx.orgId)
  const [held, waiting] = await Promise.all([
    open
      .where('is_final', '=', false)
      .where('state', '=', 'approved')
      .where('sub_status', '=', 'cooling')
      .where('signable_at', '>=', BigInt(fromMs))
      .where('signable_at', '<', BigInt(untilMs))
      .orderBy('signable_at')
      .limit(SHOWN_MAX)
      .execute(),
    open
      .where('is_final', '=', false)
      .where('state', '=', 'approving')
      .where('expires_at', '>=', BigInt(fromMs))
      .where('expires_at', '<', BigInt(untilMs))
      .orderBy('expires_at')
      .limit(SHOWN_MAX)
      .execute(),
  ])
  type Row = (typeof held)[number]
  const entry = (kind: 'held' | 'approval', row: Row, at: bigint | null): Entry => {
    const decimals = networks.byContract(row.chain, row.contract)?.decimals ?? 0
    return { kind, ...dated(Number(at)), amount: formatAmount(row.amount, decimals), symbol: row.symbol, order_id: row.id }
  }
  return [...held.map((row) => entry('held', row, row.signable_at)), ...waiting.map((row) => entry('approval', row, row.expires_at))]
}

async function readBatches(tx: OrganisationTx, { fromMs, untilMs }: Span): Promise<Entry[]> {
  const rows = await tx
    .selectFrom('batch_transfer')
    .select(['id', 'file_name', 'expires_at'])
    .where('org_id', '=', tx.orgId)
    .where('is_final', '=', false)
    .where('state', 'in', ['approving', 'approved'])
    .where('expires_at', '>=', BigInt(fromMs))
    .where('expires_at', '<', BigInt(untilMs))
    .orderBy('expires_at')
    .limit(SHOWN_MAX)
    .execute()
  return rows.map(({ id, file_name, expires_at: at }) => ({ kind: 'batch', ...dated(Number(at)), file_name, batch_id: id }))
}
