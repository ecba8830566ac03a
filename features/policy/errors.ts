import { defineErrors, entry } from '@holdfast/contract'

/** Refusals about the policy, changes of it and orders to the signers. */
export const policyErrors = defineErrors({
  policy_change_open: entry(
    '300050',
    'toast',
    'A policy change is already waiting for approvals. Decide or withdraw it, then propose again.',
    '已有一项策略变更在等待审批。请先完成审批或撤回，再提交新的变更。',
  ),
  policy_refused: entry('300051', 'toast', 'The policy cannot be changed like this: {reason}.', '策略不能这样修改：{reason}。'),
  signer_order_open: entry(
    '300073',
    'toast',
    'Such a signer order is already waiting. Decide or withdraw it, then request it again.',
    '已有一项同类的签名方指令正在等待处理。请先完成审批或撤回，再重新提交。',
  ),
  signer_order_refused: entry('300074', 'toast', 'The signers cannot be given this order: {reason}.', '无法向签名方下达该指令：{reason}。'),
  strategy_blocked: entry(
    '300002',
    'toast',
    'The approval strategy refuses this order: {reason} Change the order, or propose a change to the strategy.',
    '审批策略拒绝该订单：{reason}请修改订单，或提议修改策略。',
  ),
  strategy_personnel_error: entry('200143', 'silent', 'The people chosen cannot meet this strategy: {reason}.', '所选人员无法完成该策略：{reason}。'),
  decided_by_key: entry(
    '300184',
    'toast',
    'Open {url} and decide there with your approval key: a policy change cannot be decided in the console.',
    '请打开 {url}，在该审批页面使用审批密钥决定：控制台的任何调用都不能审批策略变更。',
  ),
  strategy_rejected: entry('200145', 'silent', 'This strategy change was rejected. Open it to see why.', '该策略变更已被拒绝。请打开查看原因。'),
})
