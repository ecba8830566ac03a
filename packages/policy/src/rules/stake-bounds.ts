import { ENDLESS } from './call-bounds.ts'
import { isRefusing, type Rule } from './rule-shapes.ts'

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

/** The same of the orders that a rule is asked about: one that refuses does so however much stake it is, and however long a delegation is locked. */
export function stakesAsked(rule: Rule): StakeBounds | undefined {
  const bounds = stakeBoundsOf(rule)
  return bounds && isRefusing(rule) ? { ...bounds, maxAmount: ENDLESS, maxLockBlocks: ENDLESS } : bounds
}
