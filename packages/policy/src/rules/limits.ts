import { type LimitEach, LIMITS_EACH, limitShape, type Locale, type RenderContext, type StoredLimit } from '@holdfast/intent'
import { formatAmount } from '@holdfast/units'
import { type About, amountOf, isNamed, type Known, pinnedBy } from '../conditions/index.ts'

export { limitShape, LIMITS_EACH, type LimitEach, type StoredLimit }

/** What of an order is counted: an asset of a network, or the tokens that a call of this contract is about. */
export type CountedAsset = { chain: string; contract: string | null; isOfTokens: boolean }

/** A limit of a rule of any form. `maxCents` counts every asset together, by what the table of the policy says when somebody decides. `maxOf` is the most of an asset that it lets through, in base units; null if it does not count that. */
export type Limit = { each: LimitEach; lengthMs: bigint; maxCount: bigint | null; maxCents: bigint | null; maxOf(counted: CountedAsset): bigint | null }

/** The one limit of a rule of the first forms, which counts each asset by itself. */
export const limitOfWindow = ({ lengthMs, maxAmount, maxTokens = maxAmount }: { lengthMs: bigint; maxAmount: bigint; maxTokens?: bigint }): Limit => ({
  each: 'rule',
  lengthMs,
  maxCount: null,
  maxCents: null,
  maxOf: ({ isOfTokens }) => (isOfTokens ? maxTokens : maxAmount),
})

export const readLimit = ({ each, lengthMs, amounts, maxTokens, maxCount, maxCents }: StoredLimit): Limit => ({
  each: each as LimitEach,
  lengthMs,
  maxCount,
  maxCents,
  maxOf: ({ chain, contract, isOfTokens }) => {
    if (isOfTokens) return maxTokens
    if (amounts.length === 0) return null
    const found = amounts.filter((named) => named.chain === chain && isNamed(named.asset, contract)).map(({ max }) => max)
    return found.length === 0 ? 0n : found.reduce((least, max) => (max < least ? max : least))
  },
})

/** Why a limit cannot stand in a rule; undefined if it can. */
export function faultOfLimit({ each, lengthMs, amounts, maxTokens, maxCount, maxCents }: StoredLimit, about: About, known: Known): string | undefined {
  if (!LIMITS_EACH.some((name) => name === each)) return `has a limit for each ${each}, which is nothing that limits count`
  if (lengthMs === 0n) return 'has a limit over no time'
  if (maxCents !== null && about === 'call') return 'limits calls by their value, which their data does not say'
  if (amounts.length === 0 && maxTokens === null && maxCount === null && maxCents === null) return 'has a limit that limits nothing'
  if (maxTokens !== null && about !== 'call') return 'limits tokens of calls, and is not for calls'
  if (each === 'destination' && about !== 'payment') return 'limits each destination, and is not for payments'
  const unknown = amounts.find((named) => !pinnedBy(known, named))
  if (unknown) return `limits ${unknown.asset === '' ? 'the own coin' : unknown.asset} on ${unknown.chain}, which the policy does not pin`
  const names = amounts.map(({ chain, asset }) => `${chain}|${asset}`)
  return new Set(names).size === names.length ? undefined : 'limits an asset twice'
}

const WORDS = {
  'en-US': {
    comma: ', ',
    atMost: (what: string, span: string, each: string) => `at most ${what} in ${span}${each}`,
    hours: (hours: string) => `${hours} hours`,
    orders: (count: string) => `${count} orders`,
    dollars: (amount: string) => `${amount} USD by the table of values`,
    tokens: (amount: string) => `${amount} base units of the tokens of each contract`,
    ofNetwork: (amount: string, chain: string) => `${amount} (${chain})`,
    nothingElse: 'nothing of any other asset',
    each: { rule: '', asker: ' for each person who asks', destination: ' to each destination', source: ' from each paying address' },
  },
  'zh-CN': {
    comma: '、',
    atMost: (what: string, span: string, each: string) => `${each}${span}内累计不超过 ${what}`,
    hours: (hours: string) => `${hours} 小时`,
    orders: (count: string) => `${count} 笔`,
    dollars: (amount: string) => `${amount} 美元（按估值表）`,
    tokens: (amount: string) => `每个合约 ${amount} 个代币最小单位`,
    ofNetwork: (amount: string, chain: string) => `${amount}（${chain}）`,
    nothingElse: '其他资产 0',
    each: { rule: '', asker: '每位发起人', destination: '每个收款地址', source: '每个付款地址' },
  },
}

/** How a limit is told. `isOfCalls`: their tokens are limited by themselves, and assets say nothing of them. `isLast`: in the words before the present ones. */
type Told = Pick<RenderContext, 'isLast'> & { isOfCalls: boolean }

/** A limit as a part of a sentence. */
export function describeLimit(limit: StoredLimit, known: Known, locale: Locale, { isOfCalls, isLast }: Told): string {
  const { each, lengthMs, amounts, maxTokens, maxCount, maxCents } = limit
  const words = WORDS[locale]
  const amount = (named: StoredLimit['amounts'][number]) => amountOf(known, named, named.max)
  const what = [
    ...amounts.map((named) => (isLast ? amount(named) : words.ofNetwork(amount(named), named.chain))),
    ...(amounts.length === 0 || isOfCalls || isLast ? [] : [words.nothingElse]),
    ...(maxTokens === null ? [] : [words.tokens(String(maxTokens))]),
    ...(maxCount === null ? [] : [words.orders(String(maxCount))]),
    ...(maxCents === null ? [] : [words.dollars(formatAmount(maxCents, 2))]),
  ]
  return words.atMost(what.join(words.comma), words.hours(String(Number(lengthMs) / 3_600_000)), words.each[each as LimitEach])
}
