import { defineErrors, entry } from '@holdfast/contract'

/** Refusals about collection by contract. */
export const collectionErrors = defineErrors({
  collector_not_evm: entry(
    '300170',
    'toast',
    'A collector contract works on EVM networks only. Choose one of them.',
    '归集合约仅支持 EVM 网络。请选择 EVM 网络。',
  ),
  collector_fixed: entry(
    '300171',
    'toast',
    "A collector's target is fixed in its code, and approval has already been requested. Draft another collector.",
    '归集地址已固定在合约代码中且已提交审批，不能更改。请新建归集合约。',
  ),
  collector_no_tokens: entry('300172', 'toast', 'This collector has no tokens yet. Add one first.', '尚未添加归集代币。请先添加。'),
  collector_allowed: entry(
    '300173',
    'toast',
    'Addresses still have allowances for this collector. Pause it and revoke them first.',
    '仍有地址授权该归集合约。请先暂停并撤销授权。',
  ),
  collector_same_payer: entry(
    '300174',
    'toast',
    'The fee-paying sub-wallet is not collected from, so the wallet needs another sub-wallet that is. Create one first.',
    '手续费子钱包不参与归集，钱包中需另有可归集的子钱包。请先创建。',
  ),
  collector_token: entry('300175', 'toast', 'These settings for {symbol} are not possible: {reason}.', '{symbol} 的设置有误：{reason}。'),
  collector_many_parts: entry(
    '300176',
    'toast',
    'A wallet with more than 64 sub-wallets can only be collected from as a whole. Use a sub-wallet of another wallet to pay fees and to receive.',
    '子钱包超过 64 个时须按整个钱包归集。请由其他钱包的子钱包支付手续费并接收归集。',
  ),
  collector_duplicate: entry(
    '300177',
    'toast',
    'This wallet already has a collector with this target on this network. Add the tokens there.',
    '该钱包在此网络上已有相同归集地址的合约。请在该合约中添加代币。',
  ),
  collector_no_delegation: entry(
    '300178',
    'toast',
    'Accounts on this network are not known to support delegation (EIP-7702). Choose allowances.',
    '尚未确认该网络的账户支持委托（EIP-7702）。请选择授权额度方式。',
  ),
  collector_delegated: entry(
    '300179',
    'toast',
    'Addresses still delegate to this contract, or have signed a delegation. Pause it and end the delegations first.',
    '仍有地址委托给该归集合约，或已签署委托。请先暂停并终止委托。',
  ),
})
