import { DraftRefused } from '@holdfast/features/policy/server'
import type { RuleDraft } from '@holdfast/features/rule-draft/contract'
import { draftOfRule, isDrawn } from '@holdfast/features/rule-draft/server'
import { type NamedRule, type Policy, rulesOf } from '@holdfast/policy'
import { isSameRule } from '@holdfast/policy/drafting'
import { type MachineCalls, machineDraft, type MachineRule } from '../contract.ts'
import { callRuleIdOf, ruleIdOf } from '../rule-ids.ts'
import { callRuleOf, ruleOf } from './next-machines.ts'

const asked = { rule: machineDraft.shape.rule.unwrap().unwrap(), calls: machineDraft.shape.calls.unwrap() }
/** What says that a rule cannot be drawn. Nobody reads it. */
const words = { fault: (text: string) => text }
const asItStands = (_: string, address: string) => address

/** The rule that was made with a key, as it is asked for; null where there is none, or one that cannot be asked for like that. */
export function drawnRule(policy: Policy, id: string): MachineRule | null {
  const rule = namedRuleOf(policy, ruleIdOf(id))
  const draft = rule && draftOf(rule, policy)
  if (!rule || !draft) return null
  const [limit] = draft.limits
  const from = draft.conditions.find((each) => each.kind === 'sources')?.wallets ?? []
  const read = asked.rule.safeParse({ a_day: limit?.amounts, orders_a_day: limit?.max_count, from, to: toWhom(draft), ...approvingOf(rule, draft) })
  return read.success && isSaidBy(rule, () => ruleOf(id, rule.name, read.data, policy, { words })) ? read.data : null
}

/** The rule by which a key has contracts called, as it is asked for; null as above. */
export function drawnCalls(policy: Policy, id: string): MachineCalls | null {
  const rule = namedRuleOf(policy, callRuleIdOf(id))
  const draft = rule && draftOf(rule, policy)
  if (!rule || !draft) return null
  const read = asked.calls.safeParse({ ...draft.covers, calls_a_day: draft.limits[0]?.max_count, ...approvingOf(rule, draft) })
  return read.success && isSaidBy(rule, () => callRuleOf(id, rule.name, read.data, policy, { words, spelling: asItStands })) ? read.data : null
}

const namedRuleOf = (policy: Policy, id: string) => rulesOf(policy).find((each): each is NamedRule => each.kind === 'named' && each.id === id)

/** A rule as the editor draws those of people: without the machine that asks, and without one that checks alone. Undefined where it names another machine. */
function draftOf(rule: NamedRule, policy: Policy): RuleDraft | undefined {
  const { action } = rule
  const conditions = rule.conditions.filter(({ kind }) => kind !== 'askers')
  const ofPeople: NamedRule = { ...rule, conditions, action: action.kind === 'checked' ? { ...action, kind: 'pass' } : action }
  return isDrawn(ofPeople) ? draftOfRule(ofPeople, policy) : undefined
}

/** Whether what was read of a rule makes that very rule, whatever it is called: what else stands in it would be lost. */
function isSaidBy(rule: NamedRule, make: () => NamedRule): boolean {
  try {
    return isSameRule(rule, { ...make(), name: rule.name })
  } catch (cause) {
    if (cause instanceof DraftRefused) return false
    throw cause
  }
}

function toWhom({ conditions }: RuleDraft): MachineRule['to'] {
  const found = conditions.find((each) => each.kind === 'destinations')
  if (!found) return 'any'
  if (found.own && found.listed) return 'own_or_listed'
  return found.own ? 'own' : 'listed'
}

/** Who approves beside the key. */
function approvingOf(rule: NamedRule, { action }: RuleDraft) {
  if (action.kind === 'approve') {
    const { steps, co_signer: coSigner = null } = action
    return { by: coSigner === null ? 'people' : 'people_and_co_signer', need: steps[0]?.need, who: steps[0]?.who, co_signer: coSigner }
  }
  const fees = action.kind === 'pass' ? action.fees : []
  return rule.action.kind === 'checked' ? { by: 'co_signer', co_signer: rule.action.machine, fees } : { by: 'nobody', fees }
}
