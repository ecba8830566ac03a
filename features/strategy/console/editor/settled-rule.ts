import type { ConditionDraft } from '@holdfast/features/rule-draft/contract'
import type { NamedDraft } from '@holdfast/features/rule-draft/console'
import { settledCovers } from './settled-covers.ts'
import { settledParameter } from './settled-parameter.ts'

/** A rule as it is proposed: what was typed without what surrounds it, and nothing where nothing was typed. */
export function settledRule(rule: NamedDraft): NamedDraft {
  return {
    ...rule,
    name: rule.name.trim(),
    covers: settledCovers(rule),
    conditions: rule.conditions.map(settledCondition),
    limits:
      rule.action.kind === 'refuse'
        ? []
        : rule.limits.map((limit) => ({
            ...limit,
            max_usd: limit.max_usd?.trim() || null,
            amounts: limit.amounts.map((each) => ({ ...each, max: each.max.trim() })),
          })),
  }
}

function settledCondition(condition: ConditionDraft): ConditionDraft {
  if (condition.kind === 'value') return { ...condition, above_usd: condition.above_usd.trim() || '0', at_most_usd: condition.at_most_usd?.trim() || null }
  if (condition.kind === 'parameters') return { ...condition, parameters: condition.parameters.map(settledParameter) }
  if (condition.kind !== 'assets') return condition
  const assets = condition.assets.map(({ above, at_most: most, ...asset }) => ({ ...asset, above: above.trim() || '0', at_most: most?.trim() || null }))
  return { ...condition, assets }
}
