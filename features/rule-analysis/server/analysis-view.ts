import type { Language } from '@holdfast/contract'
import { describeRule, type Policy, readRule, type Rule } from '@holdfast/policy'
import { analysePolicy, describeBand, describeRegion, type Analysis, type Found, whoIsMissed, withoutKey } from '@holdfast/policy/analysis'
import { bytesToUuid } from '@holdfast/units'
import type { Networks } from '@holdfast/features/network/server'
import { standInText, type TimedStandIn } from '@holdfast/features/team/server'
import { analysisWords } from './analysis-words.ts'
import { describeWitness, namedRule, nameOf } from './describe-decision.ts'

const LOCALE = { en_US: 'en-US', zh_CN: 'zh-CN' } as const

/** How much of each kind is listed. */
const LISTED_MAX = 100
const PARTS_LISTED_MAX = 6

export type Viewing = { policy: Policy; networks: Networks; language: Language; nowMs: number }

export function actionOf(rule: Rule, policy: Policy): 'refuse' | 'approve' | 'pass' {
  const { refuses, steps } = readRule(rule, policy)
  return refuses ? 'refuse' : steps.every(({ isAskers }) => isAskers) ? 'pass' : 'approve'
}

/**
 * What a policy covers, leaves open, shares and never decides on, and whom it cannot do without, as people read it; `standIns` are those who decide for others
 * now.
 */
export function analysisView({ policy, networks, language, nowMs }: Viewing, standIns: readonly TimedStandIn[] = []) {
  const analysis = analysePolicy(policy, nowMs)
  const locale = LOCALE[language]
  const words = analysisWords[language]
  const network = (chain: string) => networks.find(chain)?.name ?? chain
  const inWords = (found: Found) => describeRegion(found, policy, locale, network(found.subject.chain))
  return {
    is_whole: analysis.isWhole,
    assets: assetsOf(analysis, policy, locale, network),
    coverage: coverageOf(analysis, policy, locale, inWords),
    gaps: analysis.gaps.slice(0, LISTED_MAX).map((gap) => ({ text: inWords(gap), example: describeWitness(gap.witness, policy, language) })),
    gaps_count: analysis.gaps.length,
    overlaps: analysis.overlaps.slice(0, LISTED_MAX).map(({ first, other, isWhole, ...found }) => ({
      first: namedRule(first),
      other: namedRule(other),
      is_whole: isWhole,
      text: words.about(words[isWhole ? 'whole' : 'shared'](namedRule(first).name, namedRule(other).name), inWords(found)),
      example: describeWitness(found.witness, policy, language),
    })),
    overlaps_count: analysis.overlaps.length,
    shadowed: analysis.shadowed.map(({ rule, by }) => ({
      rule: namedRule(rule),
      by: by.map(namedRule),
      text: by.length === 0 ? words.nothing : words.shadowed(by.map((each) => `“${namedRule(each).name}”`).join(words.comma)),
    })),
    ...missedIn(policy, language, standIns),
  }
}

function assetsOf({ bands }: Analysis, policy: Policy, locale: 'en-US' | 'zh-CN', network: (chain: string) => string) {
  const byAsset = Map.groupBy(bands, ({ chain, asset }) => `${chain}|${asset}`)
  return [...byAsset.values()].flatMap((each) => {
    const [first] = each
    if (!first) return []
    const { chain, asset } = first
    const pinned = policy.assets.find((one) => one.chain === chain && (one.contract ?? '') === asset)
    return [
      {
        chain,
        network: network(chain),
        asset,
        symbol: pinned?.symbol ?? asset,
        bands: each.map(({ band, rules, hasGap }) => ({
          text: describeBand({ chain, asset }, band, policy, locale),
          rules: rules.map((rule) => ({ ...namedRule(rule), action: actionOf(rule, policy) })),
          has_gap: hasGap,
        })),
      },
    ]
  })
}

/** Every rule that decides on anything, and on what. */
function coverageOf({ subjects }: Analysis, policy: Policy, locale: 'en-US' | 'zh-CN', inWords: (found: Found) => string) {
  return policy.rules.flatMap((rule) => {
    const parts = subjects.flatMap(({ decides }) => decides.filter((each) => each.rule === rule).flatMap((each) => each.parts))
    if (parts.length === 0) return []
    return [
      {
        rule: namedRule(rule),
        sentence: describeRule(rule, policy, locale),
        decides: parts.slice(0, PARTS_LISTED_MAX).map(inWords),
        more: Math.max(0, parts.length - PARTS_LISTED_MAX),
      },
    ]
  })
}

function missedIn(policy: Policy, language: Language, standIns: readonly TimedStandIn[]) {
  const words = analysisWords[language]
  const personOf = (id: Uint8Array) => ({ person_id: bytesToUuid(id), name: nameOf(policy, id) })
  return {
    away: whoIsMissed(policy, standIns).map(({ rule, person, step, by }) => {
      const where = rule ? words.rule(namedRule(rule).name) : words.governance
      return {
        rule: rule && namedRule(rule),
        person: person && personOf(person),
        step,
        text: person ? words.missed(where, nameOf(policy, person), step) : words.never(where, step),
        decided: by === undefined ? null : words.nevertheless(standInText(by, policy, language)),
      }
    }),
    without_key: withoutKey(policy).map(({ person }) => ({ ...personOf(person), text: words.withoutKey(nameOf(policy, person)) })),
  }
}
