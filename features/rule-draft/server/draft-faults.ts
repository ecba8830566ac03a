import { toHex } from '@holdfast/encoding'
import { type Around, availableIn } from '@holdfast/features/policy/server'
import { policyErrors } from '@holdfast/features/policy/errors'
import {
  checkPolicy,
  checkRule,
  eligibleIn,
  fillSteps,
  findPerson,
  type NamedRule,
  type Party,
  peopleMeant,
  type Policy,
  PolicyRefused,
  readRule,
  rulesOf,
  type ThirdForm,
} from '@holdfast/policy'
import { bytesToUuid, uuidToBytes } from '@holdfast/units'
import { isDrawn, withoutCoSigner } from './co-signer-step.ts'
import type { DraftField } from './rule-of-draft.ts'
import type { StrategyWords } from './strategy-words.ts'

/** What is wrong with a draft, and where. `code` is 200143 where people cannot meet it. */
export type DraftFault = {
  rule_id: string | null
  rule_name: string | null
  field: DraftField | null
  step: number | null
  person: { person_id: string; name: string } | null
  code: string
  text: string
}

const PERSONNEL = policyErrors.strategy_personnel_error.code

export const isAboutPeople = (faults: readonly DraftFault[]): boolean => faults.some(({ code }) => code === PERSONNEL)

/** The rules with names under which people ask: those that are drawn. Where machines ask, a rule is kept as it stands. */
export const namedRulesOf = (policy: Policy): NamedRule[] => rulesOf(policy).filter(isDrawn)

type Who = Pick<Around, 'directory' | 'words'>

/** Everything that is wrong with the rules of a version, each with the rule and the field it is about. */
export function faultsOfRules(next: ThirdForm, around: Who, words: StrategyWords): DraftFault[] {
  // A rule of machines stays as it is: what could be wrong with it the check of the whole finds.
  const named = namedRulesOf(next)
  const empty = next.groups.filter(({ members }) => members.length === 0)
  const faults: DraftFault[] = [
    ...empty.map(({ name }) => ({ ...NOWHERE, field: 'groups' as const, code: PERSONNEL, text: words.emptyGroup(name) })),
    ...named.flatMap((rule) => {
      const people = peopleFaults(withoutCoSigner(rule), next, around, words)
      return people.length > 0 ? people : shapeFaults(rule, next, around)
    }),
  ]
  return faults.length > 0 ? faults : wholeFaults(next, around)
}

const NOWHERE = { rule_id: null, rule_name: null, field: null, step: null, person: null, code: '' } as const
const placeOf = ({ id, name }: NamedRule) => ({ ...NOWHERE, rule_id: id, rule_name: name })

/** Who is named and could not act: each in the step it is about, and steps that all of them together could not fill. */
function peopleFaults(rule: NamedRule, next: Policy, { directory }: Who, words: StrategyWords): DraftFault[] {
  const { action } = rule
  if (action.kind === 'refuse') return []
  const where = words.rule(rule.name)
  const { active } = availableIn(directory)
  const isActive = (id: Uint8Array) => active.some((each) => toHex(each) === toHex(id))
  const cannot = (who: readonly Party[], spot: string, step: number | null, field: DraftField) =>
    peopleMeant(next, who).flatMap((id): DraftFault[] => {
      const person = { person_id: bytesToUuid(id), name: findPerson(next, id)?.name ?? bytesToUuid(id).slice(0, 8) }
      const isKeyless = (findPerson(next, id)?.credentials.length ?? 0) === 0
      const text = isKeyless ? words.noKey(spot, person.name) : isActive(id) ? null : words.gone(spot, person.name)
      return text === null ? [] : [{ ...placeOf(rule), field, step, person, code: PERSONNEL, text }]
    })
  const stoppers = cannot(action.mayStop, where, null, 'may_stop')
  if (action.kind !== 'approve') return stoppers
  const steps = action.steps.flatMap((step, i) => cannot(step.who, `${where}, ${words.step(i + 1)}`, i + 1, 'steps'))
  if (steps.length > 0) return [...steps, ...stoppers]
  const unmet = unmetSteps(rule, next, words, isActive)
  return [...unmet, ...stoppers]
}

