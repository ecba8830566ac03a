import type { Locale } from '@holdfast/intent'
import { formatAmount } from '@holdfast/units'
import type { Policy } from '../policy.ts'
import type { CallBounds } from '../rules/call-bounds.ts'

const en = {
  comma: ', ',
  calls: (functions: string, contracts: string, chain: string) => `${functions} of ${contracts} on ${chain}`,
  anyFunction: 'any function the order names',
  payers: (payers: string) => `only from ${payers}`,
  value: (amount: string) => `with at most ${amount} sent along`,
  noValue: 'with no coin sent along',
  tokens: (limits: string) => `moves or allows at most ${limits} with one call`,
  noTokens: 'moves no token and allows none',
  baseUnits: (amount: string) => `${amount} base units of a token`,
  window: (amount: string, hours: string) => `at most ${amount} in ${hours} hours`,
  tokenWindow: (limits: string, hours: string) => `of tokens at most ${limits} in ${hours} hours for each contract`,
  unlimited: 'UNLIMITED ALLOWANCES MAY BE GIVEN',
  limited: 'no unlimited allowance may be given',
  unknown: 'CALL DATA THAT NOBODY CAN READ IS LET THROUGH',
  whatever: 'whatever they send along, move or allow, also inside other calls',
  unread: 'and calls of data that nobody can read',
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
    tokens: (limits) => `单次调用转移或授权的代币不超过 ${limits}`,
    noTokens: '不得转移或授权代币',
    baseUnits: (amount) => `${amount} 个代币最小单位`,
    window: (amount, hours) => `${hours} 小时内累计不超过 ${amount}`,
    tokenWindow: (limits, hours) => `每个合约 ${hours} 小时内转移或授权的代币累计不超过 ${limits}`,
    unlimited: '允许无限授权',
    limited: '不得给予无限授权',
    unknown: '放行无法解读的调用数据',
    whatever: '无论附带、转移或授权多少，含其他调用内携带的',
    unread: '以及无法解读的调用数据',
  },
}

/** Which calls a rule covers, in words: everything that the rule says but its people. */
export function describeCalls(rule: CallBounds, policy: Policy, locale: Locale): string {
  const words = WORDS[locale]
  const coin = policy.assets.find((asset) => asset.chain === rule.chain && asset.contract === null)
  const amount = (value: bigint) => (coin ? `${formatAmount(value, Number(coin.decimals))} ${coin.symbol}` : String(value))
  const hours = String(Number(rule.window?.lengthMs ?? 0n) / 3_600_000)
  return [
    words.calls(rule.functions?.join(words.comma) ?? words.anyFunction, rule.contracts.join(words.comma), rule.chain),
    ...(rule.payers === null ? [] : [words.payers(rule.payers.join(words.comma))]),
    rule.maxValue === 0n ? words.noValue : words.value(amount(rule.maxValue)),
    ...(rule.window === null ? [] : [words.window(amount(rule.window.maxAmount), hours)]),
    ...(rule.maxTokens === null ? [] : tokenLines({ ...rule, maxTokens: rule.maxTokens }, policy, hours, words)),
    rule.unlimitedAllowances ? words.unlimited : words.limited,
    ...(rule.unknownCallData ? [words.unknown] : []),
  ].join('; ')
}

/** Which calls a rule refuses, in words. */
export function describeRefusedCalls({ chain, contracts, functions, unknownCallData }: CallBounds, locale: Locale): string {
  const words = WORDS[locale]
  const calls = words.calls(functions?.join(words.comma) ?? words.anyFunction, contracts.join(words.comma), chain)
  return [calls, words.whatever, ...(unknownCallData ? [words.unread] : [])].join('; ')
}

/** What a rule lets be done with tokens: in base units, and in the units of each token of the policy that it names as a contract. */
function tokenLines(rule: CallBounds & { maxTokens: bigint }, policy: Policy, hours: string, words: typeof en): string[] {
  const named = policy.assets.filter(({ chain, contract }) => chain === rule.chain && contract !== null && rule.contracts.includes(contract))
  const limits = (amount: bigint) => {
    const inUnits = named.map(({ decimals, symbol }) => `${formatAmount(amount, Number(decimals))} ${symbol}`)
    return [words.baseUnits(String(amount)), ...(inUnits.length === 0 ? [] : [`(${inUnits.join(words.comma)})`])].join(' ')
  }
  const one = rule.maxTokens === 0n ? words.noTokens : words.tokens(limits(rule.maxTokens))
  return [one, ...(rule.window === null || rule.maxTokens === 0n ? [] : [words.tokenWindow(limits(rule.window.maxTokens ?? 0n), hours)])]
}
