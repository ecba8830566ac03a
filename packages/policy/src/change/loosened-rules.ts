import { equalBytes, encode } from '@holdfast/encoding'
import { isAmong, peopleOnce } from '../people/is-among.ts'
import { ASKING_KINDS, machineOfParty, machinesOf, partyOfMachine } from '../people/machines.ts'
import { type Policy, rulesOf } from '../policy.ts'
import { callBoundsOf } from '../rules/call-bounds.ts'
import { readRule, readsValues } from '../rules/read-rule.ts'
import { type Rule, ruleName, ruleShape } from '../rules/rule-shapes.ts'
import { countsTheSame } from '../rules/valuation.ts'
import { stakeBoundsOf } from '../rules/stake-bounds.ts'
import { tradeBoundsOf, venueForm } from '../rules/trade-bounds.ts'
import { areAmong } from './compare.ts'
import { conditionsNoWider, coversNoMore, limitsAre, limitsNoHigher, mayMeet, type Placed, tablesOf, windowNoWider } from './coverage.ts'
import { demandOf, isAsStrict } from './strictness.ts'

/*
 * Whether a change of rules lets anything through that nothing let through before, or with less. The first rule that covers an order decides, so what a rule
 * covers no more falls to a later one: that is no loosening only where whatever comes later asks for at least as much.
 */

const ABOUT = ['payment', 'call', 'stake', 'trade'] as const

function aboutOf(rule: Rule): (typeof ABOUT)[number] {
  if (callBoundsOf(rule)) return 'call'
  if (tradeBoundsOf(rule)) return 'trade'
  return stakeBoundsOf(rule) ? 'stake' : 'payment'
}

/** The rules for one thing in the order in which they are asked. */
function askedInOrder(policy: Policy, about: (typeof ABOUT)[number]): Placed[] {
  const rules = rulesOf(policy).filter((rule) => aboutOf(rule) === about)
  const isBasic = (rule: Rule) => rule.kind === 'named' && rule.level === 'basic'
  return [...rules.filter((rule) => !isBasic(rule)), ...rules.filter(isBasic)].map((rule) => ({ rule, policy }))
}

/** Whether the rules of a version let through what those of the one before did not, or with less. True for what cannot be compared. */
export const rulesLoosen = (current: Policy, next: Policy): boolean =>
  ABOUT.some((about) => sequenceLoosens(askedInOrder(current, about), askedInOrder(next, about))) || venuesLoosen(current, next)

/** Whether rules for calls may decide on a contract that was a venue, where rules for trades alone did. */
function venuesLoosen(current: Policy, next: Policy): boolean {
  const called = rulesOf(next).flatMap((rule) => {
    const bounds = callBoundsOf(rule)
    return bounds ? bounds.contracts.map((contract) => ({ chain: bounds.chain, contract })) : []
  })
  return called.some(({ chain, contract }) => venueForm(current, chain, contract) !== undefined && venueForm(next, chain, contract) === undefined)
}

function sequenceLoosens(before: readonly Placed[], after: readonly Placed[]): boolean {
  const found = (list: readonly Placed[], { rule }: Placed) => list.findIndex((each) => each.rule.id === rule.id)
  const kept = after.filter((each) => found(before, each) >= 0)
  const places = kept.map((each) => found(before, each))
  if (places.some((place, i) => i > 0 && place < (places[i - 1] ?? 0))) return true
  const isLooser = after.some((each, i) => {
    const was = before[found(before, each)]
    return was ? changeLoosens(each, was, after.slice(i + 1)) : additionLoosens(each, after[i + 1], before)
  })
  if (isLooser) return true
  // What a rule that is gone covered may fall to any that stands now where it would have been asked, or later.
  return before.some((each, i) => {
    if (found(after, each) >= 0) return false
    const earlier = before.slice(0, i).map(({ rule }) => rule.id)
    return !mayFall(
      each,
      after.filter(({ rule }) => !earlier.includes(rule.id)),
    )
  })
}

/**
 * Whether nothing is let through with less where a rule covers less than before: whatever is asked later asks for at least as much as it did, and lets no
 * machine ask that it denied.
 */
function mayFall(was: Placed, later: readonly Placed[]): boolean {
  const demand = demandOf(was.rule, was.policy)
  const stopsAtWindow = was.rule.kind !== 'named' && was.rule.window !== null
  return later.every((each) => {
    const theirs = demandOf(each.rule, each.policy)
    const letsMachineAsk = deniesMachines(was.rule) && readRule(each.rule, each.policy).askers.some((id) => machineOfParty(each.policy, id))
    return theirs.kind === 'refuse' || !mayMeet(each.rule, was.rule) || (!stopsAtWindow && isAsStrict(theirs, demand) && !letsMachineAsk)
  })
}

