import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { followedStandingOrders, standingStops } from '@holdfast/features/policy/server'
import { bytesToUuid, formatAmount } from '@holdfast/units'
import type { Attempt, PaymentState } from '../choose/choose-due.ts'
import { stopOf } from '../run-standing-orders.ts'
import { paymentsOf } from './payments.ts'

type Span = { fromMs: number; untilMs: number }

/** A scheduled payment by the moment when it is due. Its amount is in whole units. */
export type Dated = { atMs: number; state: PaymentState; name: string; amount: string; symbol: string; standingOrderId: string; orderId: string | null }

/** The scheduled payments that are due within a span, of all standing orders that signers follow. */
export async function paymentsBetween(tx: OrganisationTx, needs: Pick<ServerContext, 'ports' | 'networks'>, { fromMs, untilMs }: Span): Promise<Dated[]> {
  const nowMs = needs.ports.clock.nowMs()
  const [followed, stops] = await Promise.all([followedStandingOrders(tx), standingStops(tx)])
  const found = await Promise.all(
    followed.map(async ({ intent }) => {
      const [moved] = intent.assets
      if (intent.does.kind !== 'schedule' || !moved) return []
      const payments = await paymentsOf(tx, intent, intent.does, { nowMs, isStopped: stopOf(stops, { intent }) !== undefined })
      const { chain, symbol, decimals } = moved.asset
      const planned = { amount: formatAmount(moved.atMost, Number(decimals)), symbol }
      const shown = ({ contract, symbol: of, amount }: Attempt['pays']) => {
        return { amount: formatAmount(amount, needs.networks.byContract(chain, contract)?.decimals ?? 0), symbol: of }
      }
      return payments
        .filter(({ due }) => due.dueAtMs >= fromMs && due.dueAtMs < untilMs)
        .map(({ due, state, order }) => ({
          ...{ name: intent.name, standingOrderId: bytesToUuid(intent.id), atMs: due.dueAtMs, state, orderId: order?.orderId ?? null },
          ...(order && order.state !== 'void' ? shown(order.pays) : planned),
        }))
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
