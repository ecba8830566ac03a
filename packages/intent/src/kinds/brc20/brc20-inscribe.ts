import { readBrc20Asset } from '@holdfast/chain-core'
import { type Infer, struct, uint } from '@holdfast/encoding'
import { otherTokens, postageFault, postageRow } from './brc20.ts'
import { payingOne, type PaymentKind, renderPayment } from '../payment.ts'
import { transferIntentShape } from '../transfer.ts'

/**
 * An order to send an amount of a BRC-20 token that no inscription transfers yet: the transfer is inscribed on the paying address first and sent in the same
 * breath, by transactions that are signed together. `postage` is what the coin holds that goes along (`inscribeFault`).
 */
const brc20InscribeIntentShape = struct('holdfast/intent/brc20-inscribe/v1', { ...transferIntentShape.fields, postage: uint(64) })

export type Brc20InscribeIntent = { kind: 'brc20Inscribe' } & Infer<typeof brc20InscribeIntentShape>

/** Why the parts of an order to inscribe a token and send it do not fit together, or undefined if they do. */
function inscribeFault({ asset, from, to, amount, postage, memo }: Omit<Brc20InscribeIntent, 'kind'>): string | undefined {
  if (readBrc20Asset(asset.contract) === undefined) return 'the order has another asset inscribed than a token of BRC-20'
  if (amount <= 0n) return 'the order has nothing inscribed'
  if (to === from) return 'the order sends the token to the paying address itself'
  return postageFault(postage) ?? (memo === null ? undefined : 'an order to send a token carries no memo')
}

export const brc20Inscribe = {
  shape: brc20InscribeIntentShape,
  fault: inscribeFault,
  render: (intent, context, locale) => {
    const { way, inscribes, notReplaced } = WORDS[locale]
    const rows = [{ label: way, value: inscribes }, postageRow(intent.postage, intent.feeAsset, locale)]
    return renderPayment(intent, context, locale, { rows, warnings: [notReplaced] })
  },
  does: ['transfers', 'inscribes'],
  // The token goes with its coin.
  moves: () => ({ count: 2, assets: 2 }),
  ...payingOne,
  mismatch: (intent, effects) =>
    effects.inscribes === undefined ? 'the transaction makes no inscription, and the order has a token inscribed' : otherTokens(intent, [intent], effects),
  irreplaceable: 'an order that has a token inscribed is not replaced: a block may have the first of its transactions',
} satisfies PaymentKind<typeof brc20InscribeIntentShape>

const WORDS = {
  'en-US': {
    way: 'How it is sent',
    inscribes:
      'A transfer of this amount is inscribed on the paying address and goes to the recipient at once. Three transactions are signed together; all that does not go to the recipient comes back, less the fee.',
    notReplaced: 'Once it is sent, this order can be neither sped up nor cancelled: it waits until its fee is enough.',
  },
  'zh-CN': {
    way: '转出方式',
    inscribes: '先在付款地址上为该数量制作转账铭文，随即转给收款方。三笔交易一并签名；除转给收款方的部分外，其余扣除手续费后全部退回。',
    notReplaced: '此订单发出后既不能加速也不能取消，会一直等到手续费足够为止。',
  },
} as const
