import { deadAddress, readNft } from '@holdfast/chain-core'
import {
  type Act,
  type Acting,
  actOf,
  askersOf,
  isCancellation,
  isTransaction,
  judgedAs,
  originalOf,
  type PaymentAct,
  type SpendingIntent,
} from '@holdfast/intent'
import { type Asking, chosen, decidePayment, type Outcome, withoutAskers } from './evaluate.ts'
import { decideCall, readCallAct } from './evaluate-call.ts'
import { decideStake } from './evaluate-stake.ts'
import { decideVenueCall } from './evaluate-trade.ts'
import type { Policy } from '../policy.ts'
import type { Rule } from '../rules/rule-shapes.ts'
import { venueForm } from '../rules/trade-bounds.ts'

/**
 * What the policy asks for an order to pay, or for one about such an order: that is judged as the payment is, and neither who asked for the payment nor who
 * asks about it counts among the people. A cancellation does nothing: whoever may approve the order may cancel it, also where the order itself would be
 * refused now.
 */
export const evaluateOrder = (policy: Policy, intent: SpendingIntent, asking: Asking = {}): Outcome =>
  chosen(outcomesOfOrder(policy, intent, asking), asking.by ?? null)

/** The same by every rule that may decide, in the order in which they are asked (`decide`). Never empty. */
export function outcomesOfOrder(policy: Policy, intent: SpendingIntent, asking: Asking = {}): Outcome[] {
  const judged = asking.judged ?? (isCancellation(intent) ? 'then' : 'now')
  const outcomes = outcomesOfAct(policy, actOf(judgedAs(intent)), { ...asking, judged })
  return outcomes.map((outcome) => askedAs(outcome, intent))
}

/**
 * An outcome for an order: without whoever asked for it, and denied where it is open for longer than the rule lets it be, or
 * no longer than the rule has it wait, or may cost more than the rule lets it.
 */
export function askedAs(outcome: Outcome, intent: SpendingIntent): Outcome {
  if (outcome.kind === 'deny') return outcome
  const isTooLong = outcome.expiresAfterMs > 0n && intent.expiresAtMs - intent.notBeforeMs > outcome.expiresAfterMs
  if (isTooLong) return { kind: 'deny', reason: 'open-too-long', rule: outcome.rule }
  // Nobody ends alone what others may have approved.
  if (isCancellation(intent) && outcome.steps.some(({ isAskers }) => isAskers)) return { kind: 'deny', reason: 'quorum-impossible', rule: outcome.rule }
  if (outcome.fees && intent.feeCap > (outcome.fees.get(originalOf(intent).asset.chain) ?? -1n))
    return { kind: 'deny', reason: 'fee-too-high', rule: outcome.rule }
  // What is about a payment does not wait again.
  if (isTransaction(intent) && intent.expiresAtMs - intent.notBeforeMs <= outcome.delayMs) return { kind: 'deny', reason: 'open-too-short', rule: outcome.rule }
  return withoutAskers(outcome, askersOf(intent))
}

/** What the policy says of an order that a transaction carries out. A call that cannot be read by the function it names is denied. */
export const evaluateIntent = (policy: Policy, intent: Acting, asking: Asking = {}): Outcome => evaluateAct(policy, actOf(intent), asking)

/** The same of what an order does, or its bytes do. */
export const evaluateAct = (policy: Policy, act: Act, asking: Asking = {}): Outcome => chosen(outcomesOfAct(policy, act, asking), asking.by ?? null)

/** The same by every rule that may decide; of rules for payments, those `among` them: see `decide`. Never empty. */
export function outcomesOfAct(policy: Policy, act: Act, asking: Asking = {}, among?: readonly Rule[]): Outcome[] {
  const reason = (asking.judged ?? 'now') === 'now' ? lossOfAct(act) : undefined
  if (reason) return [{ kind: 'deny', reason, rule: null }]
  switch (act.as) {
    case 'payment':
      return decidePayment(policy, act, asking, among)
    case 'stake':
      return decideStake(policy, act, asking)
    case 'call': {
      if (venueForm(policy, act.chain, act.contract) !== undefined) return decideVenueCall(policy, act, asking)
      const order = readCallAct(act)
      return order ? decideCall(policy, { ...order, act }, asking) : [{ kind: 'deny', reason: 'unreadable-call', rule: null }]
    }
  }
}

/**
 * Why what an order pays would be lost for good, or undefined: nobody can spend from the address, or it is the contract of the very token. No rule lets that
 * through: whoever means to destroy a token calls the function for it.
 */
export const lossOf = (intent: Acting): Loss | undefined => lossOfAct(actOf(intent))

type Loss = 'dead-destination' | 'own-contract'

function lossOfAct(act: Act): Loss | undefined {
  switch (act.as) {
    case 'payment':
      return act.recipients.map((each) => lossOfPayment(act, each)).find((loss) => loss !== undefined)
    case 'call':
      return deadAddress(act.chain, act.contract) === 'nobody' ? 'dead-destination' : undefined
    case 'stake':
      return undefined
  }
}

/** The same of one payment of an asset. */
export function lossOfPayment({ chain, contract }: Pick<PaymentAct, 'chain' | 'contract'>, to: string): Loss | undefined {
  if (deadAddress(chain, to) !== undefined) return 'dead-destination'
  return to === (readNft(contract)?.collection ?? contract) ? 'own-contract' : undefined
}
