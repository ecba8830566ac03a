import { defineErrors, entry } from '@holdfast/contract'

/** Refusals about wallets, sub-wallets and their coins. */
export const walletErrors = defineErrors({
  no_wallet_permission: entry(
    '200004',
    'clear-selection',
    'You have no rights in this wallet. Choose another wallet, or ask an administrator to add you.',
    '您没有该钱包的权限。请选择其他钱包，或联系管理员添加。',
  ),
  wallet_changed: entry('200125', 'clear-or-refresh', 'This wallet has changed. Choose it again.', '该钱包已变更。请重新选择。'),
  sub_wallet_being_created: entry(
    '200007',
    'toast',
    'The wallet is still being created. Wait a moment and reload the list.',
    '钱包正在创建中。请稍后刷新列表。',
  ),
  too_many_sub_wallets: entry(
    '200008',
    'toast',
    'This wallet has the maximum number of sub-wallets for one key. Create another wallet for more.',
    '该钱包的子钱包数量已达单个密钥的上限。如需更多，请新建一个钱包。',
  ),
  wallet_expired: entry('200040', 'toast', 'The package of this wallet has expired. Renew it to go on.', '该钱包的套餐已过期。请续费后继续。'),
  wallet_retired: entry(
    '300072',
    'toast',
    "This wallet's key is retired: it cannot pay and gets no new addresses. Use another wallet; remaining funds can be moved with the recovery tool.",
    '该钱包的密钥已停用，不能付款也不再生成新地址。请使用其他钱包；余留资产请用恢复工具转出。',
  ),
  wallet_holds_value: entry(
    '300077',
    'toast',
    'This wallet holds {held}, so it stays in the lists. Pay it out first, then archive it.',
    '该钱包仍持有 {held}，须保留在列表中。请先转出，再归档。',
  ),
  wallet_has_orders: entry(
    '300078',
    'toast',
    'This wallet has {count} open order(s), so it stays in the lists. Wait for them or cancel them, then archive it.',
    '该钱包尚有 {count} 笔未完成的申请，须保留在列表中。请等待完成或撤回后再归档。',
  ),
  coin_application_duplicate: entry('100181', 'silent', 'You have already applied for this coin. Wait for the decision.', '您已申请过该币种。请等待审核结果。'),
  coin_exists: entry('100180', 'silent', 'This coin is already available. Search for it in the list.', '该币种已存在。请在列表中搜索。'),
})
