import type { OrganisationTx } from '@holdfast/db'
import { followedStandingOrders, standingStops } from '@holdfast/features/policy/server'
import { bytesToUuid, formatAmount } from '@holdfast/units'
import type { PaymentState } from '../choose/choose-due.ts'
import { stopOf } from '../run-standing-orders.ts'
import { paymentsOf } from './payments.ts'

type Span = { fromMs: number; untilMs: number }

/** A scheduled payment by the moment when it is due. Its amount is in whole units. */
export type Dated = { atMs: number; state: PaymentState; name: string; amount: string; symbol: string; standingOrderId: string; orderId: string | null }

/** The scheduled payments that are due within a span, of all standing orders that signers follow. */
export async function paymentsBetween(tx: OrganisationTx, { fromMs, untilMs }: Span, nowMs: number): Promise<Dated[]> {
  const [followed, stops] = await Promise.all([followedStandingOrders(tx), standingStops(tx)])
  const found = await Promise.all(
    followed.map(async ({ intent }) => {
      const [moved] = intent.assets
      if (intent.does.kind !== 'schedule' || !moved) return []
      const payments = await paymentsOf(tx, intent, intent.does, { nowMs, isStopped: stopOf(stops, { intent }) !== undefined })
      const { symbol, decimals } = moved.asset
      const common = { name: intent.name, amount: formatAmount(moved.atMost, Number(decimals)), symbol, standingOrderId: bytesToUuid(intent.id) }
      return payments
        .filter(({ due }) => due.dueAtMs >= fromMs && due.dueAtMs < untilMs)
        .map(({ due, state, orderId }) => ({ ...common, atMs: due.dueAtMs, state, orderId }))
    }),
  )
  return found.flat()
}

/**
 * The standing orders that end within a span unless people approve their next version, but for those that somebody stopped, and schedules, whose last payment
 * says it.
 */
export async function endsBetween(tx: OrganisationTx, { fromMs, untilMs }: Span): Promise<{ atMs: number; name: string; standingOrderId: string }[]> {
  const [followed, stops] = await Promise.all([followedStandingOrders(tx), standingStops(tx)])
  return followed
    .filter(({ intent }) => intent.does.kind !== 'schedule' && stopOf(stops, { intent }) === undefined)
    .map(({ intent }) => ({ atMs: Number(intent.untilMs), name: intent.name, standingOrderId: bytesToUuid(intent.id) }))
    .filter(({ atMs }) => atMs >= fromMs && atMs < untilMs)
}
