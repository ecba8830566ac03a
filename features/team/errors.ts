import { defineErrors, entry } from '@holdfast/contract'

/** Refusals about members and their roles. */
export const teamErrors = defineErrors({
  account_taken: entry('300020', 'toast', 'This account name is taken. Choose another one.', '该账号名已被使用。请更换一个。'),
  last_owner: entry(
    '300054',
    'toast',
    'This is the last active owner. Make someone else an owner first.',
    '这是最后一位有效的所有者。请先将其他成员设为所有者。',
  ),
  own_account: entry(
    '300055',
    'toast',
    'You cannot do this to your own account. Ask another owner or administrator.',
    '不能对自己的账号执行此操作。请联系其他所有者或管理员。',
  ),
  owner_only: entry(
    '300056',
    'toast',
    'Only an owner may do this to an owner, or make someone an owner. Ask an owner.',
    '只有所有者可以变更所有者或授予所有者角色。请联系所有者。',
  ),
  quorum_would_break: entry(
    '300052',
    'toast',
    'This would leave approvals that nobody could complete: {reason}. Propose a policy change first.',
    '此操作会使审批无法完成：{reason}。请先提交策略变更。',
  ),
  named_in_policy: entry(
    '300053',
    'toast',
    'The policy still names {name}: {reason}. First propose a policy change without this person, because the signers follow only the policy.',
    '策略中仍有 {name}：{reason}。签名方只以策略为准，请先提交不含此人的策略变更。',
  ),
})
