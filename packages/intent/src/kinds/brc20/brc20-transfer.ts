import { type Infer, struct, text, uint } from '@holdfast/encoding'
import { inscribedFault, type InscribedKind, type Inscription, inscriptionRows, otherInscriptions } from './brc20.ts'
import { payingOne, renderPayment } from '../payment.ts'
import { transferIntentShape } from '../transfer.ts'

/**
 * An order to send a BRC-20 transfer that is inscribed: `asset` is the token and `amount` what the inscription says, `inscription` its id. `postage` is what
 * the coin that carries it holds, in the network's own coin, and goes along (`inscribedFault`).
 */
const brc20TransferIntentShape = struct('holdfast/intent/brc20-transfer/v1', {
  ...transferIntentShape.fields,
  inscription: text(80),
  postage: uint(64),
})

export type Brc20TransferIntent = { kind: 'brc20Transfer' } & Infer<typeof brc20TransferIntentShape>

const sent = ({ inscription, amount, postage }: Inscription): Inscription[] => [{ inscription, amount, postage }]

export const brc20Transfer = {
  shape: brc20TransferIntentShape,
  fault: (intent) => inscribedFault(intent, sent(intent)),
  render: (intent, context, locale) => renderPayment(intent, context, locale, { rows: inscriptionRows(intent, sent(intent), locale) }),
  does: ['transfers'],
  // The token goes with its coin.
  moves: () => ({ count: 2, assets: 2 }),
  ...payingOne,
  mismatch: (intent, effects) => otherInscriptions(intent, sent(intent), effects),
  inscriptions: sent,
} satisfies InscribedKind<typeof brc20TransferIntentShape>
