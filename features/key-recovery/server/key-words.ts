/** What the server says of keys, in words. The parts that follow "… : " stand without a full stop. */
export const keyWords = {
  en_US: {
    notReady: 'the key of this wallet is not ready',
    whichSigner: 'a repair names the one signer that lost its share, and a refresh names none',
    tooFewForYou: 'apart from you, too few people govern the policy to approve this; someone else must propose it',
    policyExpired: 'the policy has expired; change it first',
    expired: 'The time to approve has passed.',
    superseded: 'The policy changed, so the approvals no longer count. Propose it again.',
    replaced: (parties: readonly number[]) => {
      const named = parties.join(', ')
      return `Signer ${named} was replaced before this was done, and its replacement has none of these shares. Repair signer ${named} to give it a share.`
    },
    waiting: (parties: readonly number[]) => `Waiting for signer ${parties.join(', ')} to connect. Nothing is lost; this continues when it is back.`,
    title: (name: string, action: string, wallet: string, lost: string) =>
      action === 'repair'
        ? `${name} asks to give signer ${lost} a new share of the key of ${wallet}`
        : `${name} asks to refresh the shares of the key of ${wallet}`,
    scheduled: (wallet: string) => `The shares of the key of ${wallet} are due for a refresh; the server proposes it on its schedule`,
    schedule: 'the schedule',
    orderTitle: (name: string, action: string, wallet: string) =>
      action === 'retire' ? `${name} asks to retire the key of ${wallet}` : `${name} asks to export the key of ${wallet}`,
    coolingUntil: (time: string) => `Approved. The signers carry it out from ${time}; until then anyone who governs can still reject it on the approval page.`,
    retired: 'the key of this wallet is retired',
    unfinished: (count: number) => `${count} payment(s) from this wallet are still pending; wait for them or cancel them first`,
    holds: (amounts: string) => `the wallet still holds ${amounts}; pay it out first, or confirm that you will use the recovery tool for it`,
    recipient: (text: string) => `this is not the public key of a recovery identity: ${text}`,
    recipients: 'an export names a recipient for at least two signers, and each signer once',
    differentPeople: 'each signer must seal its share to a different person and recipient, so that nobody can rebuild the key alone',
    leaves: (amounts: string) => `Left in the wallet: ${amounts}.`,
    notMember: 'a recipient does not belong to anyone in this organisation',
  },
  zh_CN: {
    notReady: '该钱包的密钥尚未就绪',
    whichSigner: '修复须指明丢失分片的一个签名方，刷新则不指明',
    tooFewForYou: '除您之外可审批的策略审批人不足，请由他人提交',
    policyExpired: '策略已过期，请先变更策略',
    expired: '审批时间已过。',
    superseded: '策略已变更，原审批不再有效。请重新提交。',
    replaced: (parties: readonly number[]) =>
      `签名方 ${parties.join('、')} 在完成前已被替换，新的签名方没有这些分片。请修复签名方 ${parties.join('、')}，使其获得分片。`,
    waiting: (parties: readonly number[]) => `正在等待签名方 ${parties.join('、')} 连接。不会丢失任何内容，恢复连接后自动继续。`,
    title: (name: string, action: string, wallet: string, lost: string) =>
      action === 'repair' ? `${name} 申请为签名方 ${lost} 重新生成 ${wallet} 的密钥分片` : `${name} 申请刷新 ${wallet} 的密钥分片`,
    scheduled: (wallet: string) => `${wallet} 的密钥分片已到刷新时间，由服务器按计划提交`,
    schedule: '定期计划',
    orderTitle: (name: string, action: string, wallet: string) =>
      action === 'retire' ? `${name} 申请停用 ${wallet} 的密钥` : `${name} 申请导出 ${wallet} 的密钥`,
    coolingUntil: (time: string) => `已批准。签名方自 ${time} 起执行；在此之前任一策略审批人仍可在审批页拒绝。`,
    retired: '该钱包的密钥已停用',
    unfinished: (count: number) => `该钱包尚有 ${count} 笔付款未完成，请等待完成或先行取消`,
    holds: (amounts: string) => `该钱包仍持有 ${amounts}；请先转出，或确认将其留给恢复工具处理`,
    recipient: (text: string) => `这不是恢复身份的公钥：${text}`,
    recipients: '导出须为至少两个签名方指定接收方，且每个签名方仅一次',
    differentPeople: '各签名方须将分片加密给不同人员的不同接收方，使任何一人都无法单独还原密钥',
    leaves: (amounts: string) => `钱包中留存：${amounts}。`,
    notMember: '有接收方不属于本组织的任何成员',
  },
} as const

export type KeyWords = (typeof keyWords)['en_US' | 'zh_CN']
