import { toHex } from '@holdfast/encoding'
import type { DenyReason, Outcome } from '../evaluate/evaluate.ts'
import { eligibleIn, type Step } from '../evaluate/steps.ts'
import type { Rule } from '../rules/rule-shapes.ts'

/** What a policy does with an order: refuse it, let it pass by the signature of the person who asks, or have it wait for people. */
export type Decision =
  | { kind: 'refused'; reason: DenyReason | 'limits-used-up'; rule: Rule | null }
  | { kind: 'passes'; rule: Rule }
  | { kind: 'waits'; rule: Rule; steps: readonly Step[]; delayMs: bigint }

export function decisionOf(outcome: Outcome): Decision {
  if (outcome.kind === 'deny') return { kind: 'refused', reason: outcome.reason, rule: outcome.rule }
  const { rule, steps, delayMs } = outcome
  return steps.every(({ isAskers }) => isAskers) ? { kind: 'passes', rule } : { kind: 'waits', rule, steps, delayMs }
}

/** Whether two decisions ask the same of the same people, by whatever rules. */
export function isSameDecision(one: Decision, other: Decision): boolean {
  if (one.kind === 'waits' && other.kind === 'waits') return one.delayMs === other.delayMs && stepsText(one.steps) === stepsText(other.steps)
  if (one.kind === 'refused' && other.kind === 'refused') return true
  return one.kind === other.kind
}

/** Steps are the same objects for every order that one person asks for. */
const texts = new WeakMap<readonly Step[], string>()

function stepsText(steps: readonly Step[]): string {
  const text = texts.get(steps) ?? steps.map((step) => `${step.need}:${eligibleIn([step]).map(toHex).toSorted().join()}`).join(';')
  texts.set(steps, text)
  return text
}
