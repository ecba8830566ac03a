import { leftOf, type Meter } from '@holdfast/chain-core'
import type { RentReason } from './choose-rent.ts'

/** Why nothing is lent for a payment. The page says what would change it. */
export const LOAN_REASONS = [
  'no_standing_order',
  'no_lender',
  'own_address',
  'permission_changed',
  'no_stake',
  'stake_in_use',
  'over_cap',
  'fee_too_high',
  'no_fee_coins',
  'limit_used',
  'not_covered',
  'receiver_inactive',
  'lent_too_little',
  'failed',
] as const
export type LoanReason = (typeof LOAN_REASONS)[number]

/** What an address that lends has: energy for its stake (`limit`), the coin behind that (`stake`), and what of its stake it could delegate now. */
export type Lender = { limit: bigint; stake: bigint; delegatable: bigint }

/** What a standing order lets be delegated at a time, in base units of coin. `unit`: the network's least, of which it counts whole ones. */
export type LoanTerms = { atLeast: bigint; atMost: bigint; unit: bigint }

/** What a payment lacks of the energy that it uses, with what other payments of its address will use of what is there. */
export function lackOf({ needed, meter, promised }: { needed: bigint; meter: Meter; promised: bigint }): bigint {
  const left = leftOf(meter) - promised
  const free = left > 0n ? left : 0n
  return needed > free ? needed - free : 0n
}

/** The stake whose energy is at least so many units, in whole units of coin, which is how the network counts it; undefined if the lender's stake gives none. */
export function stakeFor(units: bigint, { limit, stake }: Pick<Lender, 'limit' | 'stake'>, unit: bigint): bigint | undefined {
  if (limit <= 0n || stake <= 0n) return undefined
  // Networks round energy down, of the lender and of the receiver.
  const exact = ((units + 1n) * stake + limit - 1n) / limit
  return ((exact + unit - 1n) / unit) * unit
}

/** How much stake is delegated so that an address has the energy it lacks, or why none is. */
export function chooseLoan(lack: bigint, terms: LoanTerms, lender: Lender): { stake: bigint } | { reason: LoanReason } {
  const wanted = stakeFor(lack, lender, terms.unit)
  if (wanted === undefined) return { reason: 'no_stake' }
  const stake = wanted < terms.atLeast ? terms.atLeast : wanted
  if (stake > terms.atMost) return { reason: 'over_cap' }
  return stake > lender.delegatable ? { reason: 'stake_in_use' } : { stake }
}

/** Whether what was passed over is an account that somebody else may sign for. */
export const isPermission = (reason: string): boolean => reason === 'permission_changed' || reason === 'rent_permission'

export type Fallback = 'burn' | 'wait' | 'stop'
type Burning = { cost: bigint; burnMax: bigint; budgetDay: bigint; burnedToday: bigint }

/**
 * What becomes of a payment for which nothing can be lent or rented: its energy is burned within both bounds, or it waits or stops. An account that somebody
 * else may sign for stops what goes on by itself, whatever was chosen.
 */
export function fallBack(fallback: Fallback, reason: LoanReason | RentReason, burning: Burning): { state: 'waiting' | 'burning' | 'stopped'; reason: string } {
  const { cost, burnMax, budgetDay, burnedToday } = burning
  if (isPermission(reason) || fallback === 'stop') return { state: 'stopped', reason }
  if (fallback === 'wait') return { state: 'waiting', reason }
  if (cost > burnMax) return { state: 'waiting', reason: 'over_burn_max' }
  return burnedToday + cost > budgetDay ? { state: 'waiting', reason: 'budget_used' } : { state: 'burning', reason }
}
