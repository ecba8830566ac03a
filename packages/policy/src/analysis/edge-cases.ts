import { last } from '@holdfast/units'
import type { Policy } from '../policy.ts'
import { readRule } from '../rules/read-rule.ts'
import type { Rule } from '../rules/rule-shapes.ts'
import { isAmong } from '../people/is-among.ts'
import { eligibleIn } from '../evaluate/steps.ts'
import type { Outcome } from '../evaluate/evaluate.ts'
import { analysePolicy, type Found } from './analyse-policy.ts'
import { type Decision, decisionOf, isSameDecision } from './decision.ts'
import { conditionsIn, localTimes, valueBorders } from './payment-dimensions.ts'
import { outcomesAt, type Point } from './subject.ts'

/** What is at a border of a rule: an amount at it or the next one, a minute at it or before, whoever asks standing in a step, its limits used up. */
export type Edge = 'at-amount' | 'above-amount' | 'first-minute' | 'after-last-minute' | 'asker-approves' | 'limits-used-up'

/** An order at a border of a rule, and what two policies do with it. */
export type EdgeCase = { rule: Rule; edge: Edge; point: Point; before: Decision; after: Decision; isChanged: boolean }

/** The orders at the borders of every rule of two versions of a policy, each once. */
export function edgeCases(before: Policy, after: Policy, nowMs: number): EdgeCase[] {
  const cases = [...edgesOf(after, nowMs), ...edgesOf(before, nowMs)]
  const once = new Map(cases.map((each) => [`${each.rule.id}|${each.edge}|${nameOf(each.point)}`, each]))
  return [...once.values()].map(({ rule, edge, point }) => {
    const used = edge === 'limits-used-up' ? rule.id : null
    const [was, is] = [decisionAt(before, point, used), decisionAt(after, point, used)]
    return { rule, edge, point, before: was, after: is, isChanged: !isSameDecision(was, is) }
  })
}

const nameOf = ({ act, given }: Point): string =>
  JSON.stringify([act, given.atMs], (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value instanceof Uint8Array ? [...value].join() : value,
  )

/** What a policy does with an order, where the limits of a rule may be used up. */
export function decisionAt(policy: Policy, point: Point, usedUp: string | null = null): Decision {
  const outcomes = outcomesAt(policy, point)
  const isUsedUp = (outcome: Outcome) => outcome.kind === 'needs' && outcome.rule.id === usedUp && outcome.limits.length > 0
  const by = outcomes.find((each) => each.kind === 'needs' && !isUsedUp(each)) ?? outcomes.find((each) => !isUsedUp(each)) ?? last(outcomes)
  return isUsedUp(by) ? { kind: 'refused', reason: 'limits-used-up', rule: by.rule } : decisionOf(by)
}

function edgesOf(policy: Policy, nowMs: number): { rule: Rule; edge: Edge; point: Point }[] {
  const { subjects } = analysePolicy(policy, nowMs)
  return subjects.flatMap(({ decides }) =>
    decides.flatMap(({ rule, parts }) => {
      const [part] = parts
      if (!part) return []
      return [...amountEdges(policy, rule, part), ...timeEdges(rule, part, nowMs), ...askerEdge(policy, rule, part), ...limitEdge(policy, rule, part)]
    }),
  )
}

type At = { rule: Rule; edge: Edge; point: Point }

const changed = (part: Found, changes: object, atMs = part.witness.given.atMs): Point => ({
  ...part.witness,
  act: { ...part.witness.act, ...changes } as Point['act'],
  given: { ...part.witness.given, ...(atMs === undefined ? {} : { atMs }) },
})

/** The amounts at which a rule begins and ends to be for payments of an asset, and the next ones. */
function amountEdges(policy: Policy, rule: Rule, part: Found): At[] {
  const { act } = part.witness
  if (act.as !== 'payment') return []
  const borders =
    rule.kind === 'transfer'
      ? [{ contract: act.contract, amounts: rule.maxAmount === null ? [] : [rule.maxAmount] }]
      : conditionsIn([rule], 'assets').flatMap(({ assets }) =>
          assets
            .filter(({ chain, asset }) => chain === act.chain && asset !== null)
            .map(({ asset, above, atMost }) => ({
              contract: asset === '' ? null : asset,
              amounts: [above, ...(atMost === null ? [] : [atMost])].filter((each) => each > 0n),
            })),
        )
  const valued = { contract: act.contract, amounts: valueBorders(policy, [rule], act.chain, act.contract) }
  return [...borders, valued].flatMap(({ contract, amounts }) =>
    amounts.flatMap((amount): At[] => [
      { rule, edge: 'at-amount', point: changed(part, { contract, amount }) },
      { rule, edge: 'above-amount', point: changed(part, { contract, amount: amount + 1n }) },
    ]),
  )
}

function timeEdges(rule: Rule, part: Found, nowMs: number): At[] {
  return conditionsIn([rule], 'times').flatMap((condition) => {
    const times = localTimes(condition, nowMs)
    if (!times) return []
    return [
      { rule, edge: 'first-minute' as const, point: changed(part, {}, times.firstMs) },
      { rule, edge: 'after-last-minute' as const, point: changed(part, {}, times.afterMs) },
    ]
  })
}

/** Somebody asks who stands in a step of the rule: they never count in it. */
function askerEdge(policy: Policy, rule: Rule, part: Found): At[] {
  const { askers, steps } = readRule(rule, policy)
  const both = eligibleIn(steps).find((id) => isAmong(askers, id))
  return both ? [{ rule, edge: 'asker-approves', point: changed(part, { initiator: both }) }] : []
}

const limitEdge = (policy: Policy, rule: Rule, part: Found): At[] =>
  readRule(rule, policy).limits.length > 0 ? [{ rule, edge: 'limits-used-up', point: part.witness }] : []
