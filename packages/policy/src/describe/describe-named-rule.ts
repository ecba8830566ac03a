import type { Locale, RenderContext } from '@holdfast/intent'
import { amountOf, describeCondition } from '../conditions/index.ts'
import { asksUnsigned } from '../people/machines.ts'
import { nameWho, type Party, peopleMeant } from '../people/who.ts'
import type { Policy } from '../policy.ts'
import { callBoundsOf } from '../rules/call-bounds.ts'
import { describeLimit } from '../rules/limits.ts'
import { isRefusing, type NamedRule } from '../rules/rule-shapes.ts'
import { stakeBoundsOf } from '../rules/stake-bounds.ts'
import { tradeBoundsOf } from '../rules/trade-bounds.ts'
import { describeCalls, describeRefusedCalls } from './describe-call-rule.ts'
import { describeRefusedStakes, describeStakes } from './describe-stake-rule.ts'
import { describeTrades } from './describe-trade-rule.ts'

const en = {
  semicolon: '; ',
  next: ', then ',
  higher: 'Rule',
  basic: 'Basic rule',
  rule: (level: string, name: string, what: string, action: string) => `${level} ${name}: ${what} – ${action}`,
  payments: 'payments',
  anything: 'payments of any asset to anybody',
  refuse: 'REFUSED',
  step: (need: string, who: string) => `${need} of ${who}`,
  approve: (steps: string) => `needs ${steps}, never the person who asks`,
  limits: (limits: string) => `${limits}; above that the next rule decides`,
  expires: (hours: string) => `open for ${hours} hours at most`,
  delay: (hours: string) => `signed no sooner than ${hours} hours after the last approval`,
  mayStop: (who: string) => `${who} can stop it`,
  comma: ', ',
  pass: (fees: string) => `passes by the signature of the person who asks, without approvals, with a fee of at most ${fees} each`,
  passMachine: (fees: string) => `passes by the signature of whoever asks, person or machine, without approvals, with a fee of at most ${fees} each`,
  checked: (machine: string, fees: string) =>
    `passes by the signature of whoever asks and the approval of ${machine}, without people, with a fee of at most ${fees} each`,
  checkedAlone: (machine: string, fees: string) =>
    `passes by the approval of ${machine} alone, without people and without a signature of who asks at door two, with a fee of at most ${fees} each`,
}

const WORDS: Record<Locale, typeof en> = {
  'en-US': en,
  'zh-CN': {
    semicolon: '；',
    next: '，其后 ',
    higher: '规则',
    basic: '基础规则',
    rule: (level, name, what, action) => `${level} ${name}：${what} —— ${action}`,
    payments: '付款',
    anything: '向任何人支付任意资产',
    refuse: '拒绝',
    step: (need, who) => `${who} 中 ${need} 人`,
    approve: (steps) => `需 ${steps} 审批，发起人不得审批`,
    limits: (limits) => `${limits}；超出部分由下一条规则决定`,
    expires: (hours) => `订单有效期不超过 ${hours} 小时`,
    delay: (hours) => `最后一次审批 ${hours} 小时后方可签署`,
    mayStop: (who) => `${who} 可随时叫停`,
    comma: '、',
    pass: (fees) => `凭发起人本人签名放行，无需审批，每笔手续费不超过 ${fees}`,
    passMachine: (fees) => `凭发起方（成员或机器）签名放行，无需审批，每笔手续费不超过 ${fees}`,
    checked: (machine, fees) => `凭发起方签名及${machine}批准放行，无需成员审批，每笔手续费不超过 ${fees}`,
    checkedAlone: (machine, fees) => `仅凭${machine}批准放行，无需成员审批，也没有二号接口发起方的签名，每笔手续费不超过 ${fees}`,
  },
}

const hours = (ms: bigint) => String(Number(ms) / 3_600_000)

/** In which words a rule is told: the present ones, if none are asked for. */
export type InWords = Pick<RenderContext, 'isLast'>

/** A named rule in words: what it is about, its conditions and limits, and who must approve. `name` is as the sentence is to show it. */
export function describeNamedRule(rule: NamedRule, name: string, policy: Policy, locale: Locale, { isLast }: InWords): string {
  const words = WORDS[locale]
  const { level, limits } = rule
  const told = { isOfCalls: rule.covers.kind === 'calls', ...(isLast && { isLast }) }
  const parts = [
    ...coveredBy(rule, policy, locale, isRefusing(rule) && !isLast),
    ...(limits.length === 0 ? [] : [words.limits(limits.map((each) => describeLimit(each, policy, locale, told)).join(words.semicolon))]),
  ]
  return words.rule(level === 'basic' ? words.basic : words.higher, name, parts.join(words.semicolon), describeAction(rule, policy, locale))
}

/** What a named rule is about: the calls, orders about stake or trades it bounds, or refuses whatever their bounds, and its conditions. */
function coveredBy(rule: NamedRule, policy: Policy, locale: Locale, refuses: boolean): string[] {
  const words = WORDS[locale]
  const bounded = boundsInWords(rule, policy, locale, refuses)
  const conditions = rule.conditions.map((each) => describeCondition(each, policy, locale))
  return conditions.length === 0 && bounded === undefined ? [words.anything] : [bounded ?? words.payments, ...conditions]
}

/** What a rule for something else than payments bounds. */
function boundsInWords(rule: NamedRule, policy: Policy, locale: Locale, refuses: boolean): string | undefined {
  const [calls, stake, trades] = [callBoundsOf(rule), stakeBoundsOf(rule), tradeBoundsOf(rule)]
  if (calls) return refuses ? describeRefusedCalls(calls, locale) : describeCalls(calls, policy, locale)
  if (stake) return refuses ? describeRefusedStakes(stake, locale) : describeStakes(stake, policy, locale)
  return trades && describeTrades(trades, policy, locale)
}

function describeAction({ action, conditions }: NamedRule, policy: Policy, locale: Locale): string {
  const words = WORDS[locale]
  if (action.kind === 'refuse') return words.refuse
  const stops = action.mayStop.length === 0 ? [] : [words.mayStop(nameWho(policy, action.mayStop, locale))]
  const expires = action.expiresAfterMs === 0n ? [] : [words.expires(hours(action.expiresAfterMs))]
  if (action.kind !== 'approve') {
    const fees = action.fees.map(({ chain, max }) => `${amountOf(policy, { chain, asset: '' }, max)} (${chain})`).join(words.comma)
    const isForMachines = conditions.some((each) => each.kind === 'askers' && each.who.some(({ kind }) => kind === 'machine'))
    const passes = isForMachines ? words.passMachine(fees) : words.pass(fees)
    const isUnsigned = conditions.some((each) => each.kind === 'askers' && peopleMeant(policy, each.who).some((id) => asksUnsigned(policy, id)))
    const checked = isUnsigned ? words.checkedAlone : words.checked
    const how = action.kind === 'checked' ? checked(nameWho(policy, [{ kind: 'machine', id: action.machine }], locale), fees) : passes
    return [how, ...stops, ...expires].join(words.semicolon)
  }
  const stepOf = ({ need, who }: { need: bigint; who: readonly Party[] }) => {
    const named = nameWho(policy, who, locale)
    return who.some(({ kind }) => kind === 'machine') ? named : words.step(String(need), named)
  }
  const steps = action.steps.map(stepOf).join(words.next)
  return [words.approve(steps), ...(action.delayMs === 0n ? [] : [words.delay(hours(action.delayMs))]), ...stops, ...expires].join(words.semicolon)
}
