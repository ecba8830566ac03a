import type { ConditionDraft } from '@holdfast/features/rule-draft/contract'
import { type NamedDraft, placeOf } from '@holdfast/features/rule-draft/console'
import { settledCovers } from './covers.tsx'

type Parameters = Extract<ConditionDraft, { kind: 'parameters' }>['parameters'][number]

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

const settledParameter = ({ addresses, at_least: least, at_most: most, values, ...of }: Parameters): Parameters => {
  const as = placeOf(of)?.as
  const named = as === 'bytes' ? values?.filter((each) => each !== '') : values
  return {
    ...of,
    addresses: addresses.filter((each) => each !== ''),
    at_least: numberText(least) ?? (as === 'signed' ? null : '0'),
    at_most: numberText(most),
    ...(named !== undefined && named.length > 0 && { values: named }),
  }
}

/** A whole number as it is proposed; null where nothing was typed, and what is no number as it was typed. */
function numberText(typed: string | null): string | null {
  const text = typed?.trim() ?? ''
  return /^-?\d+$/.test(text) ? String(BigInt(text)) : text || null
}
