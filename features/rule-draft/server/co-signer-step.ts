import { type NamedRule, namesMachine, type Rule } from '@holdfast/policy'

/** The co-signer that looks at what a rule of people approves: its step stands before those of people. Undefined where the rule has none. */
export function coSignerOf({ action }: NamedRule): string | undefined {
  if (action.kind !== 'approve') return undefined
  const [first] = action.steps
  const [machine, ...others] = first?.who ?? []
  return machine?.kind === 'machine' && others.length === 0 ? machine.id : undefined
}

/** A rule as people alone stand in it. */
export function withoutCoSigner(rule: NamedRule): NamedRule {
  const { action } = rule
  return action.kind === 'approve' && coSignerOf(rule) !== undefined ? { ...rule, action: { ...action, steps: action.steps.slice(1) } } : rule
}

/**
 * Whether a rule is drawn by the editor: one with a name that people ask under, with at most a co-signer beside them and what screeners say. Any other is
 * kept as it stands.
 */
export const isDrawn = (rule: Rule): rule is NamedRule => rule.kind === 'named' && !namesMachine(withoutCoSigner(withoutScreening(rule)))

const withoutScreening = (rule: NamedRule): NamedRule => ({ ...rule, conditions: rule.conditions.filter(({ kind }) => kind !== 'screening') })
