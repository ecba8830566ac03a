import { equalBytes } from '@holdfast/encoding'
import {
  eligibleIn,
  fillBySeats,
  machineOfParty,
  neededIn,
  oneStep,
  type PartName,
  PARTS,
  peopleMeant,
  type Policy,
  quorumOfPart,
  readRule,
  type Rule,
  rulesOf,
  stepsFor,
} from '@holdfast/policy'
import { seatsThere, type StandIn, standInsUnder } from '@holdfast/policy/analysis'

/** Who can act now: active members, and those of them who may propose a change of the policy; and who decides for whom of those who are not among them. */
export type Available = { active: readonly Uint8Array[]; mayPropose: readonly Uint8Array[]; standIns?: readonly StandIn[] }

/** Where a policy asks for approvals: under a rule, for changes of a part of the workspace, or for those of the rest. */
export type Place = { where: 'rule'; id: string; name: string } | { where: 'part'; id: PartName } | { where: 'governance'; id: '' }

/** Approvals that nobody can complete any more. `approvers` are those who could still approve. */
export type BrokenQuorum = Place & { threshold: number; approvers: Uint8Array[]; askers: Uint8Array[] }

const GOVERNANCE: Place = { where: 'governance', id: '' }
const ruleAt = (rule: Rule, policy: Policy): Place => ({ where: 'rule', id: rule.id, name: readRule(rule, policy).name })

const has = (ids: readonly Uint8Array[], id: Uint8Array) => ids.some((each) => equalBytes(each, id))

/**
 * The rules of a policy, the parts with approvers of their own, and its governance, under which no available person could ask and be approved: the person who
 * asks never counts, so a quorum of two needs two others. Who stands in for somebody does so under rules alone.
 */
export function brokenQuorums(policy: Policy, { active, mayPropose, standIns = [] }: Available): BrokenQuorum[] {
  const given = standInsUnder(policy, standIns)
  const rules = rulesOf(policy)
    .map((rule) => ({ place: ruleAt(rule, policy), ...readRule(rule, policy) }))
    .filter(({ refuses }) => !refuses)
  const parts = PARTS.flatMap((id) => {
    const own = quorumOfPart(policy, id)
    // Who may ask is a matter of roles, which differ from part to part: that somebody else than its approvers is there is asked for at least.
    return own ? [{ place: { where: 'part' as const, id }, askers: active, steps: oneStep(own.approvers, own.threshold) }] : []
  })
  const { approvers, threshold } = policy.governance
  const quorums = [...rules, ...parts, { place: GOVERNANCE, askers: mayPropose, steps: oneStep(approvers, threshold) }]
  return quorums.flatMap(({ place, askers, steps }) => {
    // Whether a machine runs nobody here knows.
    const acts = (id: Uint8Array) => has(active, id) || machineOfParty(policy, id) !== undefined
    const present = eligibleIn(steps).filter(acts)
    const asking = askers.filter(acts)
    const seatsFor = (asker: Uint8Array) => seatsThere([...active, ...present], place.where === 'rule' ? given : [], asker)
    const isServed = asking.some((asker) => fillBySeats(stepsFor(steps, [asker]), seatsFor(asker)).missing === 0)
    return isServed ? [] : [{ ...place, threshold: neededIn(steps), approvers: present, askers: asking }]
  })
}

/** The same people without some of them. */
export function withoutPeople({ active, mayPropose }: Available, gone: readonly Uint8Array[]): Available {
  const without = (ids: readonly Uint8Array[]) => ids.filter((id) => !has(gone, id))
  return { active: without(active), mayPropose: without(mayPropose) }
}

/** Whether two are about one place. */
export const isSamePlace = (one: Place, other: Place): boolean => one.where === other.where && one.id === other.id

/** What works with the people who are there before and breaks with those who are there after. */
export function newlyBroken(policy: Policy, before: Available, after: Available): BrokenQuorum[] {
  const broken = brokenQuorums(policy, before)
  return brokenQuorums(policy, after).filter((each) => !broken.some((known) => isSamePlace(known, each)))
}

/** What a policy has a person for, and where. */
export type Role = { as: 'approver' | 'initiator' | 'stopper' | 'governor'; of: Place }

/** Where a policy names a person. */
export function placesOf(policy: Policy, person: Uint8Array): Role[] {
  const rules = rulesOf(policy)
  const rulesWhere = (as: Role['as'], peopleOf: (rule: Rule) => readonly Uint8Array[]): Role[] =>
    rules.filter((rule) => has(peopleOf(rule), person)).map((rule) => ({ as, of: ruleAt(rule, policy) }))
  const parts = PARTS.filter((id) => has(quorumOfPart(policy, id)?.approvers ?? [], person))
  return [
    ...rulesWhere('approver', (rule) => eligibleIn(readRule(rule, policy).steps.filter(({ isAskers }) => !isAskers))),
    ...rulesWhere('initiator', (rule) => namedAskers(rule, policy)),
    ...rulesWhere('stopper', (rule) => readRule(rule, policy).mayStop),
    ...parts.map((id): Role => ({ as: 'approver', of: { where: 'part', id } })),
    ...(has(policy.governance.approvers, person) ? [{ as: 'governor' as const, of: GOVERNANCE }] : []),
  ]
}

/** Whom a rule itself names as those who may ask: without such a condition a named rule lets everybody ask, and names nobody. */
function namedAskers(rule: Rule, policy: Policy): readonly Uint8Array[] {
  if (rule.kind !== 'named') return rule.initiators
  return rule.conditions.flatMap((each) => (each.kind === 'askers' ? peopleMeant(policy, each.who) : []))
}
