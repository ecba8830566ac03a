import type { Policy } from '@holdfast/policy'
import { namedRule } from './describe-decision.ts'
import { analysisView, type Viewing } from './analysis-view.ts'
import { analysePolicy } from '@holdfast/policy/analysis'

/** So many are told; the analysis lists all. */
const TOLD_MAX = 10

/** What earlier rules take from a rule, in words. */
export type Taken = { rule_id: string; rule_name: string; text: string }

/**
 * What a drafted policy decides by an earlier rule than people may think: rules that never decide, and those that share orders with an earlier one as they did
 * not in the policy in force.
 */
export function takenByEarlier(before: Policy, { policy, ...viewing }: Viewing): Taken[] {
  const { shadowed, overlaps } = analysisView({ policy, ...viewing })
  const known = new Set(analysePolicy(before, viewing.nowMs).overlaps.map(({ first, other }) => pairOf(namedRule(first), namedRule(other))))
  const never = shadowed.map(({ rule, text }) => ({ rule_id: rule.id, rule_name: rule.name, text }))
  const shared = overlaps
    .filter(({ first, other }) => !known.has(pairOf(first, other)) && !shadowed.some(({ rule }) => rule.id === other.id))
    .map(({ other, text }) => ({ rule_id: other.id, rule_name: other.name, text }))
  return [...never, ...shared].slice(0, TOLD_MAX)
}

const pairOf = (first: { id: string }, other: { id: string }): string => `${first.id} ${other.id}`