/** A rule that says nothing of who asks is for machines as well, and lets none of them ask. */
const deniesMachines = (rule: Rule): boolean => rule.kind === 'named' && rule.conditions.every(({ kind }) => kind !== 'askers')

/** Whether a rule denied what machines ask for, and leaves that of some of them to later rules. */
function leavesMachines(is: Placed, was: Placed): boolean {
  const { askers } = readRule(is.rule, is.policy)
  const asking = machinesOf(is.policy).filter(({ kind }) => ASKING_KINDS.includes(kind))
  return deniesMachines(was.rule) && !deniesMachines(is.rule) && asking.some((machine) => !isAmong(askers, partyOfMachine(machine)))
}

/** Whether a rule that was changed lets more through, itself or by what falls to later ones. */
function changeLoosens(is: Placed, was: Placed, later: readonly Placed[]): boolean {
  const [after, before] = [demandOf(is.rule, is.policy), demandOf(was.rule, was.policy)]
  if (is.rule.kind !== was.rule.kind || ruleName(is.rule) !== ruleName(was.rule) || !isAsStrict(after, before)) return true
  const isNoWider = coversNoMore(is, leftIn(was, is.policy))
  const isNoNarrower = coversNoMore(leftIn(was, is.policy), is) && !leavesMachines(is, was)
  if (after.kind === 'refuse') return !isNoNarrower && !(before.kind !== 'refuse' && isNoWider && mayFall(was, later))
  if (!isNoWider) return true
  if (is.rule.kind === 'named' && was.rule.kind === 'named') {
    const tables = tablesOf(is, was)
    if (!limitsNoHigher(is.rule.limits, was.rule.limits, tables)) return true
    return !(isNoNarrower && limitsAre(is.rule.limits, was.rule.limits, tables)) && !mayFall(was, later)
  }
  if (is.rule.kind === 'named' || was.rule.kind === 'named' || !windowNoWider(is.rule, was.rule)) return true
  return !isNoNarrower && !mayFall(was, later)
}

/** A rule of before as it stands for the people whom a policy still has: whoever left asks for nothing any more. */
const leftIn = ({ rule, policy }: Placed, { people }: Policy): Placed => ({
  rule,
  policy: { ...policy, people: policy.people.filter(({ id }) => people.some((each) => equalBytes(each.id, id))) },
})

/**
 * Whether a new rule lets anything through that was not, or was with more. One that refuses does not. One that takes a part of what the rule right after it
 * decides does not, if it asks for at least as much, and that rule limits nothing.
 */
function additionLoosens(is: Placed, following: Placed | undefined, before: readonly Placed[]): boolean {
  const demand = demandOf(is.rule, is.policy)
  if (demand.kind === 'refuse') return false
  const was = following && before.find(({ rule }) => rule.id === following.rule.id)
  if (is.rule.kind !== 'named' || was?.rule.kind !== 'named' || following?.rule.kind !== 'named' || was.rule.limits.length > 0) return true
  if (!isAsStrict(demand, demandOf(was.rule, was.policy)) || !isSameRule(following, was)) return true
  return !(conditionsNoWider(is.rule.conditions, was.rule.conditions, tablesOf(is, was)) && coversNoMore(is, leftIn(was, is.policy)))
}

function isSameRule(one: Placed, other: Placed): boolean {
  const [mine, theirs] = [readRule(one.rule, one.policy).askers, readRule(other.rule, other.policy).askers]
  if (readsValues(one.rule) && !countsTheSame(one.policy, other.policy)) return false
  return equalBytes(encode(ruleShape, one.rule), encode(ruleShape, other.rule)) && areAmong(mine, theirs) && areAmong(theirs, mine)
}

/** Who may ask, before or after, under a rule that a change touches: by its bytes, by who is meant, or because the rules are asked in another order. */
export function askersOfChanged(current: Policy, next: Policy): Uint8Array[] {
  const [before, after] = [current, next].map((policy) => rulesOf(policy).map((rule): Placed => ({ rule, policy }))) as [Placed[], Placed[]]
  const same = after.filter((each) => before.some((was) => isSameRule(each, was) && isSameDemand(each, was)))
  const order = (list: readonly Placed[]) => list.map(({ rule }) => rule.id).filter((id) => same.some(({ rule }) => rule.id === id))
  const isInOrder = order(before).join('|') === order(after).join('|')
  const changed = [...before, ...after].filter(({ rule }) => !isInOrder || !same.some((each) => each.rule.id === rule.id))
  return peopleOnce(changed.flatMap(({ rule, policy }) => readRule(rule, policy).askers))
}

function isSameDemand(one: Placed, other: Placed): boolean {
  const [mine, theirs] = [demandOf(one.rule, one.policy), demandOf(other.rule, other.policy)]
  return isAsStrict(mine, theirs) && isAsStrict(theirs, mine)
}
