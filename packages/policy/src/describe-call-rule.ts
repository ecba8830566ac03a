import type { Locale } from '@holdfast/intent'
import { formatAmount } from '@holdfast/units'
import type { CallRule, Policy } from './policy.ts'

const en = {
  comma: ', ',
  calls: (functions: string, contracts: string, chain: string) => `${functions} of ${contracts} on ${chain}`,
  anyFunction: 'any function the order names',
  payers: (payers: string) => `only from ${payers}`,
  value: (amount: string) => `with at most ${amount} sent along`,
  noValue: 'with no coin sent along',
  window: (amount: string, hours: string) => `at most ${amount} in ${hours} hours`,
  unlimited: 'UNLIMITED ALLOWANCES MAY BE GIVEN',
  limited: 'no unlimited allowance may be given',
  unknown: 'CALL DATA THAT NOBODY CAN READ IS LET THROUGH',
}

const WORDS: Record<Locale, typeof en> = {
  'en-US': en,
  'zh-CN': {
    comma: '、',
    calls: (functions, contracts, chain) => `${chain} 上 ${contracts} 的${functions}`,
    anyFunction: '订单指明的任意函数',
    payers: (payers) => `仅限由 ${payers} 调用`,
    value: (amount) => `附带主币不超过 ${amount}`,
    noValue: '不得附带主币',
    window: (amount, hours) => `${hours} 小时内累计不超过 ${amount}`,
    unlimited: '允许无限授权',
    limited: '不得给予无限授权',
    unknown: '放行无法解读的调用数据',
  },
}

/** Which calls a rule covers, in words: everything that the rule says but its people. */
export function describeCalls(rule: CallRule, policy: Policy, locale: Locale): string {
  const words = WORDS[locale]
  const coin = policy.assets.find((asset) => asset.chain === rule.chain && asset.contract === null)
  const amount = (value: bigint) => (coin ? `${formatAmount(value, Number(coin.decimals))} ${coin.symbol}` : String(value))
  return [
    words.calls(rule.functions?.join(words.comma) ?? words.anyFunction, rule.contracts.join(words.comma), rule.chain),
    ...(rule.payers === null ? [] : [words.payers(rule.payers.join(words.comma))]),
    rule.maxValue === 0n ? words.noValue : words.value(amount(rule.maxValue)),
    ...(rule.window === null ? [] : [words.window(amount(rule.window.maxAmount), String(Number(rule.window.lengthMs) / 3_600_000))]),
    rule.unlimitedAllowances ? words.unlimited : words.limited,
    ...(rule.unknownCallData ? [words.unknown] : []),
  ].join('; ')
}
