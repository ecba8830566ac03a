import { groupAddress } from './group-address.ts'
import type { DepositChildIntent } from './intent.ts'
import { askedRows, identityRows, keyRow, moneyText, ORDER_WORDS } from './order-rows.ts'
import type { Locale, RenderContext, Rendering } from './rendering.ts'

const WORDS = {
  'en-US': {
    ...ORDER_WORDS['en-US'],
    lift: (amount: string, fee: string) => `Pay up to ${fee} so that a deposit of ${amount} comes into a block sooner`,
    what: 'What happens',
    happens:
      'A transaction spends the deposit that waits and gives it back to the same address, less the fee. The network has to take both into a block to get the fee. No other coin is spent.',
    amount: 'Deposit that waits',
    coin: 'Its coin',
    address: 'Address it was paid to, and that it comes back to',
    notSure: 'Whoever sent the deposit may still replace it by another transaction. Then nothing of this happens, and no fee is paid.',
  },
  'zh-CN': {
    ...ORDER_WORDS['zh-CN'],
    lift: (amount: string, fee: string) => `支付最高 ${fee}，使充值 ${amount} 更快进入区块`,
    what: '操作内容',
    happens: '一笔交易花费这笔等待中的充值，扣除手续费后退回同一地址。网络须将两笔交易一并打包才能获得手续费。不花费其他任何币。',
    amount: '等待中的充值',
    coin: '对应的币',
    address: '充值所到并将退回的地址',
    notSure: '付款方仍可能用另一笔交易替换这笔充值。届时本操作不会发生，也不产生手续费。',
  },
} as const

/** An order to lift a deposit that waits, in words. */
export function renderDepositChild(intent: DepositChildIntent, context: RenderContext, locale: Locale): Rendering {
  const words = WORDS[locale]
  const { asset, feeAsset } = intent
  const amount = moneyText(intent.amount, asset)
  const fee = moneyText(intent.feeCap, feeAsset)
  return {
    locale,
    title: words.lift(amount, fee),
    rows: [
      { label: words.what, value: words.happens },
      { label: words.amount, value: amount },
      { label: words.coin, value: intent.deposit },
      { label: words.address, value: groupAddress(intent.from) },
      { label: words.network, value: asset.chain },
      { label: words.feeCap, value: fee },
      ...askedRows(intent, context, locale),
      keyRow(intent, locale),
      ...identityRows(intent, locale),
    ],
    warnings: [words.notSure],
  }
}
