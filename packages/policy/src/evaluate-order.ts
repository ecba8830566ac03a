import { equalBytes } from '@holdfast/encoding'
import { askersOf, isCancellation, judgedAs, type SpendingIntent } from '@holdfast/intent'
import { evaluateIntent, type Judged } from './evaluate-call.ts'
import type { Outcome } from './evaluate.ts'
import type { Policy } from './policy.ts'

/**
 * What the policy asks for an order to pay, or for one about such an order: that is judged as the payment is, and neither who asked for the payment nor who
 * asks
 * about it counts among the people. A cancellation does nothing: whoever may approve the order may cancel it, also where the order itself would be refused now.
 */
export function evaluateOrder(policy: Policy, intent: SpendingIntent, judged: Judged = isCancellation(intent) ? 'then' : 'now'): Outcome {
  return withoutAskers(evaluateIntent(policy, judgedAs(intent), judged), intent)
}

/** An outcome without the people who asked; a denial where too few are left. */
export function withoutAskers(outcome: Outcome, intent: SpendingIntent): Outcome {
  if (outcome.kind === 'deny') return outcome
  const askers = askersOf(intent)
  const eligible = outcome.eligible.filter((id) => !askers.some((asker) => equalBytes(id, asker)))
  if (outcome.threshold > eligible.length) return { kind: 'deny', reason: 'quorum-impossible', rule: outcome.rule }
  return { ...outcome, eligible }
}
