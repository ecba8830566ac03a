import type { OutputOf } from '@holdfast/contract'
import type { ServerContext } from '@holdfast/features/context'
import type { StandingOrderIntent } from '@holdfast/intent'
import { formatAmount } from '@holdfast/units'
import { dayText } from '../../dates.ts'
import type { listScheduledPayments } from '../../contract.ts'
import { COIN_DETAILS } from '../reasons.ts'
import type { Payment } from './payments.ts'

type View = OutputOf<typeof listScheduledPayments>['list']

type Seen = Pick<ServerContext, 'networks'> & {
  /** The orders whose fee is raised no further by itself, each with the most that it may cost. */
  unraised: ReadonlyMap<string, bigint>
}

/** The dates of a schedule as people see them: amounts in whole units. */
export function paymentsView(payments: readonly Payment[], { assets }: StandingOrderIntent, { networks, unraised }: Seen): View {
  const [moved] = assets
  const inUnits = (detail: string, reason: string): string => {
    const coin = moved && networks.byContract(moved.asset.chain, '')
    const asset = COIN_DETAILS.has(reason) ? coin : moved && { symbol: moved.asset.symbol, decimals: Number(moved.asset.decimals) }
    return asset ? `${formatAmount(BigInt(detail), asset.decimals)} ${asset.symbol}` : detail
  }
  const whyOf = ({ order, reason, detail }: Payment) => {
    const cap = order ? unraised.get(order.orderId) : undefined
    return cap === undefined ? { reason, detail } : { reason: 'fee_stays', detail: String(cap) }
  }
  return payments
    .map((each) => ({ ...each, ...whyOf(each) }))
    .map(({ due, state, order, reason, detail }) => ({
      date: dayText(due.day),
      due_at: due.dueAtMs,
      late_until: due.lastAtMs,
      state,
      order_id: order?.orderId ?? null,
      reason,
      detail: reason === null || detail === null ? null : inUnits(detail, reason),
    }))
}
