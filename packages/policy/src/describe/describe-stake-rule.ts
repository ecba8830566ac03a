import { type Locale, stakeActionName } from '@holdfast/intent'
import { formatAmount } from '@holdfast/units'
import type { Policy } from '../policy.ts'
import type { StakeBounds } from '../rules/stake-bounds.ts'

const en = {
  comma: ', ',
  actions: (actions: string, chain: string) => `${actions} on ${chain}`,
  payers: (payers: string) => `only from ${payers}`,
  receivers: (receivers: string) => `delegations only to ${receivers}`,
  anyReceiver: 'DELEGATIONS TO ANYBODY',
  max: (amount: string) => `at most ${amount} each time`,
  window: (amount: string, hours: string) => `at most ${amount} in ${hours} hours`,
  lock: (blocks: string) => `a delegation may be locked for up to ${blocks} blocks`,
  noLock: 'no delegation may be locked',
  anyAmount: 'of any amount',
  refused: (receivers: string) => `delegations to ${receivers}`,
}

const WORDS: Record<Locale, typeof en> = {
  'en-US': en,
  'zh-CN': {
    comma: '、',
    actions: (actions, chain) => `${chain} 上的${actions}`,
    payers: (payers) => `仅限账户 ${payers}`,
    receivers: (receivers) => `仅可代理给 ${receivers}`,
    anyReceiver: '可代理给任何人',
    max: (amount) => `单笔不超过 ${amount}`,
    window: (amount, hours) => `${hours} 小时内累计不超过 ${amount}`,
    lock: (blocks) => `代理最多可锁定 ${blocks} 个区块`,
    noLock: '代理不得锁定',
    anyAmount: '金额不限',
    refused: (receivers) => `代理给 ${receivers}`,
  },
}

/** Which orders about stake a rule covers, in words: everything that the rule says but its people. */
export function describeStakes(rule: StakeBounds, policy: Policy, locale: Locale): string {
  const words = WORDS[locale]
  const coin = policy.assets.find((asset) => asset.chain === rule.chain && asset.contract === null)
  const amount = (value: bigint) => (coin ? `${formatAmount(value, Number(coin.decimals))} ${coin.symbol}` : String(value))
  return [
    words.actions(rule.actions.map((action) => stakeActionName(action, locale)).join(words.comma), rule.chain),
    ...(rule.payers === null ? [] : [words.payers(rule.payers.join(words.comma))]),
    words.max(amount(rule.maxAmount)),
    ...(rule.window === null ? [] : [words.window(amount(rule.window.maxAmount), String(Number(rule.window.lengthMs) / 3_600_000))]),
    ...(rule.actions.includes('delegate')
      ? [
          rule.receivers === null ? words.anyReceiver : words.receivers(rule.receivers.join(words.comma)),
          rule.maxLockBlocks === 0n ? words.noLock : words.lock(String(rule.maxLockBlocks)),
        ]
      : []),
  ].join('; ')
}

/** Which orders about stake a rule refuses, in words. */
export function describeRefusedStakes({ chain, actions, receivers }: StakeBounds, locale: Locale): string {
  const words = WORDS[locale]
  return [
    words.actions(actions.map((action) => stakeActionName(action, locale)).join(words.comma), chain),
    words.anyAmount,
    ...(receivers === null ? [] : [words.refused(receivers.join(words.comma))]),
  ].join('; ')
}
