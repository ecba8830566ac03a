import { bytes, type Infer, optional, struct, text, uint } from '@holdfast/encoding'
import { assetShape } from '../asset.ts'
import { feeFields, identityFields, keyFields, validityFields } from './order-fields.ts'
import { otherPayments, payingOne, type PaymentKind, renderPayment } from './payment.ts'

/**
 * An order to pay. Immutable from the moment it is made: approvals bind its hash, signers compare every field
 * with the bytes they sign. Addresses are the chain's canonical text, amounts base units, times milliseconds.
 */
export const transferIntentShape = struct('holdfast/intent/transfer/v1', {
  ...identityFields,
  ...keyFields,
  from: text(128),
  to: text(128),
  memo: optional(text(256)),
  asset: assetShape,
  amount: uint(256),
  ...feeFields,
  ...validityFields,
  screening: optional(bytes(32)),
  remark: text(800),
  nonce: bytes(32),
})

export type TransferIntent = { kind: 'transfer' } & Infer<typeof transferIntentShape>

export const transfer = {
  shape: transferIntentShape,
  fault: () => undefined,
  render: (intent, context, locale) => renderPayment(intent, context, locale),
  does: ['transfers'],
  moves: () => ({ count: 1, assets: 1 }),
  ...payingOne,
  mismatch: (intent, effects, codec) => otherPayments([intent], intent.asset, effects, codec),
} satisfies PaymentKind<typeof transferIntentShape>
