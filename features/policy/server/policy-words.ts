import type { Language } from '@holdfast/contract'
import { nameOfPart, STANDING_FAULTS } from '@holdfast/policy'
import { POLICY_FAULTS, sayInChinese } from '@holdfast/policy/policy-faults'
import type { BrokenQuorum, Place } from './quorum-health.ts'

const faultInChinese = sayInChinese([...POLICY_FAULTS, ...STANDING_FAULTS])

const placeInEnglish = (place: Place): string =>
  place.where === 'rule' ? `rule “${place.name}”` : place.where === 'part' ? `changes of ${nameOfPart(place.id, 'en-US')}` : 'changing the policy'

const placeInChinese = (place: Place): string =>
  place.where === 'rule' ? `规则“${place.name}”` : place.where === 'part' ? `更改${nameOfPart(place.id, 'zh-CN')}` : '策略变更'

/** Why a proposed policy cannot be, and what is broken in one, in words. The parts follow "… : " and stand without a full stop. */
export const policyWords = {
  en_US: {
    separator: ', ',
    nothing: 'it changes nothing',
    fault: (said: string) => said,
    stale: 'the policy has changed since you started; review it again',
    unknownRule: (id: string) => `the policy has no rule “${id}”`,
    missingRule: (id: string) => `rule “${id}” is missing`,
    unreadWallets: (symbol: string) =>
      `the network does not tell now of which code the wallets of ${symbol} are, and the policy pins that with the token: try again when it answers`,
    unknownAsset: (asset: string) => `${asset} is not an asset that this server supports and the policy does not name yet`,
    noNetwork: (chain: string) => `this server has no network ${chain}`,
    noAddress: (text: string) => `${text} is not a valid address on the network`,
    noAmount: (text: string) => `${text} is not a valid amount of the network's coin`,
    unknownPerson: 'it names someone who is not a member of the organisation',
    inactive: (name: string) => `${name} is suspended or removed`,
    noKey: (name: string) => `${name} has no approval key: they must create one on the approval page first`,
    unknownPage: (page: string) => `${page} is neither an approval page of the policy nor one that a connected signer serves`,
    noRecipient: (text: string) => `${text}… is not an age recipient: copy it whole, as it was shown to the officer`,
    officerTwice: 'a recovery recipient is named twice: give each signer officers of its own',
    fewOfficers: (party: number, needed: number, named: number) =>
      `signer ${party} would have ${named} recovery ${named === 1 ? 'recipient' : 'recipients'}, so ${needed} of them could never come together`,
    noKeyAtPages: (name: string) => `${name} would have no approval key on any remaining page: they must create one there first, and the policy must name it`,
    unconfirmedKey: (name: string) => `${name} has not confirmed the new approval key: they do so on their own member page, while signed in`,
    unknownKey: 'it names an approval key that nobody here has created',
    strangerKey: 'it adds a key of someone whom the policy would not name',
    twice: (where: string) => `${where} names a person twice`,
    nobodyAsks: (where: string) => `${where} lets nobody ask`,
    tooMany: (where: string, threshold: number, others: number) =>
      `${where} requires ${threshold} approvals, but apart from the requester only ${others} can approve; the requester never counts`,
    splitKeys: 'taking keys away and changing who governs are two changes: propose one after the other',
    tooMuch: (said: string) => `it holds more than a version can (${said}): take something out first`,
    tooLong: 'it is longer than a version can be: take out people, rules or assets that are not needed any more',
    littleRoom: (version: string) =>
      `there are ${version} versions, and the record of all of them, which every recovery kit holds, is nearly full: what is left is kept for replacing signers, extending the validity and taking rights away. To allow more, found a new organisation and move the funds to it`,
    noRoom: (version: string) =>
      `there are ${version} versions, and the record of all of them, which every recovery kit holds, is full: found a new organisation and move the funds to it`,
    tooFewForYou: 'apart from you, too few people govern the policy to approve this; someone else must propose it',
    rule: (id: string) => `rule “${id}”`,
    governance: 'changing the policy',
    place: placeInEnglish,
    broken: ({ threshold, approvers, ...place }: BrokenQuorum, names: string) => {
      const needs = `${placeInEnglish(place)} ${place.where === 'part' ? 'need' : 'needs'} ${threshold} ${threshold === 1 ? 'approval' : 'approvals'}`
      return `${needs} apart from the requester's, and ${approvers.length === 0 ? 'nobody' : `only ${names}`} could give one`
    },
    decidesFor: (delegate: string, delegator: string, until: string) => `${delegate} decides on behalf of ${delegator} until ${until}`,
    goesOn: (broken: string, decided: string) => `${broken}; it can still be approved: ${decided}`,
    approves: (places: string) => `approver of ${places}`,
    asks: (rules: string) => `may make requests under ${rules}`,
    stops: (rules: string) => `may stop orders of ${rules}`,
    governs: 'governs the policy',
    standsIn: 'may decide for members who are away',
    outdated: (calls: string) =>
      `${calls}. This rule has no limit for tokens, so nothing that moves tokens or gives rights is let through by it, and without functions nothing at all. Renew it: end it, and add a rule with its functions and a limit in the same change.`,
    expired: 'the time to approve has passed',
    superseded: (version: string) => `version ${version} came into force first`,
    waiting: (online: number, need: number) => `Waiting for signers: ${online} connected, ${need} needed.`,
    loosens: (until: string) => `It loosens the policy: the signers apply it from ${until}, and until then it can be stopped.`,
    signerOrder: {
      policyExpired: 'the policy in force has expired; replace it first',
      otherAway: (party: number) => `signer ${party} is already declared away, and at most one can be`,
      noFreeze: 'it names a freeze that is not in force',
      asks: (name: string, title: string) => `${name} asks: ${title}`,
      waits: (missing: string) => `Waiting for signer ${missing}.`,
      superseded: 'the policy has changed in the meantime; request it again',
      tooLong: 'its entries are too long for one order; request fewer at once',
    },
    closing: {
      pay: (amount: string, to: string) => `Payment of ${amount} to ${to}`,
      cancel: (amount: string, to: string) => `Cancellation of the payment of ${amount} to ${to}`,
      speedUp: (amount: string, to: string) => `Speed-up of the payment of ${amount} to ${to}`,
      other: (amount: string, to: string) => `Order about ${amount}, ${to}`,
    },
  },
  zh_CN: {
    separator: '、',
    nothing: '没有任何改动',
    // What is not known here, such as what a chain says of a function, stays as it was said.
    fault: (said: string) => faultInChinese(said) ?? said,
    stale: '在您编辑期间策略已变更，请重新查看',
    unknownRule: (id: string) => `策略中没有规则“${id}”`,
    missingRule: (id: string) => `缺少规则“${id}”`,
    unreadWallets: (symbol: string) => `网络暂未返回 ${symbol} 代币钱包的合约代码，而策略须随代币一并固定该代码：请在网络恢复后重试`,
    unknownAsset: (asset: string) => `${asset} 不在本服务器支持且策略尚未列入的资产之中`,
    noNetwork: (chain: string) => `本服务器没有网络 ${chain}`,
    noAddress: (text: string) => `${text} 不是该网络的地址`,
    noAmount: (text: string) => `${text} 不是该网络主币的有效数额`,
    unknownPerson: '包含不属于本组织的人员',
    inactive: (name: string) => `${name} 已停用或已移除`,
    noKey: (name: string) => `${name} 没有审批密钥，请先让其在审批页面创建`,
    unknownPage: (page: string) => `${page} 既不是策略中的审批页面，也不由任何在线签名方提供`,
    noRecipient: (text: string) => `${text}… 不是 age 接收方：请按负责人所见完整复制`,
    officerTwice: '有恢复接收方重复：各签名方须有各自的负责人',
    fewOfficers: (party: number, needed: number, named: number) => `签名方 ${party} 只有 ${named} 个恢复接收方，无法凑齐 ${needed} 个`,
    noKeyAtPages: (name: string) => `${name} 在保留的审批页面上没有密钥，请先让其在该页面创建密钥并写入策略`,
    unconfirmedKey: (name: string) => `${name} 尚未确认新的审批密钥，请其登录后在本人的成员页面确认`,
    unknownKey: '包含本组织无人创建的审批密钥',
    strangerKey: '为策略中不存在的人员添加了密钥',
    twice: (where: string) => `${where}中有人员重复`,
    nobodyAsks: (where: string) => `${where}没有任何发起人`,
    tooMany: (where: string, threshold: number, others: number) => `${where}需要 ${threshold} 人审批，但除发起人外仅 ${others} 人可审批；发起人不计入审批`,
    splitKeys: '停用密钥与更换策略审批人须分两次变更，请依次提交',
    tooMuch: (said: string) => `内容超出单个版本的上限（${said}），请先移除一部分`,
    tooLong: '内容超出单个版本的长度上限，请移除不再需要的人员、规则或资产',
    littleRoom: (version: string) =>
      `策略已有 ${version} 个版本，其完整记录随每份恢复包保存，现已接近上限：剩余空间仅用于更换签名方、延长有效期及收回权限。如需放宽策略，请创建新组织并转移资金`,
    noRoom: (version: string) => `策略已有 ${version} 个版本，其完整记录随每份恢复包保存，现已达到上限：请创建新组织并转移资金`,
    tooFewForYou: '除您之外可审批策略变更的人数不足，请由他人提交',
    rule: (id: string) => `规则“${id}”`,
    governance: '策略变更',
    place: placeInChinese,
    broken: ({ threshold, approvers, ...place }: BrokenQuorum, names: string) =>
      `${placeInChinese(place)}除发起人外需 ${threshold} 人审批，而${approvers.length === 0 ? '无人' : `仅 ${names}`} 可审批`,
    decidesFor: (delegate: string, delegator: string, until: string) => `${delegate} 代 ${delegator} 审批至 ${until}`,
    goesOn: (broken: string, decided: string) => `${broken}；但仍可完成审批：${decided}`,
    approves: (places: string) => `${places} 的审批人`,
    asks: (rules: string) => `可按 ${rules} 发起付款`,
    stops: (rules: string) => `可叫停 ${rules} 的订单`,
    governs: '策略审批人',
    standsIn: '可代外出成员审批',
    outdated: (calls: string) =>
      `${calls}。该规则没有代币限额，凡转移代币或授予权限的调用均不予放行；未列明函数的，一律不予放行。请更新：在同一次变更中终止该规则，并添加列明函数与限额的新规则。`,
    expired: '审批时间已过',
    superseded: (version: string) => `版本 ${version} 已先行生效`,
    waiting: (online: number, need: number) => `等待签名方：已连接 ${online} 个，需要 ${need} 个。`,
    loosens: (until: string) => `此变更放宽策略：签名方自 ${until} 起执行，在此之前可予以否决。`,
    signerOrder: {
      policyExpired: '当前策略已过期，请先更换策略',
      otherAway: (party: number) => `签名方 ${party} 已处于离线授权中，同一时间至多一个`,
      noFreeze: '所列冻结并未生效',
      asks: (name: string, title: string) => `${name} 申请：${title}`,
      waits: (missing: string) => `等待签名方 ${missing}。`,
      superseded: '策略已变更，请重新提交',
      tooLong: '条目内容过长，请减少单次提交的数量',
    },
    closing: {
      pay: (amount: string, to: string) => `付款 ${amount} 至 ${to}`,
      cancel: (amount: string, to: string) => `取消付款 ${amount} 至 ${to}`,
      speedUp: (amount: string, to: string) => `加速付款 ${amount} 至 ${to}`,
      other: (amount: string, to: string) => `订单 ${amount}，${to}`,
    },
  },
} as const satisfies Record<Language, unknown>

export type PolicyWords = (typeof policyWords)[Language]
