import type { EnergyQuote } from '../market/energy-market.ts'

/** Why no energy is rented for a payment. The page says what would change it. */
export const RENT_REASONS = [
  'rent_no_market',
  'rent_away',
  'rent_no_payer',
  'rent_no_order',
  'rent_permission',
  'rent_other_address',
  'rent_offers_less',
  'rent_not_cheaper',
  'rent_over_max',
  'rent_budget_used',
  'rent_over_cap',
  'rent_fee_too_high',
  'rent_not_covered',
  'rent_limit_used',
  'rent_no_coins',
  'rent_failed',
  'rent_not_delivered',
] as const
export type RentReason = (typeof RENT_REASONS)[number]
/** That energy was paid for and did not come. */
export const LOST_RENT = 'rent_not_delivered' satisfies RentReason

/** What the organisation pays for rented energy without asking, in base units of coin: for one payment, and in 24 hours, of which so much was paid already. */
export type RentBounds = { max: bigint; day: bigint; today: bigint }

/** What a standing order lets be paid at a time, and to which address. */
export type RentTerms = { payTo: string; atLeast: bigint; atMost: bigint }

const MARGIN_PARTS = 100n

/** How much is rented for what lacks: a hundredth more, since what stake gives changes from block to block with what others stake. */
export const unitsToRent = (lack: bigint): bigint => lack + (lack + MARGIN_PARTS - 1n) / MARGIN_PARTS

/** Whether what somebody offers is taken, or why not. `burn` is what the payment would burn without it: who asks as much is not paid. */
export function chooseRent(
  { payTo, energy, price }: Pick<EnergyQuote, 'payTo' | 'energy' | 'price'>,
  { units, burn, bounds, terms }: { units: bigint; burn: bigint; bounds: RentBounds; terms: RentTerms },
): { price: bigint } | { reason: RentReason } {
  if (payTo !== terms.payTo) return { reason: 'rent_other_address' }
  if (energy < units) return { reason: 'rent_offers_less' }
  if (price >= burn) return { reason: 'rent_not_cheaper' }
  if (price > bounds.max) return { reason: 'rent_over_max' }
  if (bounds.today + price > bounds.day) return { reason: 'rent_budget_used' }
  return price < terms.atLeast || price > terms.atMost ? { reason: 'rent_over_cap' } : { price }
}

type Awaited = { isPaid: boolean; paidAtMs: number; nowMs: number; saysFailed: boolean }

/** Energy that is not there so long after it was paid for is not waited for any more. */
export const DELIVERY_MS = 10 * 60_000

/** Whether rented energy is still waited for: it was paid in a final block not long ago, and whoever was paid does not say that nothing comes. */
export const isAwaited = ({ isPaid, paidAtMs, nowMs, saysFailed }: Awaited): boolean => isPaid && !saysFailed && nowMs - paidAtMs < DELIVERY_MS
