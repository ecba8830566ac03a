import { equalBytes, toHex } from '@holdfast/encoding'
import { eligibleIn, fillBySeats, fillSteps, oneStep, type Step, stepsFor } from '../evaluate/steps.ts'
import { isAmong, peopleOnce, without } from '../people/is-among.ts'
import { seatsThere, type StandIn, standInsUnder } from './stand-ins.ts'
import { findPerson, type Policy } from '../policy.ts'
import { readRule } from '../rules/read-rule.ts'
import type { Rule } from '../rules/rule-shapes.ts'

/**
 * Whom a rule cannot do without: while this person is away, nobody can have an order approved under it; `rule` null is governance. `step` is the first step that
 * stays open, from 1; null where nobody is left who may ask. `person` null: so it is also while all are there. `by`: who decides in their place, where orders can
 * be approved by that nevertheless.
 */
export type Missed<S extends StandIn = StandIn> = { rule: Rule | null; person: Uint8Array | null; step: number | null; by?: S }

/** Whom the rules of a policy and its governance cannot do without, one by one, and where somebody who stands in for them is enough: for rules alone. */
export function whoIsMissed<S extends StandIn>(policy: Policy, standIns: readonly S[] = []): Missed<S>[] {
  const given = standInsUnder(policy, standIns)
  const everybody = policy.people.map(({ id }) => id)
  const { approvers, threshold } = policy.governance
  const rules = policy.rules.map((rule) => ({ rule, ...readRule(rule, policy) })).filter(({ refuses }) => !refuses)
  return [...rules, { rule: null, askers: everybody, steps: oneStep(approvers, threshold) }].flatMap(({ rule, askers, steps }): Missed<S>[] => {
    const open = openStep(steps, askers)
    if (open !== undefined) return [{ rule, person: null, step: open }]
    return peopleOnce([...eligibleIn(steps), ...askers]).flatMap((person): Missed<S>[] => {
      const step = openStep(
        steps.map((each) => ({ ...each, eligible: without(each.eligible, [person]) })),
        without(askers, [person]),
      )
      if (step === undefined) return []
      const by = rule === null ? undefined : given.find((each) => equalBytes(each.delegator, person))
      const there = without([...everybody, ...eligibleIn(steps)], [person])
      const isEnough = by && without(askers, [person]).some((asker) => fillBySeats(stepsFor(steps, [asker]), seatsThere(there, [by], asker)).missing === 0)
      return [{ rule, person, step, ...(by && isEnough && { by }) }]
    })
  })
}

/** The first step that nobody fills whoever asks, from 1; null where nobody may ask; undefined if all can be filled. */
function openStep(steps: readonly Step[], askers: readonly Uint8Array[]): number | null | undefined {
  let first: number | null = null
  for (const asker of askers) {
    const open = stepsFor(steps, [asker])
    const { filled, missing } = fillSteps(open, eligibleIn(open))
    if (missing === 0) return undefined
    const step = open.findIndex(({ need }, i) => (filled[i]?.length ?? 0) < need) + 1
    first = first === null ? step : Math.max(first, step)
  }
  return first
}

/** Who stands in a step or governs without an approval key, by which alone they could approve. */
export function withoutKey(policy: Policy): { person: Uint8Array; rules: readonly Rule[]; governs: boolean }[] {
  return policy.people.flatMap(({ id, credentials }) => {
    if (credentials.length > 0) return []
    const rules = policy.rules.filter((rule) => isAmong(eligibleIn(readRule(rule, policy).steps), id))
    const governs = isAmong(policy.governance.approvers, id)
    return rules.length > 0 || governs ? [{ person: id, rules, governs }] : []
  })
}

/** A person by the name that the policy has for them. */
export const nameIn = (policy: Policy, id: Uint8Array): string => findPerson(policy, id)?.name ?? toHex(id)
