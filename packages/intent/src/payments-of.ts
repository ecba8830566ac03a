import type { Intent, PaymentIntent, PayoutIntent } from './intent.ts'

/** One recipient of an order, in base units of the order's asset. */
export type OrderedPayment = { to: string; amount: bigint; memo: string | null }

/** Whether an order pays somebody, one or several. */
export function isPayment(intent: Intent): intent is PaymentIntent {
  return intent.kind === 'transfer' || intent.kind === 'payout'
}

/** Everybody whom an order pays, in the order's own sequence, which is also that of the transaction. */
export function paymentsOf(intent: PaymentIntent): OrderedPayment[] {
  if (intent.kind === 'transfer') return [{ to: intent.to, amount: intent.amount, memo: intent.memo }]
  return intent.outputs.map(({ to, amount }) => ({ to, amount, memo: null }))
}

/**
 * Why the parts of an order to pay several do not fit together, or undefined where they do: `amount`, which rules and limits look at, is what all of them get, and
 * nobody stands there twice, so that no line can be taken for another.
 */
export function payoutFault({ to, amount, memo, outputs, from }: PayoutIntent): string | undefined {
  if (outputs.length < 2) return 'the order names fewer than two recipients'
  if (new Set(outputs.map((each) => each.to)).size !== outputs.length) return 'the order names a recipient twice'
  if (outputs.some((each) => each.to === from)) return 'the order names the paying address among its recipients'
  if (outputs[0]!.to !== to) return 'the order begins with another recipient than it names'
  if (outputs.some((each) => each.amount <= 0n)) return 'the order pays a recipient nothing'
  if (outputs.reduce((sum, each) => sum + each.amount, 0n) !== amount) return 'the amounts of the recipients do not add up to that of the order'
  return memo === null ? undefined : 'an order to pay several carries no memo'
}
