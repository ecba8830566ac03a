import type { FeeTerms } from './chosen.ts'

/** How often the fee of now fits into the cap of a move whose fee may be raised. */
const ROOM = 2n

/**
 * The most that a move may cost, in base units of the network's own coin: what a transaction at normal speed can reach now, or at slow speed if the standing
 * order lets no more; where it may be raised later, twice the normal fee as far as that is allowed. Undefined while even the slow one is above it: nobody
 * waits for a sweep, so it waits for lower fees.
 */
export function feeWithin({ estimates: [slow, normal], max, isRaised = false }: FeeTerms): bigint | undefined {
  if (normal > max) return slow <= max ? slow : undefined
  if (!isRaised) return normal
  return normal * ROOM < max ? normal * ROOM : max
}
