import type { Locale } from '@holdfast/intent'
import type { Condition } from './conditions/index.ts'
import type { Who } from './people/who.ts'
import type { NamedRule } from './rules/rule-shapes.ts'

/** An asset in two tiers, in base units: `each` payment and all of them in a `day` by one approver, others up to `most` by more of them; without `most` any amount. */
export type TieredAsset = { chain: string; asset: string; each: bigint; day: bigint; most: bigint | null }

export type TierPeople = { askers: readonly Who[]; approvers: readonly Who[]; need: bigint }

const DAY_MS = 86_400_000n

const NAMES: Record<Locale, { small: string; large: string }> = {
  'en-US': { small: 'Small payments', large: 'Large payments' },
  'zh-CN': { small: '小额付款', large: '大额付款' },
}

/**
 * Rules to begin with: small payments by one approver within a daily limit, larger ones and what is beyond the limit by `need`, and nothing else, since what no
 * rule covers is refused.
 */
export function tieredRules(assets: readonly TieredAsset[], { askers, approvers, need }: TierPeople, locale: Locale): NamedRule[] {
  const names = NAMES[locale]
  const asked: Condition[] = askers.length === 0 ? [] : [{ kind: 'askers', who: [...askers] }]
  const by = (count: bigint) => ({
    kind: 'approve' as const,
    steps: [{ need: count, who: [...approvers] }],
    mayStop: [],
    delayMs: 0n,
    expiresAfterMs: 0n,
  })
  const rule = (
    id: string,
    name: string,
    most: (asset: TieredAsset) => bigint | null,
  ): Pick<NamedRule, 'kind' | 'id' | 'name' | 'level' | 'covers' | 'conditions'> => ({
    kind: 'named',
    id,
    name,
    level: 'higher',
    covers: { kind: 'payments' },
    conditions: [...asked, { kind: 'assets', assets: assets.map((each) => ({ chain: each.chain, asset: each.asset, above: 0n, atMost: most(each) })) }],
  })
  const amounts = assets.map(({ chain, asset, day }) => ({ chain, asset, max: day }))
  const daily = { each: 'rule', lengthMs: DAY_MS, amounts, maxTokens: null, maxCount: null, maxCents: null }
  return [
    { ...rule('small', names.small, ({ each }) => each), limits: [daily], action: by(1n) },
    { ...rule('large', names.large, ({ most }) => most), limits: [], action: by(need) },
  ]
}
