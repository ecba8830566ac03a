import type { Effects } from '@holdfast/chain-core'
import { type Infer, struct, text } from '@holdfast/encoding'
import { groupAddress } from '../group-address.ts'
import { askedRows, keyRow, moneyText, ORDER_WORDS } from '../order-rows.ts'
import type { Locale, RenderContext, Rendering } from '../rendering.ts'
import { type Ordered, paid, paying, type PaymentAct } from './act.ts'
import type { TransactionKind } from './intent-kind.ts'
import { askedFields, movedFields } from './order-fields.ts'

/**
 * An order to speed a pending deposit up by a child that spends it (CPFP). `deposit` is its coin, as `<txid>:<index>`, and `amount` what that holds, of
 * the chain's own coin. All of it comes back to the paying address, which is also `to`, less the fee (`depositChildFault`); no other coin is spent.
 */
const depositChildIntentShape = struct('holdfast/intent/deposit-child/v1', { ...movedFields, deposit: text(80), ...askedFields })

export type DepositChildIntent = { kind: 'depositChild' } & Infer<typeof depositChildIntentShape>

type DepositChild = Omit<DepositChildIntent, 'kind'>

/** Why the parts of an order to speed a deposit up do not fit together, or undefined if they do. */
function depositChildFault({ asset, from, to, deposit, amount, feeCap }: DepositChild): string | undefined {
  if (asset.contract !== null) return "only a deposit of the chain's own coin is lifted"
  if (to !== from) return 'what speeds a deposit up comes back to the paying address, and the order names another'
  if (!/^[0-9a-f]{64}:\d{1,10}$/.test(deposit)) return 'the order names no coin of a deposit'
  return feeCap < amount ? undefined : 'the fee may be all that the deposit holds'
}

/** Nothing is paid to anybody, so nothing is lost. */
const act = (intent: Ordered): PaymentAct => paying(intent, [])

/** Rules look at the deposit that is lifted, as people who approve it do, and not at what is left of it. */
function done(intent: DepositChild, effects: Effects): PaymentAct | undefined {
  const moved = paid(act(intent), effects)
  return moved && { ...moved, amount: (effects.inputs ?? []).reduce((sum, { amount }) => sum + amount, 0n) }
}

/** Where a transaction does not give the one coin of the order back to the paying address, whole but for the fee, and nothing else. */
function otherChild({ from, deposit, amount }: DepositChild, { transfers, inputs = [], change = [] }: Effects): string | undefined {
  const [back] = transfers
  if (!back || transfers.length > 1 || change.length > 0) return 'the transaction is not one that gives a deposit back'
  const spent = inputs.map(({ outpoint }) => outpoint).join()
  if (spent !== deposit) return `the transaction spends ${spent}, the order ${deposit}`
  const held = inputs[0]?.amount
  if (held !== amount) return `the coin that is spent holds ${held} base units, the order says ${amount}`
  if (back.to !== from || back.asset.contract !== null) return `the transaction pays ${back.to}, the order gives the deposit back to ${from}`
  return undefined
}

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

/** An order to speed a pending deposit up, in words. */
function render(intent: DepositChild, context: RenderContext, locale: Locale): Rendering {
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
      { label: words.network, value: asset.chain, isTechnical: true },
      { label: words.feeCap, value: fee },
      ...askedRows(intent, context, locale),
      keyRow(intent, locale),
    ],
    warnings: [words.notSure],
  }
}

export const depositChild = {
  shape: depositChildIntentShape,
  fault: depositChildFault,
  render,
  does: ['transfers'],
  moves: () => ({ count: 1, assets: 1 }),
  act,
  done,
  mismatch: otherChild,
} satisfies TransactionKind<typeof depositChildIntentShape>
