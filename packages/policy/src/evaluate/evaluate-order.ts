import { deadAddress, readNft } from '@holdfast/chain-core'
import { equalBytes } from '@holdfast/encoding'
import { type Act, type Acting, actOf, askersOf, isCancellation, judgedAs, type PaymentAct, type SpendingIntent } from '@holdfast/intent'
import { evaluate, type Outcome } from './evaluate.ts'
import { evaluateCall, type Judged, readCallAct } from './evaluate-call.ts'
import { evaluateStake } from './evaluate-stake.ts'
import type { Policy } from '../policy.ts'

/**
 * What the policy asks for an order to pay, or for one about such an order: that is judged as the payment is, and neither who asked for the payment nor who
 * asks about it counts among the people. A cancellation does nothing: whoever may approve the order may cancel it, also where the order itself would be
 * refused now.
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

/** What the policy says of an order that a transaction carries out. A call that cannot be read by the function it names is denied. */
export function evaluateIntent(policy: Policy, intent: Acting, judged: Judged = 'now'): Outcome {
  return evaluateAct(policy, actOf(intent), judged)
}

/** The same of what an order does, or its bytes do. */
export function evaluateAct(policy: Policy, act: Act, judged: Judged = 'now'): Outcome {
  const reason = judged === 'now' ? lossOfAct(act) : undefined
  if (reason) return { kind: 'deny', reason, rule: null }
  switch (act.as) {
    case 'payment':
      return evaluate(policy, act)
    case 'stake':
      return evaluateStake(policy, act)
    case 'call': {
      const order = readCallAct(act)
      return order ? evaluateCall(policy, order, judged) : { kind: 'deny', reason: 'unreadable-call', rule: null }
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
