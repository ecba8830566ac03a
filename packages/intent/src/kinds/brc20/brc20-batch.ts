import { type Infer, list, struct, text, uint } from '@holdfast/encoding'
import { inscribedFault, type InscribedKind, inscriptionRows, otherInscriptions } from './brc20.ts'
import { payingOne, renderPayment } from '../payment.ts'
import { transferIntentShape } from '../transfer.ts'

/** More inscriptions of one transaction nobody reads through before they approve it. */
export const INSCRIPTIONS_MAX = 16

/**
 * An order to send several inscriptions of one token to one recipient, in one transaction: `amount` is what all of them say together, and each goes with its
 * own coin.
 */
const brc20BatchIntentShape = struct('holdfast/intent/brc20-batch/v1', {
  ...transferIntentShape.fields,
  inscriptions: list(struct('holdfast/intent/brc20-batch-part/v1', { inscription: text(80), amount: uint(256), postage: uint(64) }), INSCRIPTIONS_MAX),
})

export type Brc20BatchIntent = { kind: 'brc20Batch' } & Infer<typeof brc20BatchIntentShape>

export const brc20Batch = {
  shape: brc20BatchIntentShape,
  fault: (intent) => (intent.inscriptions.length < 2 ? 'the order names fewer than two inscriptions' : inscribedFault(intent, intent.inscriptions)),
  render: (intent, context, locale) => renderPayment(intent, context, locale, { rows: inscriptionRows(intent, intent.inscriptions, locale) }),
  does: ['transfers'],
  // Each token goes with its coin.
  moves: ({ inscriptions }) => ({ count: 2 * inscriptions.length, assets: 2 }),
  ...payingOne,
  mismatch: (intent, effects) => otherInscriptions(intent, intent.inscriptions, effects),
  inscriptions: ({ inscriptions }) => [...inscriptions],
} satisfies InscribedKind<typeof brc20BatchIntentShape>
