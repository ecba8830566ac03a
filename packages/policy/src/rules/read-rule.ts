import { type Limit, limitOfWindow, readLimit } from './limits.ts'
import type { NamedRule, Rule } from './rule-shapes.ts'
import type { Condition } from '../conditions/index.ts'
import { eligibleIn, oneStep, type Step } from '../evaluate/steps.ts'
import { type Directory, groupsOf } from '../people/groups.ts'
import { isAmong } from '../people/is-among.ts'
import { machinesOf, partyOfMachine } from '../people/machines.ts'
import { peopleMeant } from '../people/who.ts'

/** What a rule of any form asks of people and lets through. */
export type RuleFacts = {
  name: string
  isBasic: boolean
  refuses: boolean
  /** All of them have to hold. Those come first that are looked at the fastest. */
  conditions: readonly Condition[]
  /** Who may ask under it, of those whom the policy names; machines by the ids under which they stand. */
  askers: readonly Uint8Array[]
  steps: readonly Step[]
  limits: readonly Limit[]
  /** Whether an order goes on to the next rule where its limits are used up, and does not end there. */
  passesOn: boolean
  /** Whose no is enough beside that of whoever stands in a step. */
  mayStop: readonly Uint8Array[]
  /** How long a signer waits once it has seen that every step is met. */
  delayMs: bigint
  /** The most that the fee of an order may reach on each network, in its own coin; null where the rule says nothing of fees. */
  fees: ReadonlyMap<string, bigint> | null
  /** How long an order may be open; 0 where the rule does not say. */
  expiresAfterMs: bigint
  /** Whether nobody knows without a clock if what it is about fits: prices and deadlines. */
  needsClock: boolean
}

/** A rule is read once for each version of a policy, which is never changed. */
const read = new WeakMap<Directory, WeakMap<Rule, RuleFacts>>()

/** What a rule of a policy says, whatever its form. */
export function readRule(rule: Rule, directory: Directory): RuleFacts {
  const known = read.get(directory) ?? new WeakMap<Rule, RuleFacts>()
  read.set(directory, known)
  const facts = known.get(rule) ?? factsOf(rule, directory)
  known.set(rule, facts)
  return facts
}

const FASTEST: readonly Condition['kind'][] = [
  'memo',
  'assets',
  'sources',
  'value',
  'askers',
  'destinations',
  'times',
  'parameters',
  'comparisons',
  'screening',
]

const WITHOUT_MORE = { fees: null, mayStop: [], delayMs: 0n, expiresAfterMs: 0n, needsClock: false }

function factsOf(rule: Rule, directory: Directory): RuleFacts {
  if (rule.kind === 'named') return factsOfNamed(rule, directory)
  const { id, initiators, approvers, threshold, window } = rule
  return {
    name: id,
    isBasic: false,
    refuses: false,
    conditions: [],
    askers: initiators,
    steps: oneStep(approvers, threshold),
    limits: window === null ? [] : [limitOfWindow(window)],
    passesOn: false,
    ...WITHOUT_MORE,
  }
}

function factsOfNamed({ name, level, covers, conditions, limits, action }: NamedRule, directory: Directory): RuleFacts {
  const asked = conditions.filter((each) => each.kind === 'askers').map(({ who }) => peopleMeant(directory, who))
  // A machine asks only where a condition names it.
  const mayAsk = [...directory.people.map(({ id }) => id), ...(asked.length === 0 ? [] : machinesOf(directory).map(partyOfMachine))]
  const common = {
    name,
    isBasic: level === 'basic',
    conditions: conditions.toSorted((a, b) => FASTEST.indexOf(a.kind) - FASTEST.indexOf(b.kind)),
    askers: mayAsk.filter((id) => asked.every((people) => isAmong(people, id))),
    limits: limits.map(readLimit),
    passesOn: limits.length > 0,
    needsClock: covers.kind === 'trades' && (covers.slippageBps !== null || covers.deadlineMs !== null),
  }
  if (action.kind === 'refuse') return { ...WITHOUT_MORE, ...common, refuses: true, steps: [] }
  const told = { refuses: false, mayStop: peopleMeant(directory, action.mayStop), expiresAfterMs: action.expiresAfterMs }
  if (action.kind !== 'approve') {
    const fees = new Map(action.fees.map(({ chain, max }) => [chain, max]))
    const looks = action.kind === 'checked' ? [{ need: 1, eligible: [partyOfMachine({ id: action.machine })] }] : []
    return { ...common, ...told, steps: [{ need: 1, eligible: common.askers, isAskers: true }, ...looks], fees, delayMs: 0n }
  }
  const steps = action.steps.map(({ need, who }) => ({ need: Number(need), eligible: peopleMeant(directory, who) }))
  return { ...common, ...told, steps, fees: null, delayMs: action.delayMs }
}

/** Whether a rule says something else where assets are worth something else. */
export const readsValues = (rule: Rule): boolean =>
  rule.kind === 'named' &&
  (rule.conditions.some(({ kind }) => kind === 'value') ||
    rule.limits.some(({ maxCents }) => maxCents !== null) ||
    (rule.covers.kind === 'trades' && rule.covers.slippageBps !== null))

/** Everybody who approves under a rule, in whatever step. */
export const approversOf = (rule: Rule, directory: Directory): Uint8Array[] => eligibleIn(readRule(rule, directory).steps)

/** Whether machines ask, approve or screen under a rule, or one of them does. */
export const namesMachine = (rule: Rule, machine?: string): boolean =>
  rule.kind === 'named' &&
  [
    ...rule.conditions.flatMap((each) => (each.kind === 'askers' ? each.who : [])),
    ...rule.conditions.flatMap((each) => (each.kind === 'screening' ? each.machines.map((id) => ({ kind: 'machine' as const, id })) : [])),
    ...(rule.action.kind === 'approve' ? rule.action.steps.flatMap(({ who }) => who) : []),
    ...(rule.action.kind === 'checked' ? [{ kind: 'machine' as const, id: rule.action.machine }] : []),
  ].some((each) => each.kind === 'machine' && (machine === undefined || each.id === machine))

/** The networks that a rule is for; empty for all. */
export function chainsOfRule(rule: Rule): string[] {
  if (rule.kind !== 'named') return rule.chain === null ? [] : [rule.chain]
  if (rule.covers.kind !== 'payments') return [rule.covers.chain]
  return [...new Set(rule.conditions.flatMap((each) => (each.kind === 'assets' ? each.assets.map(({ chain }) => chain) : [])))]
}

/** Whom groups, and conditions and steps of named rules, name: they stay in a policy as long as those do. */
export function peopleNamedIn(rules: readonly Rule[], directory: Directory): Uint8Array[] {
  const who = rules.flatMap((rule) => {
    if (rule.kind !== 'named') return []
    const askers = rule.conditions.flatMap((each) => (each.kind === 'askers' ? each.who : []))
    const { action } = rule
    return [...askers, ...(action.kind === 'approve' ? action.steps.flatMap((step) => step.who) : []), ...(action.kind === 'refuse' ? [] : action.mayStop)]
  })
  const people = who.filter(({ kind }) => kind !== 'machine')
  return [...peopleMeant(directory, people), ...groupsOf(directory).flatMap(({ members }) => members)]
}
