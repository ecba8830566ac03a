import { bytes, decode, digest, EncodingFault, equalBytes, type Infer, struct, text, toHex, uint } from '@holdfast/encoding'
import { askedRows, feeRow, moneyText, ORDER_WORDS } from '../order-rows.ts'
import { type Locale, type RenderContext, type Rendering, wordsFor } from '../rendering.ts'
import { earlierReplacementWords } from './earlier-replacement-words.ts'
import { identityFields, validityFields } from './order-fields.ts'
import { type AboutKind, kindOfTransaction, type TransactionIntent, transactionShape } from './transactions.ts'

/** What can be done with a payment that waits: allow a higher fee, or put something in its slot that pays nobody. */
const REPLACEMENT_ACTIONS = ['speed-up', 'cancel'] as const

/**
 * An order about a payment that is on its way: `original` is the canonical bytes of the order to pay, whole, and `slot` its place on the chain, which every
 * transaction of it takes. `speed-up`: the same payment with a fee up to `feeCap`. `cancel`: bytes that give everything back to the paying address.
 */
const replacementIntentShape = struct('holdfast/intent/replacement/v1', {
  ...identityFields,
  action: text(16),
  original: bytes(undefined, 1 << 16),
  slot: uint(256),
  feeCap: uint(256),
  remark: text(800),
  ...validityFields,
  nonce: bytes(32),
})

export type ReplacementIntent = { kind: 'replacement' } & Infer<typeof replacementIntentShape>

type Replacement = Omit<ReplacementIntent, 'kind'>

/** The order to pay that it is about. Throws EncodingFault if it contains none of its own organisation. */
function originalOf({ genesis, original: encoded }: Replacement): TransactionIntent {
  const original = readTransaction(encoded)
  if (!equalBytes(original.genesis, genesis)) throw new EncodingFault('what is to be replaced is no order to pay of this organisation')
  return original
}

function readTransaction(encoded: Uint8Array): TransactionIntent {
  try {
    return decode(transactionShape, encoded)
  } catch (cause) {
    if (cause instanceof EncodingFault) throw new EncodingFault(`what is to be replaced is no order to pay: ${cause.message}`, { cause })
    throw cause
  }
}

const WORDS = {
  'en-US': {
    ...ORDER_WORDS['en-US'],
    speedUp: (what: string, fee: string) => `Pay up to ${fee} so that this goes faster: ${what}`,
    cancel: (what: string) => `Cancel this: ${what}`,
    otherAction: (action: string) => `Unknown action “${action}” on a payment`,
    what: 'What this order does',
    speedsUp: 'The same payment is signed again with a higher fee, in the same place on the chain. The chain takes one of the two at most.',
    cancels: 'A transaction that pays nobody takes the place of the payment. The chain takes one of the two at most; only the fee is spent.',
    about: 'The order it is about',
    feeBefore: 'Fee approved before, at most',
    slot: 'Place on the chain',
    nonce: (slot: string) => `nonce ${slot}`,
    seqno: (slot: string) => `seqno ${slot}`,
    coin: (number: string) => `the coin that the payment spends first, number ${number}`,
    bytes: (number: string) => `these very bytes, number ${number}`,
    original: 'Number of that order',
    originalHash: 'Fingerprint of that order',
    late: 'The payment may still be made: where the chain takes it first, nothing is cancelled.',
    notTwice: 'Nobody is paid twice. The fee is paid once, by whichever transaction the chain takes.',
  },
  'zh-CN': {
    ...ORDER_WORDS['zh-CN'],
    speedUp: (what: string, fee: string) => `以最高 ${fee} 的手续费加速：${what}`,
    cancel: (what: string) => `取消：${what}`,
    otherAction: (action: string) => `对付款执行未知操作“${action}”`,
    what: '本订单的作用',
    speedsUp: '同一笔付款以更高的手续费重新签名，占用链上同一位置。链上最多只接受其中一笔。',
    cancels: '一笔不向任何人付款的交易占用该付款的位置。链上最多只接受其中一笔；仅消耗手续费。',
    about: '所涉订单',
    feeBefore: '此前批准的手续费上限',
    slot: 'Nonce/占用的 UTXO',
    nonce: (slot: string) => `Nonce ${slot}`,
    seqno: (slot: string) => `Seqno ${slot}`,
    coin: (number: string) => `该付款花费的第一个 UTXO，编号 ${number}`,
    bytes: (number: string) => `这些交易字节，编号 ${number}`,
    original: '所涉订单编号',
    originalHash: '所涉订单指纹',
    late: '该付款仍可能完成：若链上先接受它，则不会取消。',
    notTwice: '不会重复付款。手续费只支付一次，由链上接受的那笔交易支付。',
  },
}

