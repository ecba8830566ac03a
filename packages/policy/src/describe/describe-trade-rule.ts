import type { Locale } from '@holdfast/intent'
import { formatAmount } from '@holdfast/units'
import { amountOf, pinnedBy } from '../conditions/index.ts'
import type { Policy } from '../policy.ts'
import type { TradeBounds } from '../rules/trades-shape.ts'

const en = {
  comma: ', ',
  venue: (router: string, form: string, chain: string) => `trades at the router ${router} (${form}) on ${chain}`,
  pairs: (given: string, got: string) => `giving ${given} for ${got}`,
  given: (symbol: string, most: string) => `${symbol}, at most ${most} each time`,
  own: 'what is got goes to the paying address only',
  slippage: (percent: string) => `what is got at least is worth at most ${percent}% less than what is given at most, by the table of values`,
  deadline: (minutes: string) => `with a deadline at most ${minutes} minutes after it is signed`,
  noDeadline: 'WITH ANY DEADLINE OR NONE',
}

const WORDS: Record<Locale, typeof en> = {
  'en-US': en,
  'zh-CN': {
    comma: '、',
    venue: (router, form, chain) => `${chain} 上路由合约 ${router}（${form}）的兑换`,
    pairs: (given, got) => `以 ${given} 换取 ${got}`,
    given: (symbol, most) => `${symbol}（单笔不超过 ${most}）`,
    own: '所得仅可进入付款地址本身',
    slippage: (percent) => `按估值表，最少所得的价值比最多付出的价值至多低 ${percent}%`,
    deadline: (minutes) => `截止时间不晚于签署后 ${minutes} 分钟`,
    noDeadline: '截止时间不限，亦可不设',
  },
}

const MINUTE_MS = 60_000

/** Which trades a rule covers, in words: everything that the rule says but its people. Bounds are said where it has them: one that refuses has none. */
export function describeTrades({ chain, form, router, gives, gets, slippageBps, deadlineMs }: TradeBounds, policy: Policy, locale: Locale): string {
  const words = WORDS[locale]
  const symbol = (asset: string) => pinnedBy(policy, { chain, asset })?.symbol ?? asset
  const given = gives.map(({ asset, atMost }) => (atMost === null ? symbol(asset) : words.given(symbol(asset), amountOf(policy, { chain, asset }, atMost))))
  const bounds = [
    words.own,
    ...(slippageBps === null ? [] : [words.slippage(formatAmount(slippageBps, 2))]),
    deadlineMs === null ? words.noDeadline : words.deadline(String(Number(deadlineMs) / MINUTE_MS)),
  ]
  return [
    words.venue(router, form, chain),
    words.pairs(given.join(words.comma), gets.map(symbol).join(words.comma)),
    ...(slippageBps === null && deadlineMs === null ? [] : bounds),
  ].join('; ')
}
