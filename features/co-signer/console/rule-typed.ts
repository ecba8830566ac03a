import type { CallInput, OutputOf } from '@holdfast/contract'
import type { getCollectingRule, setCollectingRule } from '../contract.ts'

/** A rule as somebody types it. */
export type RuleTyped = {
  chain: string
  symbol: string
  min: string
  single: string
  max: string
  fuel: string
  fee: string
  share: string
  when: 'always' | 'hourly' | 'daily'
  time: string
  /** Minutes; empty if a fee is not raised. */
  raise: string
  /** How often it is raised, which nobody types. */
  times: NonNullable<CallInput<typeof setCollectingRule>['rbf_times']>
}

const AMOUNT = /^\d{1,60}(\.\d{1,30})?$/
const isAbove = (text: string) => AMOUNT.test(text) && /[1-9]/.test(text)
const TIME = /^([01]\d|2[0-3]):[0-5]\d$/
/** One minute to a day. */
const MINUTES = /^([1-9]\d{0,2}|1[0-3]\d\d|14[0-3]\d|1440)$/
/** How often the fee of one transfer is raised where no rule says so. */
const RAISES = '3'
const TIMES = ['1', '2', '3', '4', '5'] as const
/** What stands for no bound: a rule that was set without one has it. */
const UNBOUNDED = '9999999999999999'

/** What is typed at first: the rule as it is, or an empty one. */
export function typedRule(coin: { chain: string; symbol: string }, rule: OutputOf<typeof getCollectingRule> | undefined): RuleTyped {
  const schedule = rule?.schedule ?? ''
  const when = schedule === '' ? 'always' : schedule === 'hourly' ? 'hourly' : 'daily'
  return {
    ...coin,
    min: rule?.collect_min ?? '',
    single: rule?.single_min ?? '',
    max: rule && rule.collect_max !== UNBOUNDED ? rule.collect_max : '',
    fuel: rule?.fueling_limit ?? '',
    fee: rule?.max_fee ?? '',
    share: rule ? String(rule.max_fee_pct) : '10',
    when,
    time: when === 'daily' ? schedule : '',
    raise: rule?.rbf_after_s ? String(rule.rbf_after_s / 60) : '',
    times: TIMES.find((each) => each === String(rule?.rbf_times)) ?? RAISES,
  }
}

/** The first field that is wrong; undefined if the rule can be sent. What it means, the server says. */
export function faultOfRule({ chain, min, single, max, fuel, fee, share, when, time, raise }: RuleTyped, isToken: boolean): keyof RuleTyped | undefined {
  if (chain === '') return 'chain'
  if (!isAbove(min)) return 'min'
  if (single !== '' && !isAbove(single)) return 'single'
  if (max !== '' && !isAbove(max)) return 'max'
  if (isToken && fuel !== '' && !isAbove(fuel)) return 'fuel'
  if (!isAbove(fee)) return 'fee'
  if (!AMOUNT.test(share) || Number(share) < 0.01 || Number(share) > 100) return 'share'
  if (raise !== '' && !MINUTES.test(raise)) return 'raise'
  return when === 'daily' && !TIME.test(time) ? 'time' : undefined
}

/** The rule as the call takes it. */
export function ruleToSend(typed: RuleTyped, isToken: boolean): Omit<CallInput<typeof setCollectingRule>, 'wallet_id'> {
  const { chain, symbol, min, single, max, fuel, fee, share, when, time, raise, times } = typed
  return {
    chain,
    symbol,
    collect_min: min,
    ...(single !== '' && { single_min: single }),
    ...(max !== '' && { collect_max: max }),
    ...(isToken && fuel !== '' && { fueling_limit: fuel }),
    max_fee: fee,
    max_fee_pct: share,
    ...(raise !== '' && { rbf_after_s: String(Number(raise) * 60), rbf_times: times }),
    schedule: when === 'always' ? '' : when === 'hourly' ? 'hourly' : time,
  }
}