/** What was put better since; an approval over these words counts too. */
const FORMER = { 'zh-CN': { slot: '链上位置' } }

/**
 * An order to speed up or cancel a payment, in words: everything that the order says which it is about, as the page of that says it, and what happens to it.
 * Throws EncodingFault if it contains no order to pay.
 */
function render(intent: Replacement, context: RenderContext, locale: Locale): Rendering {
  const words = wordsFor(WORDS, { former: FORMER }, locale, context)
  const original = originalOf(intent)
  const about = kindOfTransaction(original).render(original, context, locale)
  const fee = moneyText(intent.feeCap, original.feeAsset)
  const isCancel = intent.action === 'cancel'
  const isKnown = isCancel || intent.action === 'speed-up'
  const title = isCancel ? words.cancel(about.title) : words.speedUp(about.title, fee)
  return {
    locale,
    title: isKnown ? title : words.otherAction(intent.action),
    rows: [
      { label: words.what, value: isKnown ? (isCancel ? words.cancels : words.speedsUp) : intent.action },
      { label: words.about, value: about.title },
      ...ownRows(about, locale),
      { label: words.feeBefore, value: moneyText(original.feeCap, original.feeAsset) },
      feeRow(intent.feeCap, original.feeAsset, locale),
      { label: words.slot, value: placeText(original, intent.slot, words) },
      { label: words.original, value: toHex(original.orderId), isTechnical: true },
      { label: words.originalHash, value: toHex(digest(transactionShape, original)), isTechnical: true },
      ...askedRows(intent, context, locale),
    ],
    // What was grave about the payment is so again where it is signed once more.
    warnings: [isCancel ? words.late : words.notTwice, ...(about.isGrave && !isCancel ? about.warnings : [])],
    ...(about.isGrave && !isCancel ? { isGrave: true } : {}),
  }
}

/** What is the order's own and of no other: whom it pays and what it does, without the rows that the order about it has in its own right. */
function ownRows({ rows }: Rendering, locale: Locale): Rendering['rows'] {
  const { feeCap, initiator, remark, notBefore, expires, policy } = ORDER_WORDS[locale]
  const shared = new Set<string>([feeCap, initiator, remark, notBefore, expires, policy])
  return rows.filter(({ label }) => !shared.has(label))
}

/** Where two transactions exclude each other, as people know the place. Coins and bytes are named by a digest, which the order's own fingerprint has whole. */
function placeText({ slotRule }: TransactionIntent, slot: bigint, words: (typeof WORDS)[Locale]): string {
  if (slotRule === 'account-nonce') return words.nonce(String(slot))
  if (slotRule === 'wallet-seqno') return words.seqno(String(slot))
  const digest = slot.toString(16).padStart(64, '0')
  const short = `${digest.slice(0, 8)}…${digest.slice(-8)}`
  return slotRule === 'anchor-input' ? words.coin(short) : words.bytes(short)
}

export const replacement = {
  shape: replacementIntentShape,
  fault: ({ action }) => (REPLACEMENT_ACTIONS.some((each) => each === action) ? undefined : `the order says to ${action}, which is nothing known`),
  render,
  earlierWords: (intent, context, locale) => [earlierReplacementWords(intent, originalOf(intent), context, locale)],
  about: originalOf,
} satisfies AboutKind<typeof replacementIntentShape>
