import type { Rule } from './rule-shapes.ts'

/** What a rule for stake of any form lets through. `window` is a limit over time of a rule of the first form. */
export type StakeBounds = {
  chain: string
  payers: readonly string[] | null
  actions: readonly string[]
  receivers: readonly string[] | null
  maxLockBlocks: bigint
  maxAmount: bigint
  window: { lengthMs: bigint; maxAmount: bigint } | null
}

/** The bounds of a rule for stake; undefined for one that is for something else. */
export function stakeBoundsOf(rule: Rule): StakeBounds | undefined {
  if (rule.kind === 'stake') return rule
  // Who pays is among the conditions of a named rule, and what counts over time among its limits.
  return rule.kind === 'named' && rule.covers.kind === 'stake' ? { ...rule.covers, payers: null, window: null } : undefined
}
