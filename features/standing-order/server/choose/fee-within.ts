import type { FeeTerms } from './chosen.ts'

/**
 * The most that a move may cost, in base units of the network's own coin: what a transaction at normal speed can reach now, or at slow speed if the standing
 * order lets no more. Undefined while even that is above it: nobody waits for a sweep, so it waits for lower fees.
 */
export function feeWithin({ estimates: [slow, normal], max }: FeeTerms): bigint | undefined {
  if (normal <= max) return normal
  return slow <= max ? slow : undefined
}
