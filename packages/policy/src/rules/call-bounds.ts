import { isRefusing, type Rule } from './rule-shapes.ts'

/**
 * What a rule for calls of any form lets through. `functions` is null for all that an order names, and `maxTokens` for a rule of the first form, which counts
 * no tokens. `isCounted`: limits over time count
 * what calls do; `countsTokens`: and how many tokens, or how often. `window` is such a limit of a rule of the first two forms.
 */
export type CallBounds = {
  chain: string
  payers: readonly string[] | null
  contracts: readonly string[]
  functions: readonly string[] | null
  maxValue: bigint
  maxTokens: bigint | null
  unlimitedAllowances: boolean
  unknownCallData: boolean
  isCounted: boolean
  countsTokens: boolean
  window: { lengthMs: bigint; maxAmount: bigint; maxTokens?: bigint } | null
}

/** The bounds of a rule for calls; undefined for one that is for something else. */
export function callBoundsOf(rule: Rule): CallBounds | undefined {
  if (rule.kind === 'call') return { ...rule, maxTokens: null, isCounted: rule.window !== null, countsTokens: rule.window !== null }
  if (rule.kind === 'boundedCall') return { ...rule, isCounted: rule.window !== null, countsTokens: rule.window !== null }
  // Who pays is among the conditions of a named rule, and what counts over time among its limits.
  if (rule.kind !== 'named' || rule.covers.kind !== 'calls') return undefined
  const countsTokens = rule.limits.some(({ maxTokens, maxCount }) => maxTokens !== null || maxCount !== null)
  return { ...rule.covers, payers: null, isCounted: rule.limits.length > 0, countsTokens, window: null }
}

/** More than any call sends along or moves, or any order about stake is about. */
export const ENDLESS = 1n << 512n

/** The same of the calls that a rule is asked about: one that refuses does so whatever a call sends along, moves or lets others take. */
export function callsAsked(rule: Rule): CallBounds | undefined {
  const bounds = callBoundsOf(rule)
  return bounds && isRefusing(rule) ? { ...bounds, maxValue: ENDLESS, maxTokens: ENDLESS, unlimitedAllowances: true } : bounds
}
