import { type Infer, list, struct, text, uint } from '@holdfast/encoding'
import { type Ordered, paid, paying } from './act.ts'
import { contractWords } from '../contract-words.ts'
import { type OrderedPayment, otherPayments, type PaymentKind, renderPayment } from './payment.ts'
import { transferIntentShape } from './transfer.ts'

/** More recipients of one transaction nobody reads through before they approve it. */
export const PAYOUT_OUTPUTS_MAX = 100

/**
 * An order to pay several recipients in one transaction. `to` is the first of `outputs` and `amount` what all of them get (`payoutFault`); the fee cap is for
 * the whole.
 */
const payoutIntentShape = struct('holdfast/intent/payout/v1', {
  ...transferIntentShape.fields,
  outputs: list(struct('holdfast/intent/payout-output/v1', { to: text(128), amount: uint(256) }), PAYOUT_OUTPUTS_MAX),
})

export type PayoutIntent = { kind: 'payout' } & Infer<typeof payoutIntentShape>

type Payout = Omit<PayoutIntent, 'kind'>

/** Everybody whom an order to several pays, without a memo. */
const paidTo = ({ outputs }: Pick<Payout, 'outputs'>): OrderedPayment[] => outputs.map(({ to, amount }) => ({ to, amount, memo: null }))

function act(intent: Ordered & { outputs: readonly { to: string }[] }) {
  return paying(
    intent,
    intent.outputs.map(({ to }) => to),
  )
}

/**
 * Why the parts of an order to pay several do not fit together, or undefined if they do: `amount`, which rules and limits look at, is what all of them
 * get, and nobody stands there twice, so that no line can be taken for another. A memo stands with the one whom it is for, if anywhere.
 */
export function payoutFault({ to, amount, memo, outputs, from }: Pick<Payout, 'to' | 'amount' | 'memo' | 'outputs' | 'from'>): string | undefined {
  if (outputs.length < 2) return 'the order names fewer than two recipients'
  if (new Set(outputs.map((each) => each.to)).size !== outputs.length) return 'the order names a recipient twice'
  if (outputs.some((each) => each.to === from)) return 'the order names the paying address among its recipients'
  if (outputs[0]?.to !== to) return 'the order begins with another recipient than it names'
  if (outputs.some((each) => each.amount <= 0n)) return 'the order pays a recipient nothing'
  if (outputs.reduce((sum, each) => sum + each.amount, 0n) !== amount) return 'the amounts of the recipients do not add up to that of the order'
  return memo === null ? undefined : 'an order to pay several carries no memo for all of them'
}

export const payout = {
  shape: payoutIntentShape,
  fault: payoutFault,
  render: (intent, context, locale) => renderPayment(intent, context, locale, { several: paidTo(intent), ...contractWords(intent.asset, locale) }),
  does: ['transfers'],
  moves: ({ outputs }) => ({ count: outputs.length, assets: 1 }),
  act,
  done: (intent, effects) => paid(act(intent), effects),
  mismatch: (intent, effects, codec) => otherPayments(paidTo(intent), intent.asset, effects, codec),
  payments: paidTo,
} satisfies PaymentKind<typeof payoutIntentShape>
