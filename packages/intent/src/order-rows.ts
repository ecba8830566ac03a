import { takesUnsignedFee } from '@holdfast/chain-evm/codec'
import { toHex } from '@holdfast/encoding'
import { formatAmount } from '@holdfast/units'
import type { Asset } from './asset.ts'
import { type Locale, type RenderContext, type Rendering, timeInWords } from './rendering.ts'

/** What orders of every kind say, in the words of each language. */
const en = {
  network: 'Network',
  feeCap: 'Fee, at most',
  unsignedFee: (cap: string) =>
    `${cap}, and whatever this network takes besides for the chain it rests on: expected to fit under it, and bounded by no signature`,
  initiator: 'Asked by',
  remark: 'Remark',
  notBefore: 'Not before',
  expires: 'Expires',
  policy: 'Policy version',
  key: 'Key and path',
  order: 'Order',
  hash: 'Fingerprint of this order',
  none: 'none',
  unknownPerson: 'a person who is not in the policy',
}

export const ORDER_WORDS: Record<Locale, typeof en> = {
  'en-US': en,
  'zh-CN': {
    network: '网络',
    feeCap: '手续费上限',
    unsignedFee: (cap: string) => `${cap}；该网络另收底层链费用，预计包含在此上限内，但签名无法约束`,
    initiator: '发起人',
    remark: '说明',
    notBefore: '生效时间',
    expires: '失效时间',
    policy: '策略版本',
    key: '密钥与路径',
    order: '订单',
    hash: '本订单指纹',
    none: '无',
    unknownPerson: '策略中不存在的人员',
  },
}

type Rows = Rendering['rows']

/** An amount with its unit, to the last digit. */
export const moneyText = (amount: bigint, { decimals, symbol }: Asset): string => `${formatAmount(amount, Number(decimals))} ${symbol}`

/** What the fee may come to. Where a network takes more than what signed bytes bound, the words say so. */
export function feeRow(cap: bigint, asset: Asset, locale: Locale): Rows[number] {
  const words = ORDER_WORDS[locale]
  const most = moneyText(cap, asset)
  return { label: words.feeCap, value: takesUnsignedFee(asset.chain) ? words.unsignedFee(most) : most }
}

/** Who asks for an order, by the name that the policy has for them. */
export const initiatorName = ({ initiator }: { initiator: Uint8Array }, context: RenderContext, locale: Locale): string =>
  context.personName(initiator) ?? ORDER_WORDS[locale].unknownPerson

type Valid = { notBeforeMs: bigint; expiresAtMs: bigint; policyVersion: bigint; policyHash: Uint8Array }

/** From when until when an order counts, and under which policy. */
export function validityRows({ notBeforeMs, expiresAtMs, policyVersion, policyHash }: Valid, locale: Locale): Rows {
  const words = ORDER_WORDS[locale]
  return [
    { label: words.notBefore, value: timeInWords(notBeforeMs), isTechnical: true },
    { label: words.expires, value: timeInWords(expiresAtMs), isTechnical: true },
    { label: words.policy, value: `${policyVersion} (${toHex(policyHash)})`, isTechnical: true },
  ]
}

/** What says who asks for a transaction and why, when and under which policy. */
export type Asked = Valid & { initiator: Uint8Array; remark: string }

/** Who asks for a transaction and why, and when and under which policy that counts. */
export function askedRows(intent: Asked, context: RenderContext, locale: Locale): Rows {
  const words = ORDER_WORDS[locale]
  return [
    { label: words.initiator, value: initiatorName(intent, context, locale) },
    { label: words.remark, value: intent.remark === '' ? words.none : intent.remark },
    ...validityRows(intent, locale),
  ]
}

/** What says which key signs a transaction. */
export type Keyed = { keyId: Uint8Array; path: readonly bigint[] }

/** Which key signs a transaction. */
export function keyRow({ keyId, path }: Keyed, locale: Locale): Rows[number] {
  return { label: ORDER_WORDS[locale].key, value: `${toHex(keyId)} m/${path.join('/')}`, isTechnical: true }
}
