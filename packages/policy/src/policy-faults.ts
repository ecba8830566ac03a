/** A sentence that is kept in English, as it is said, and in Chinese: `{}` is a name or a number, in the same order in both. */
export type Said = readonly [said: string, chinese: string]

/** What this package says of a policy that cannot stand. */
export const POLICY_FAULTS: readonly Said[] = [
  ['expires before it begins', '失效时间早于生效时间'],
  ['names no approval origin', '没有列明审批页面的来源'],
  ['takes approvals from {}, which is no origin of a page: https and a host, or http on localhost', '审批页面来源 {} 无效：须为 https 加主机名，或本机的 http'],
  ['takes approvals at {} with passkeys of {}, which is another host', '审批页面 {} 所用通行密钥属于另一主机 {}'],
  ['names the approval origin {} twice', '审批页面 {} 重复列入'],
  ['pins an asset twice', '有资产重复列入'],
  [
    'pins assets of {}: what is signed for the one is valid on the other, so a key serves one of them',
    '同时列入了 {} 的资产：为其一签署的内容在另一网络同样有效，一个密钥只能用于其中之一',
  ],
  ['pins one token of {}: pin the collection, and name the token in a rule', '列入了 {} 的单个代币：请列入整个合集，并在规则中指明代币'],
  ['counts tokens of {} in fractions: give the collection 0 decimals', '{} 的代币不可分割：请将合集的小数位设为 0'],
  ['has two rules of one id', '有两条规则的编号相同'],
  ['pins wallets of {} and not the token by that name: pin the token too', '列入了 {} 的代币钱包而未列入同名代币：请一并列入该代币'],
  ['pins the wallets of {} twice', '{} 的代币钱包重复列入'],
  ['rule {} is for calls on {}, whose own coin the policy does not pin', '规则“{}”用于 {} 上的合约调用，而策略未列入该网络的主币'],
  ['rule {} names no contract', '规则“{}”没有列明合约'],
  ['rule {} lets no address call', '规则“{}”没有列明可发起调用的地址'],
  ['rule {} names no function', '规则“{}”没有列明函数'],
  [
    'rule {} lets {} base units of a token be moved or allowed, more than any supply: set a limit',
    '规则“{}”允许转移或授权 {} 个代币最小单位，超过任何代币的供应量：请设置限额',
  ],
  ['rule {} names {}, at which there can be no contract', '规则“{}”列明的 {} 不可能是合约地址'],
  ['rule {} is for stake on {}, whose own coin the policy does not pin', '规则“{}”用于 {} 上的质押，而策略未列入该网络的主币'],
  ['rule {} lets nothing be done', '规则“{}”不允许任何操作'],
  ['rule {} names {}, which is nothing that can be done with stake', '规则“{}”列明的 {} 不是质押操作'],
  ['rule {} names an action twice', '规则“{}”有操作重复'],
  ['rule {} is for no account', '规则“{}”没有列明账户'],
  ['rule {} lets nobody be delegated to; leave out delegations', '规则“{}”没有列明可被代理的账户；请去掉代理操作'],
  ['rule {} lets nobody ask', '规则“{}”没有任何发起人'],
  ['recovery of signer {} names an officer twice', '签名方 {} 的恢复：有负责人重复'],
  [
    'recovery of signer {} asks for {} officer(s) together: where one is enough, write it as recipients of whom any opens the share',
    '签名方 {} 的恢复：需 {} 名负责人共同打开；若一人即可，请改为任一接收人均可打开分片',
  ],
  ['recovery of signer {} asks for {} of {} officers, which nobody can meet', '签名方 {} 的恢复：要求 {} 名，而负责人共 {} 名，无法满足'],
  [
    'recovery of signer {} names an officer of another signer: give each signer officers of its own',
    '签名方 {} 的恢复：负责人同属另一签名方；各签名方须有各自的负责人',
  ],
  ['names no person', '没有任何人员'],
  ['names a person twice', '有人员重复'],
  ['gives one credential to two people', '同一审批凭证属于两人'],
  ['gives one public key to two credentials', '两个审批凭证的公钥相同'],
  ['has a credential of unknown kind {}', '有未知类型的审批凭证：{}'],
  ['rule {} names a person twice', '规则“{}”有人员重复'],
  ['governance names a person twice', '策略变更的审批人有重复'],
  ['rule {} names {}, who is not in the policy', '规则“{}”列明的 {} 不在策略之中'],
  ['governance names {}, who is not in the policy', '策略变更列明的 {} 不在策略之中'],
  ['rule {} asks for no approval: set at least 1', '规则“{}”不需任何审批：请至少设为 1 人'],
  ['governance asks for no approval: set at least 1', '策略变更不需任何审批：请至少设为 1 人'],
  ['rule {} asks for {} of {} approvers, which nobody can meet', '规则“{}”需 {} 人审批，而审批人共 {} 人，无法满足'],
  ['governance asks for {} of {} approvers, which nobody can meet', '策略变更需 {} 人审批，而审批人共 {} 人，无法满足'],
  ['rule {} names an approver without an approval key', '规则“{}”有审批人没有审批密钥'],
  ['governance names an approver without an approval key', '策略变更有审批人没有审批密钥'],
  ['has two groups of one id', '有两个人员组的编号相同'],
  ['has two groups of one name', '有两个人员组的名称相同'],
  ['has nobody in the group {}', '人员组“{}”没有成员'],
  ['names a person twice in the group {}', '人员组“{}”有成员重复'],
  ['names {} in the group {}, who is not in the policy', '{} 不在策略之中，却列入了人员组“{}”'],
  ['rule {} has no name', '规则“{}”没有名称'],
  ['rule {} has the name of another', '规则“{}”与另一规则同名'],
  ['rule {} is of the level {}, which is none', '规则“{}”的级别 {} 无效'],
  ['rule {} has two conditions of one kind', '规则“{}”有同类条件重复'],
  ['rule {} is basic and has other conditions than wallets', '规则“{}”为基础规则，条件只能是钱包'],
  ['rule {} refuses, and has a limit: put the limit into the rule before it', '规则“{}”为拒绝规则，不能设限额：请将限额设在其前一条规则中'],
  [
    'rule {} has steps that nobody can meet: who asks never counts, and each person counts in one step',
    '规则“{}”的审批步骤无人能够满足：发起人不计入，且每人只计入一个步骤',
  ],
  ['rule {} has a condition ({}) that says nothing of what it is about', '规则“{}”的条件（{}）不适用于其所涉操作'],
  ['rule {} passes orders without approvals, and is not for payments', '规则“{}”免审批放行，只能用于付款'],
  [
    'rule {} passes payments without approvals: let it pay own, listed or named addresses only',
    '规则“{}”免审批放行：收款地址只能是自有地址、白名单地址或规则列明的地址',
  ],
  [
    'rule {} passes payments without approvals: set a limit of amounts over an hour or more, for the rule or each person who asks',
    '规则“{}”免审批放行：请按规则或按发起人设置一小时以上的累计金额限额',
  ],
  [
    'rule {} passes payments without approvals: set a limit of orders over an hour or more, for the rule or each person who asks',
    '规则“{}”免审批放行：请按规则或按发起人设置一小时以上的笔数限额',
  ],
  ['rule {} passes payments without approvals: say what their fee may reach', '规则“{}”免审批放行：请设置每笔手续费上限'],
  ['rule {} names the fees of a network twice', '规则“{}”有网络的手续费重复列出'],
  ['rule {} names fees on {}, whose own coin the policy does not pin', '规则“{}”列出 {} 的手续费，而策略未列入该网络的主币'],
  [
    'rule {} refuses own addresses or such that were paid before, and nobody can prove that an address is none',
    '规则“{}”拒绝自有地址或曾付款的地址，但无人能证明某地址不属此类',
  ],
  [
    'rule {} is for own addresses or such that were paid before, and rule {} after it asks for less: ask that one first',
    '规则“{}”适用于自有地址或曾付款的地址，而其后的规则“{}”要求更低：请将后者排在前面',
  ],
  ['rule {} lets nobody ask who has an approval key', '规则“{}”的发起人都没有审批密钥'],
  ['rule {} limits calls by their value, which their data does not say', '规则“{}”按价值限制合约调用，而调用数据不说明其价值'],
  [
    'rule {} refuses up to a value, and would let through what nobody knows the worth of: bound the rules that let through',
    '规则“{}”拒绝价值不超过上限的付款，估值不明者反会放行：请将上限设在放行的规则中',
  ],
  ['rule {} is for any value', '规则“{}”没有列明价值范围'],
  ['rule {} is for no value', '规则“{}”的价值范围为空'],
  ['says what {} on {} is worth, which the policy does not pin', '估值表列有 {}（{}），而策略未列入该资产'],
  ['says twice what {} on {} is worth', '估值表中 {}（{}）重复'],
  ['takes {} on {} to be worth nothing: say the most that one unit is worth', '估值表将 {}（{}）估为零：请填写每单位的最高价值'],
  ['rule {} waits for longer than it lets orders be open', '规则“{}”的等待时间不短于订单有效期'],
  ['rule {} names a list twice', '规则“{}”有名单重复'],
  ['has two machines of one id', '有两台机器的编号相同'],
  ['has two machines of one name', '有两台机器的名称相同'],
  ['gives one public key to two machines', '两台机器的公钥相同'],
  ['has a machine without a name', '有机器没有名称'],
  ['has a machine of the kind {}, which is none', '有机器的类型 {} 无效'],
  ['has the part {}, which is none', '有无效的工作区策略：{}'],
  ['has two parts of one name', '有两项工作区策略相同'],
  ['part {} asks for no approval: set at least 1', '工作区策略“{}”不需任何审批：请至少设为 1 人'],
  ['part {} asks for {} of {} approvers, which nobody can meet', '工作区策略“{}”需 {} 人审批，而审批人共 {} 人，无法满足'],
  ['part {} names an approver without an approval key', '工作区策略“{}”有审批人没有审批密钥'],
  ['part {} names nobody', '工作区策略“{}”没有列明审批人'],
  ['part {} names a person or a group twice', '工作区策略“{}”有人员或人员组重复'],
  ['part {} names {}, who is not in the policy', '工作区策略“{}”列明的 {} 不在策略之中'],
  ['part {} names the group {}, which is not in the policy', '工作区策略“{}”列明的人员组 {} 不在策略之中'],
  ['rule {} names nobody', '规则“{}”有一处没有列明任何人员'],
  ['rule {} names a person or a group twice', '规则“{}”有人员或人员组重复'],
  ['rule {} names the group {}, which is not in the policy', '规则“{}”列明的人员组 {} 不在策略之中'],
  ['rule {} bounds amounts of any asset of {}: name the asset', '规则“{}”对 {} 的任意资产设了金额：请列明资产'],
  ['rule {} is for payments on {}, of which the policy pins no asset', '规则“{}”用于 {} 上的付款，而策略未列入该网络的任何资产'],
  ['rule {} is for {} on {}, which the policy does not pin', '规则“{}”用于资产 {}（{}），而策略未列入该资产'],
  ['rule {} lets no amount of {} on {} through', '规则“{}”不放行任何金额的 {}（{}）'],
  ['rule {} is for no asset', '规则“{}”没有列明资产'],
  ['rule {} names an asset twice', '规则“{}”有资产重复'],
  ['rule {} is for no destination', '规则“{}”没有列明收款地址'],
  ['rule {} names a destination twice', '规则“{}”有收款地址重复'],
  ['rule {} is for no wallet', '规则“{}”没有列明钱包'],
  ['rule {} names a wallet twice', '规则“{}”有钱包重复'],
  ['rule {} names the time zone {}, which is none', '规则“{}”的时区 {} 无效'],
  ['rule {} is for no day of the week', '规则“{}”没有列明星期'],
  ['rule {} names days of the week that are none, or one twice', '规则“{}”的星期无效或重复'],
  ['rule {} is for a time of the day that ends before it begins', '规则“{}”的时段结束早于开始'],
  ['rule {} has a limit for each {}, which is nothing that limits count', '规则“{}”的限额按 {} 计算，不是有效的统计口径'],
  ['rule {} has a limit over no time', '规则“{}”的限额没有时段'],
  ['rule {} has a limit that limits nothing', '规则“{}”的限额没有任何上限'],
  ['rule {} limits tokens of calls, and is not for calls', '规则“{}”限制了合约调用的代币，而该规则不用于合约调用'],
  ['rule {} limits each destination, and is not for payments', '规则“{}”按收款地址限额，而该规则不用于付款'],
  ['rule {} limits {} on {}, which the policy does not pin', '规则“{}”限制资产 {}（{}），而策略未列入该资产'],
  ['rule {} limits an asset twice', '规则“{}”的限额有资产重复'],
  ['has version {} where {} comes next', '版本为 {}，而下一版本应为 {}'],
  ['names another version as the one before', '所列的上一版本不符'],
  ['names another organisation', '所列的组织不符'],
  [
    'no longer pins an asset of {}: its keys may have signed there, so they must never serve another network of its kind',
    '不再列入 {} 的资产：密钥可能已在该网络签署过，不得再用于其他同类网络',
  ],
  ['no longer names the signers, one of which was replaced', '不再列明签名方，而其中之一已被替换'],
  ['names the signers, none of which is replaced', '列明了签名方，而没有任何签名方被替换'],
  ['needs three signers of which two sign', '须有三个签名方，其中两个共同签署'],
  ['signers are numbered 1, 2, 3 in this order', '签名方须依次编号为 1、2、3'],
  ['two signers share a key', '两个签名方的密钥相同'],
  ['replaces more than one signer: give each its own version of the policy', '一次替换了多个签名方：请逐一分别变更'],
  ['renames a signer that keeps its key', '更改了未更换密钥的签名方名称'],
]

const patternOf = (said: string) =>
  new RegExp(
    `^${said
      .split('{}')
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('(.+)')}$`,
    's',
  )

/** Says in Chinese what was signed or stored in English; undefined for a sentence that is none of these. */
export function sayInChinese(sentences: readonly Said[]): (said: string) => string | undefined {
  const known = sentences.map(([said, chinese]) => ({ pattern: patternOf(said), parts: chinese.split('{}') }))
  return (said) => {
    for (const { pattern, parts } of known) {
      const found = pattern.exec(said)
      if (found) return parts.map((part, i) => (i === 0 ? '' : (found[i] ?? '').replace(' and ', ' 与 ')) + part).join('')
    }
    return undefined
  }
}
