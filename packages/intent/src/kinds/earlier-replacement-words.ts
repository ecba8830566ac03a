import { digest, toHex } from '@holdfast/encoding'
import { groupAddress } from '../group-address.ts'
import { type Asked, askedRows, moneyText, ORDER_WORDS } from '../order-rows.ts'
import type { Locale, RenderContext, Rendering } from '../rendering.ts'
import { type TransactionIntent, transactionShape } from './transactions.ts'

const WORDS = {
  'en-US': {
    ...ORDER_WORDS['en-US'],
    speedUp: (amount: string, fee: string) => `Pay up to ${fee} so that a payment of ${amount} goes faster`,
    cancel: (amount: string) => `Cancel the payment of ${amount}`,
    otherAction: (action: string) => `Unknown action “${action}” on a payment`,
    what: 'What happens',
    speedsUp: 'The same payment is signed again with a higher fee, in the same place on the chain. The chain takes one of the two at most.',
    cancels: 'A transaction that pays nobody takes the place of the payment. The chain takes one of the two at most; only the fee is spent.',
    amount: 'Amount of the payment',
    to: 'To',
    from: 'From',
    contract: 'Token contract',
    feeBefore: 'Fee approved before, at most',
    slot: 'Place on the chain',
    original: 'Order it is about',
    originalHash: 'Fingerprint of that order',
    late: 'The payment may still be made: where the chain takes it first, nothing is cancelled.',
    notTwice: 'Nobody is paid twice. The fee is paid once, by whichever transaction the chain takes.',
  },
  'zh-CN': {
    ...ORDER_WORDS['zh-CN'],
    speedUp: (amount: string, fee: string) => `以最高 ${fee} 的手续费加速付款 ${amount}`,
    cancel: (amount: string) => `取消付款 ${amount}`,
    otherAction: (action: string) => `对付款执行未知操作“${action}”`,
    what: '操作内容',
    speedsUp: '同一笔付款以更高的手续费重新签名，占用链上同一位置。链上最多只接受其中一笔。',
    cancels: '一笔不向任何人付款的交易占用该付款的位置。链上最多只接受其中一笔；仅消耗手续费。',
    amount: '付款金额',
    to: '收款地址',
    from: '付款地址',
    contract: '代币合约',
    feeBefore: '此前批准的手续费上限',
    slot: '链上位置',
    original: '所涉订单',
    originalHash: '该订单指纹',
    late: '该付款仍可能完成：若链上先接受它，则不会取消。',
    notTwice: '不会重复付款。手续费只支付一次，由链上接受的那笔交易支付。',
  },
} as const

/**
 * The words that an order to speed up or cancel a payment had until they named every recipient. Nobody is shown them any more, and no approval over them counts
 * for a signature; what was signed over them stays provable.
 */
export function earlierReplacementWords(
  intent: Asked & { action: string; feeCap: bigint; slot: bigint },
  original: TransactionIntent,
  context: RenderContext,
  locale: Locale,
): Rendering {
  const words = WORDS[locale]
  const amount = moneyText(original.amount, original.asset)
  const fee = moneyText(intent.feeCap, original.feeAsset)
  const isCancel = intent.action === 'cancel'
  const isKnown = isCancel || intent.action === 'speed-up'
  const title = isCancel ? words.cancel(amount) : words.speedUp(amount, fee)
  return {
    locale,
    title: isKnown ? title : words.otherAction(intent.action),
    rows: [
      { label: words.what, value: isKnown ? (isCancel ? words.cancels : words.speedsUp) : intent.action },
      { label: words.amount, value: amount },
      { label: words.to, value: groupAddress(original.to) },
      { label: words.from, value: groupAddress(original.from) },
      { label: words.network, value: original.asset.chain },
      { label: words.contract, value: original.asset.contract === null ? words.none : groupAddress(original.asset.contract) },
      { label: words.feeBefore, value: moneyText(original.feeCap, original.feeAsset) },
      { label: words.feeCap, value: fee },
      { label: words.slot, value: String(intent.slot) },
      { label: words.original, value: toHex(original.orderId) },
      { label: words.originalHash, value: toHex(digest(transactionShape, original)) },
      ...askedRows(intent, context, locale),
    ],
    warnings: [isCancel ? words.late : words.notTwice],
  }
}
