import type { Language } from '@holdfast/contract'
import { equalBytes } from '@holdfast/encoding'
import { approversOf, type DenyReason, eligibleIn, findSpeaker, neededIn, type Outcome, type Policy } from '@holdfast/policy'

const WORDS = {
  en_US: {
    needs: (threshold: number, count: number, names: string, excluded: boolean) =>
      `Needs ${threshold} of ${count === 1 ? 'this person' : `these ${count} people`}${excluded ? ', not you' : ''}: ${names}.`,
    step: (need: number, names: string) => `${need} of ${names}`,
    next: '; then ',
    asker: 'Passes by your own signature on the approval page, without anybody else.',
    steps: (steps: string, excluded: boolean) => `Needs ${steps}${excluded ? ', not you' : ''}.`,
    'conditions-not-met': 'No rule of the policy covers this order as it is: who asks, from where, how much and to whom. So it is denied.',
    'refused-by-rule': 'A rule of the policy refuses this.',
    'rule-not-asked': 'The rule that was named does not decide on this order.',
    'open-too-long': 'The order would stay open for longer than its rule lets it. Choose an earlier end.',
    'fee-too-high': 'The order may cost more in fees than the rule for it lets through without approvals. Choose a lower highest fee.',
    'open-too-short': 'The rule for this order has it wait for longer than it would stay open. Choose a later end.',
    'asset-not-pinned': 'The policy does not name this asset, so nobody can approve it. Add it to the policy first.',
    'no-rule': 'No rule of the policy covers this amount of this asset, so it is denied.',
    'initiator-not-allowed': 'The rule for this order does not let you ask for it. Ask somebody the rule names.',
    'machine-expired': 'The API key that asks has expired. Have a new one approved.',
    'quorum-impossible': 'Without you there are too few approvers for this order, so it can never be approved. Let somebody else ask.',
    'unreadable-call': 'The call data is not exactly a call of the function it is said to be.',
    'contract-not-allowed': 'No rule of the policy lets this address call this contract. Add a rule for calls first.',
    'function-not-allowed': 'No rule of the policy lets this function of the contract be called.',
    'unknown-call-data': 'Nobody can read this call data, and no rule of the policy lets such data through to this contract.',
    'rule-outdated':
      'The rule for this call was made without a limit for tokens, or without functions. Renew it: end it and add a rule with its functions and a limit.',
    'hidden-function': 'The call data carries a function that moves tokens or gives rights, and the rule does not name it.',
    'tokens-too-high': 'The call moves more of a token, or lets others take more, than the rules of the policy let through.',
    'uncountable-call': 'The call moves coin and tokens at once, which the limit over time cannot count. Make two calls of it.',
    'dead-destination': 'Nobody can spend what is sent to this address: it would be lost for good. No signer signs such a payment.',
    'own-contract': 'This is the contract of the token itself. Tokens sent to it are lost for good. No signer signs such a payment.',
    'unlimited-allowance': 'The call gives an unlimited allowance, which no rule of the policy lets through. Allow the amount that is needed.',
    'value-too-high': 'The call sends more coin along than the rules of the policy let through.',
    'stake-not-allowed': 'No rule of the policy lets this be done with the stake of this address. Add a rule for stake first.',
    'receiver-not-allowed': 'No rule of the policy lets anything be delegated to this address.',
    'lock-too-long': 'No rule of the policy lets a delegation be locked for so long.',
    'stake-too-high': 'The order is about more stake than the rules of the policy let through.',
    'unreadable-trade':
      'This contract is a router for trades, and the call data is not exactly a trade that can be read. Ask for a plain trade of one asset for another.',
    'trade-for-another': 'What the trade gets would not go to the address that pays. No signer signs such a trade.',
    'pair-not-allowed': 'No rule of the policy lets this asset be traded for that one at this router. Add a rule for trades first.',
    'given-too-high': 'The trade gives more than the rules of the policy let one order give.',
    'deadline-not-allowed': 'The trade has no deadline, one that has passed, or a later one than its rule lets it have. Ask for it with another deadline.',
    'worth-unknown': 'The table of values does not say, or no longer says, what the two assets are worth. Have it brought up to date.',
    'slippage-too-high': 'What the trade gets at least is worth too little against what it gives. Ask for it with a higher least amount.',
    separator: ', ',
  },
  zh_CN: {
    needs: (threshold: number, count: number, names: string, excluded: boolean) =>
      `需以下 ${count} 人中的 ${threshold} 人审批${excluded ? '（不含您本人）' : ''}：${names}。`,
    step: (need: number, names: string) => `${names} 中 ${need} 人`,
    next: '；其后 ',
    asker: '仅需您本人在审批页签名，无需他人审批。',
    steps: (steps: string, excluded: boolean) => `需 ${steps} 审批${excluded ? '（不含您本人）' : ''}。`,
    'conditions-not-met': '策略中没有规则适用于该订单（发起人、付款钱包、金额、收款地址等），因此被拒绝。',
    'refused-by-rule': '策略规则拒绝此操作。',
    'rule-not-asked': '所指明的规则不适用于该订单。',
    'open-too-long': '订单有效期超过其规则允许的时长，请选择更早的截止时间。',
    'fee-too-high': '订单的最高手续费超过免审批规则的上限，请选择更低的最高手续费。',
    'open-too-short': '适用规则要求的等待时间超过订单有效期，请选择更晚的截止时间。',
    'asset-not-pinned': '策略中没有该资产，任何人都无法审批。请先将其加入策略。',
    'no-rule': '没有规则覆盖该资产的此金额，因此被拒绝。',
    'initiator-not-allowed': '适用的规则不允许您发起该订单，请由规则中列明的人员发起。',
    'machine-expired': '发起订单的 API 密钥已过期，请另行创建并获批。',
    'quorum-impossible': '排除您之后审批人不足，该订单永远无法通过。请由他人发起。',
    'unreadable-call': '调用数据与所称函数的调用不完全一致。',
    'contract-not-allowed': '策略中没有规则允许该地址调用此合约，请先增加调用规则。',
    'function-not-allowed': '策略中没有规则允许调用该合约的此函数。',
    'unknown-call-data': '此调用数据无法解读，且策略中没有规则放行发往该合约的此类数据。',
    'rule-outdated': '适用于此调用的规则没有代币限额，或未列明函数。请更新：终止该规则，并添加列明函数与限额的新规则。',
    'hidden-function': '调用数据内含转移代币或授予权限的函数，而规则未列明该函数。',
    'tokens-too-high': '该调用转移或授权的代币超过策略规则允许的数额。',
    'uncountable-call': '该调用同时转移主币与代币，时段限额无法计算。请分为两次调用。',
    'dead-destination': '任何人都无法动用转入该地址的资产，付款将永久损失。签名方不会签署此类付款。',
    'own-contract': '该地址是代币自身的合约，转入的代币将永久损失。签名方不会签署此类付款。',
    'unlimited-allowance': '该调用将给予无限授权，策略中没有规则允许。请仅授权所需数量。',
    'value-too-high': '该调用附带的主币超过策略规则允许的数额。',
    'stake-not-allowed': '策略中没有规则允许对该地址的质押执行此操作，请先增加质押规则。',
    'receiver-not-allowed': '策略中没有规则允许向该地址代理资源。',
    'lock-too-long': '策略中没有规则允许将代理锁定这么久。',
    'stake-too-high': '该订单涉及的质押超过策略规则允许的数额。',
    'unreadable-trade': '该合约为兑换路由，而调用数据无法准确解读为一笔兑换。请仅提交以一种资产换取另一种资产的普通兑换。',
    'trade-for-another': '兑换所得不会进入付款地址。签名方不会签署此类兑换。',
    'pair-not-allowed': '策略中没有规则允许在该路由以此资产换取彼资产，请先增加兑换规则。',
    'given-too-high': '该兑换付出的数额超过策略规则允许的单笔上限。',
    'deadline-not-allowed': '该兑换未设截止时间、截止时间已过，或晚于适用规则允许的时间。请换一个截止时间。',
    'worth-unknown': '估值表没有（或不再）给出这两种资产的价值，请先更新估值表。',
    'slippage-too-high': '该兑换最少所得的价值相对付出过低，请提高最少所得数额。',
    separator: '、',
  },
} as const