/** Steps that nobody could fill, whoever of those who may ask does. */
function unmetSteps(rule: NamedRule, next: Policy, words: StrategyWords, isActive: (id: Uint8Array) => boolean): DraftFault[] {
  const where = words.rule(rule.name)
  const facts = readRule(rule, next)
  const steps = facts.steps.map(({ need, eligible }) => ({ need, eligible: eligible.filter(isActive) }))
  const few = steps.flatMap(({ need, eligible }, i): DraftFault[] =>
    need > eligible.length
      ? [{ ...placeOf(rule), field: 'steps', step: i + 1, code: PERSONNEL, text: words.tooFew(`${where}, ${words.step(i + 1)}`, need, eligible.length) }]
      : [],
  )
  if (few.length > 0) return few
  const askers = facts.askers.filter(isActive)
  if (askers.length === 0) return [{ ...placeOf(rule), field: 'conditions', code: PERSONNEL, text: words.nobodyAsks(where) }]
  const isMet = askers.some((asker) => isMetWithout(steps, asker))
  return isMet ? [] : [{ ...placeOf(rule), field: 'steps', code: PERSONNEL, text: words.unmet(where) }]
}

type Steps = ReturnType<typeof readRule>['steps']

function isMetWithout(steps: Steps, ...away: readonly Uint8Array[]): boolean {
  const names = away.map(toHex)
  const others = steps.map(({ need, eligible }) => ({ need, eligible: eligible.filter((id) => !names.includes(toHex(id))) }))
  return fillSteps(others, eligibleIn(others)).missing === 0
}

/** Somebody of whom nothing was heard for so many days. */
export type Silent = { id: string; days: number }

/** Of rules that can be proposed: everybody without whom nobody could meet one of them, and everybody in its steps who may not be there any more. */
export function warningsOfRules(next: Policy, words: StrategyWords, silent: readonly Silent[]): DraftFault[] {
  return namedRulesOf(next).flatMap((drawn) => {
    const rule = withoutCoSigner(drawn)
    if (rule.action.kind !== 'approve') return []
    const { steps, askers } = readRule(rule, next)
    const approvers = eligibleIn(steps)
    const warning = (id: Uint8Array, say: (where: string, name: string) => string) => {
      const person = { person_id: bytesToUuid(id), name: findPerson(next, id)?.name ?? '' }
      return { ...placeOf(rule), field: 'steps' as const, person, text: say(words.rule(rule.name), person.name) }
    }
    const missed = approvers.filter((away) => !askers.some((asker) => toHex(asker) !== toHex(away) && isMetWithout(steps, asker, away)))
    const unheard = silent.filter(({ id }) => approvers.some((each) => bytesToUuid(each) === id))
    return [
      ...missed.map((id) => warning(id, words.oneAway)),
      ...unheard.map(({ id, days }) => warning(uuidToBytes(id), (where, name) => words.silent(where, name, days))),
    ]
  })
}

const LESS: readonly (readonly [DraftField, Partial<NamedRule>])[] = [
  ['limits', { limits: [] }],
  ['conditions', { conditions: [] }],
  ['covers', { covers: { kind: 'payments' } }],
  ['level', { level: 'higher' }],
  ['action', { action: { kind: 'refuse' }, limits: [] }],
]

/** Why signers would not follow a rule: the field is the one without which it could stand. */
function shapeFaults(rule: NamedRule, next: Policy, { words }: Who): DraftFault[] {
  const text = refusalOf(() => checkRule(next, rule))
  if (text === undefined) return []
  const found = LESS.find(([, less]) => refusalOf(() => checkRule(next, { ...rule, ...less })) === undefined)
  return [{ ...placeOf(rule), field: found?.[0] ?? 'name', text: words.fault(text.replace(`rule ${rule.id}`, `rule ${rule.name}`)) }]
}

function wholeFaults(next: Policy, { words }: Who): DraftFault[] {
  const text = refusalOf(() => checkPolicy(next))
  return text === undefined ? [] : [{ ...NOWHERE, field: 'rules', text: words.fault(text) }]
}

function refusalOf(check: () => void): string | undefined {
  try {
    check()
    return undefined
  } catch (cause) {
    if (cause instanceof PolicyRefused) return cause.message
    throw cause
  }
}
