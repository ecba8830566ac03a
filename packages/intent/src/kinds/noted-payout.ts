import { type Infer, list, optional, struct, text, uint } from '@holdfast/encoding'
import { isByContract } from '../contract-words.ts'
import { type Ordered, paid, type PaymentAct, paying } from './act.ts'
import { otherPayments, type PaymentKind, renderPayment } from './payment.ts'
import { PAYOUT_OUTPUTS_MAX, payoutFault } from './payout.ts'
import { transferIntentShape } from './transfer.ts'

/**
 * An order to pay several recipients in one transaction that carries a memo of its own along with each, or with some (TON). `to` is the first of `outputs`,
 * `amount` what all of them get, and `memo` null. Without any memo it is a payout, so that no payment can be ordered in two forms.
 */
const notedPayoutIntentShape = struct('holdfast/intent/noted-payout/v1', {
  ...transferIntentShape.fields,
  outputs: list(struct('holdfast/intent/noted-payout-output/v1', { to: text(128), memo: optional(text(256)), amount: uint(256) }), PAYOUT_OUTPUTS_MAX),
})

export type NotedPayoutIntent = { kind: 'notedPayout' } & Infer<typeof notedPayoutIntentShape>

type NotedPayout = Omit<NotedPayoutIntent, 'kind'>

function act(intent: Ordered & Pick<NotedPayout, 'outputs'>): PaymentAct {
  const { outputs } = intent
  const recipients = outputs.map(({ to }) => to)
  return { ...paying(intent, recipients), memos: outputs.map(({ memo }) => memo) }
}

function notedPayoutFault(intent: NotedPayout): string | undefined {
  const { outputs, asset } = intent
  if (isByContract(asset)) return 'the order carries memos, which a contract that pays several does not'
  if (outputs.some(({ memo }) => memo === '')) return 'the order pays a recipient with an empty memo'
  if (outputs.every(({ memo }) => memo === null)) return 'the order carries no memo, and is not written as one that does'
  return payoutFault(intent)
}

export const notedPayout = {
  shape: notedPayoutIntentShape,
  fault: notedPayoutFault,
  render: (intent, context, locale) => renderPayment(intent, context, locale, { several: intent.outputs }),
  does: ['transfers'],
  moves: ({ outputs }) => ({ count: outputs.length, assets: 1 }),
  act,
  done: (intent, effects) => paid(act(intent), effects),
  mismatch: ({ outputs, asset }, effects, codec) => otherPayments(outputs, asset, effects, codec),
  payments: ({ outputs }) => outputs,
} satisfies PaymentKind<typeof notedPayoutIntentShape>
