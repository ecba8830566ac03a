import type { Language } from '@holdfast/contract'
import type { Edge } from '@holdfast/policy/analysis'

const en = {
  comma: ', ',
  next: '; then ',
  step: (need: number, names: string) => `${need} of ${names}`,
  waits: (steps: string) => `Needs ${steps}.`,
  delayed: (steps: string, hours: string) => `Needs ${steps}, and is signed at least ${hours} hours after that.`,
  passes: "Passes with the requester's signature, without approvals.",
  usedUp: 'The limits of the rule are used up, and no later rule takes the order.',
  governance: 'Changing the policy',
  rule: (name: string) => `Rule “${name}”`,
  never: (where: string, step: number | null) =>
    step === null ? `${where}: nobody may make requests.` : `${where}: nobody can complete step ${step}, even with everyone present.`,
  missed: (where: string, name: string, step: number | null) =>
    step === null
      ? `${where} is blocked while ${name} is away: nobody else may make requests.`
      : `${where} is blocked while ${name} is away: step ${step} cannot be completed.`,
  nevertheless: (decided: string) => `Orders can still be approved: ${decided}.`,
  withoutKey: (name: string) => `${name} is named in a step or governs but has no approval key: their decisions do not count.`,
  shadowed: (names: string) => `Never applies: ${names} ${names.includes(',') ? 'cover' : 'covers'} everything it matches.`,
  nothing: 'Never applies: no order can meet all its conditions.',
  whole: (first: string, other: string) => `Everything that “${other}” matches is also matched by “${first}”, which is checked first`,
  shared: (first: string, other: string) => `“${first}” and “${other}” both match these, and “${first}” is checked first`,
  about: (said: string, orders: string) => `${said}: ${orders}`,
  order: (amount: string, name: string) => `${amount}, requested by ${name}`,
  called: (signature: string | null, contract: string) => `${signature ?? 'unreadable data'} of ${contract}`,
  staked: (action: string, amount: string) => `${action} of ${amount} base units`,
  edges: {
    'at-amount': (what: string) => `Exactly the rule's amount: ${what}`,
    'above-amount': (what: string) => `One base unit above the rule's amount: ${what}`,
    'first-minute': (what: string, at: string) => `In the first minute of its hours (${at}): ${what}`,
    'after-last-minute': (what: string, at: string) => `In the minute after its hours (${at}): ${what}`,
    'asker-approves': (what: string) => `The requester is also an approver: ${what}`,
    'limits-used-up': (what: string) => `Its limits are used up: ${what}`,
  } satisfies Record<Edge, (what: string, at: string) => string>,
}

export type AnalysisWords = typeof en

export const analysisWords: Record<Language, AnalysisWords> = {
  en_US: en,
  zh_CN: {
    comma: '、',
    next: '；其后 ',
    step: (need, names) => `${names} 中 ${need} 人`,
    waits: (steps) => `需 ${steps} 审批。`,
    delayed: (steps, hours) => `需 ${steps} 审批，其后 ${hours} 小时方可签署。`,
    passes: '凭发起人本人签名放行，无需审批。',
    usedUp: '该规则的限额已用尽，且其后没有规则接手该订单。',
    governance: '策略变更',
    rule: (name) => `规则“${name}”`,
    never: (where, step) => (step === null ? `${where}：没有任何人可发起。` : `${where}：即使全员在岗，第 ${step} 步也无人可完成。`),
    missed: (where, name, step) => (step === null ? `${name} 缺席时${where}停滞：没有其他人可发起。` : `${name} 缺席时${where}停滞：第 ${step} 步无法完成。`),
    nevertheless: (decided) => `订单仍可完成审批：${decided}。`,
    withoutKey: (name) => `${name} 位列审批步骤或策略审批人，但没有审批密钥，其意见不计入。`,
    shadowed: (names) => `永不生效：${names} 已先行决定其全部订单。`,
    nothing: '永不生效：没有订单能同时满足其全部条件。',
    whole: (first, other) => `“${other}”适用的订单，“${first}”全部适用，且“${first}”优先`,
    shared: (first, other) => `“${first}”与“${other}”同时适用于这些订单，以“${first}”优先`,
    about: (said, orders) => `${said}：${orders}`,
    order: (amount, name) => `${amount}，由${name}发起`,
    called: (signature, contract) => `合约 ${contract} 的 ${signature ?? '无法解读的数据'}`,
    staked: (action, amount) => `${action}，${amount} 个最小单位`,
    edges: {
      'at-amount': (what) => `恰为规则所定金额：${what}`,
      'above-amount': (what) => `超出规则所定金额一个最小单位：${what}`,
      'first-minute': (what, at) => `规则时段的第一分钟（${at}）：${what}`,
      'after-last-minute': (what, at) => `规则时段结束后的一分钟（${at}）：${what}`,
      'asker-approves': (what) => `发起人本身位列审批步骤：${what}`,
      'limits-used-up': (what) => `规则限额已用尽：${what}`,
    },
  },
}
