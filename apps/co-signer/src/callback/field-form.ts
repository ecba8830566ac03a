import { toHex } from '@holdfast/encoding'
import { type Act, intentHash, isPayment, judgedAs, originalOf, paymentsOf } from '@holdfast/intent'
import { bytesToUuid, formatAmount } from '@holdfast/units'
import type { Decidable } from '../checks/verify-order.ts'
import type { CallbackAnswer } from './ask-callback.ts'

/** What the callback is asked or told: whether an order may be signed, that one was sent, or whether it knows this co-signer by its key. */
export type CallbackEvent =
  | { type: 'sign_start'; intent: Decidable; act: Act }
  | { type: 'sign_success'; intent: Decidable; act: Act; txid: string }
  | { type: 'verify_public_hash'; publicHash: string }

/** The one id of an event, however often it is said. */
export const requestIdOf = (event: CallbackEvent): string =>
  event.type === 'verify_public_hash' ? event.publicHash.slice(0, 32) : bytesToUuid(intentHash(event.intent).slice(0, 16))

/** An event in the form that callbacks of the field's co-signers know: amounts as decimal text, addresses as the chain writes them. */
export function fieldBody(event: CallbackEvent): Record<string, unknown> {
  const { type } = event
  if (type === 'verify_public_hash') return { type, public_hash: event.publicHash }
  const { intent, act } = event
  const payment = judgedAs(intent)
  const outputs = intent.kind === 'batch' ? intent.lines : isPayment(payment) ? paymentsOf(payment) : []
  const decimals = Number(payment.asset.decimals)
  const id = bytesToUuid(intent.orderId)
  return {
    type,
    ...(act.as === 'payment' ? { withdraw_id: id } : { trans_id: id }),
    request_id: requestIdOf(event),
    pending_round: 0,
    from: payment.from,
    to: payment.to,
    memo: outputs[0]?.memo ?? '',
    amount: formatAmount(payment.amount, decimals),
    symbol: payment.asset.symbol,
    network: payment.asset.chain,
    contract: payment.asset.contract ?? '',
    ...(outputs.length > 1 && {
      outputs: outputs.map(({ to, memo, amount }) => ({ address_to: to, amount: formatAmount(amount, decimals), ...(memo !== null && { memo }) })),
    }),
    ...(act.as === 'call' && { input_data: `0x${toHex(act.data)}`, interactive_contract: act.contract }),
    ...(intent.kind === 'batch' && { batch: true }),
    ...(intent.kind !== 'batch' && originalOf(intent) !== intent && { about: intent.kind }),
    txid: type === 'sign_success' ? event.txid : '',
  }
}

/** The one word that is a yes: an answer of nothing else, in the very letters. */
export function readFieldAnswer({ status, body }: { status: number; body: Uint8Array }): CallbackAnswer {
  const said = new TextDecoder('utf-8', { ignoreBOM: true }).decode(body)
  if (status === 200 && said === 'SUCCESS') return { kind: 'yes' }
  return { kind: 'no', reason: `the callback answered ${status} ${JSON.stringify(said.slice(0, 100))}` }
}