/** Why the policy denies an order, as one sentence. */
export const describeDenial = (reason: DenyReason, language: Language): string => WORDS[language][reason]

/** What the policy says of an order, as data and as one sentence. */
export type DescribedOutcome = {
  outcome: 'needs' | 'deny'
  reason: string | null
  rule_id: string | null
  threshold: number
  /** Who may approve: their ids. */
  eligible: readonly Uint8Array[]
  initiator_excluded: boolean
  sentence: string
}

export function describeOutcome(outcome: Outcome, policy: Policy, initiator: Uint8Array, language: Language): DescribedOutcome {
  const words = WORDS[language]
  if (outcome.kind === 'deny') {
    const reason = outcome.reason
    return {
      outcome: 'deny',
      reason,
      rule_id: outcome.rule?.id ?? null,
      threshold: 0,
      eligible: [],
      initiator_excluded: false,
      sentence: describeDenial(reason, language),
    }
  }
  const excluded = approversOf(outcome.rule, policy).some((id) => equalBytes(id, initiator))
  const eligible = eligibleIn(outcome.steps)
  const namesOf = (ids: readonly Uint8Array[]) => ids.map((id) => findSpeaker(policy, id)?.name ?? '?').join(words.separator)
  const [first] = outcome.steps
  const isOneStep = first !== undefined && outcome.steps.length === 1
  const byApprovers = () =>
    isOneStep
      ? words.needs(first.need, eligible.length, namesOf(eligible), excluded)
      : words.steps(outcome.steps.map((step) => words.step(step.need, namesOf(step.eligible))).join(words.next), excluded)
  return {
    outcome: 'needs',
    reason: null,
    rule_id: outcome.rule.id,
    threshold: neededIn(outcome.steps),
    eligible,
    initiator_excluded: excluded,
    sentence: isOneStep && first.isAskers ? words.asker : byApprovers(),
  }
}
