import { equalBytes } from '@holdfast/encoding'
import {
  approversOf,
  eligibleIn,
  fillSteps,
  machineOfParty,
  neededIn,
  oneStep,
  peopleMeant,
  type Policy,
  readRule,
  type Rule,
  rulesOf,
  stepsFor,
} from '@holdfast/policy'

/** Who can act now: active members, and those of them who may propose a change of the policy. */
export type Available = { active: readonly Uint8Array[]; mayPropose: readonly Uint8Array[] }

/** Approvals that nobody can complete any more. `approvers` are those who could still approve. */
export type BrokenQuorum = { where: 'rule' | 'governance'; id: string; threshold: number; approvers: Uint8Array[]; askers: Uint8Array[] }

const has = (ids: readonly Uint8Array[], id: Uint8Array) => ids.some((each) => equalBytes(each, id))

/**
 * The rules of a policy, and its governance, under which no available person could ask and be approved: the person who asks never
 * counts, so a quorum of two needs two others.
 */
export function brokenQuorums(policy: Policy, { active, mayPropose }: Available): BrokenQuorum[] {
  const rules = rulesOf(policy).map((rule) => ({ where: 'rule' as const, id: rule.id, ...readRule(rule, policy) }))
  const { approvers, threshold } = policy.governance
  const quorums = [
    ...rules.filter(({ refuses }) => !refuses),
    { where: 'governance' as const, id: '', askers: mayPropose, steps: oneStep(approvers, threshold) },
  ]
  return quorums.flatMap(({ where, id, askers, steps }) => {
    // Whether a machine runs nobody here knows.
    const acts = (id: Uint8Array) => has(active, id) || machineOfParty(policy, id) !== undefined
    const present = eligibleIn(steps).filter(acts)
    const asking = askers.filter(acts)
    const isServed = asking.some((asker) => fillSteps(stepsFor(steps, [asker]), present).missing === 0)
    return isServed ? [] : [{ where, id, threshold: neededIn(steps), approvers: present, askers: asking }]
  })
}

/** The same people without some of them. */
export function withoutPeople({ active, mayPropose }: Available, gone: readonly Uint8Array[]): Available {
  const without = (ids: readonly Uint8Array[]) => ids.filter((id) => !has(gone, id))
  return { active: without(active), mayPropose: without(mayPropose) }
}

/** What works with the people who are there before and breaks with those who are there after. */
export function newlyBroken(policy: Policy, before: Available, after: Available): BrokenQuorum[] {
  const broken = brokenQuorums(policy, before)
  return brokenQuorums(policy, after).filter((each) => !broken.some((known) => known.where === each.where && known.id === each.id))
}

/** Where a policy names a person, by rule. */
export function placesOf(policy: Policy, person: Uint8Array): { rule: string; as: 'approver' | 'initiator' | 'governor' }[] {
  const rules = rulesOf(policy)
  return [
    ...rules.filter((rule) => has(approversOf(rule, policy), person)).map((rule) => ({ rule: rule.id, as: 'approver' as const })),
    ...rules.filter((rule) => has(namedAskers(rule, policy), person)).map((rule) => ({ rule: rule.id, as: 'initiator' as const })),
    ...(has(policy.governance.approvers, person) ? [{ rule: '', as: 'governor' as const }] : []),
  ]
}

/** Whom a rule itself names as those who may ask: without such a condition a named rule lets everybody ask, and names nobody. */
function namedAskers(rule: Rule, policy: Policy): readonly Uint8Array[] {
  if (rule.kind !== 'named') return rule.initiators
  return rule.conditions.flatMap((each) => (each.kind === 'askers' ? peopleMeant(policy, each.who) : []))
}
