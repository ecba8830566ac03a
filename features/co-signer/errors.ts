import { defineErrors, entry } from '@holdfast/contract'

/** Refusals about the collection of a wallet. */
export const coSignerErrors = defineErrors({
  collecting_same_sub_wallet: entry(
    '300140',
    'toast',
    'The same sub-wallet cannot both collect and pay fees. Choose a different one for one of them.',
    '归集子钱包与手续费子钱包不能相同。请另选其一。',
  ),
  collecting_incomplete: entry('300141', 'toast', 'Collection is not set up yet: {missing}.', '归集尚未配置完成：{missing}。'),
  collecting_rules_full: entry(
    '300142',
    'toast',
    'A wallet can have rules for up to 64 coins. Remove one first.',
    '每个钱包最多为 64 个币种设置归集规则。请先移除一个。',
  ),
  collecting_rule_amounts: entry('300143', 'toast', 'The rule of {symbol} cannot be set: {reason}.', '{symbol} 的规则有误：{reason}。'),
  collecting_no_rule: entry('300144', 'toast', 'There is no rule for this coin. Set one first.', '该币种没有归集规则。请先设置。'),
  collecting_many_parts: entry(
    '300145',
    'toast',
    'A wallet can fuel up to 64 of its own sub-wallets. Let a sub-wallet of another wallet pay fees, or choose fewer.',
    '手续费子钱包与归集范围同属一个钱包时，最多支持 64 个子钱包。请改用其他钱包支付手续费，或减少子钱包。',
  ),
  collecting_import_wrong: entry(
    '300146',
    'toast',
    'Some lines of this file have errors, so nothing was imported. Correct them and upload the file again.',
    '文件中有错误的行。请修正后重新导入，当前未作任何更改。',
  ),
  collecting_not_raised: entry('300192', 'toast', 'The fee of this transfer cannot be raised: {reason}.', '无法提高该笔转账的手续费：{reason}。'),
  collecting_not_one_address: entry(
    '300147',
    'toast',
    'These deposits belong to several addresses or coins. Choose deposits of one address and one coin.',
    '所选充值不属于同一地址和币种。请选择同一地址、同一币种的充值。',
  ),
  collecting_by_contract: entry(
    '300148',
    'toast',
    'A sweeping contract already collects {symbol}. Switch it off there first.',
    '{symbol} 已由归集合约归集。请先在归集合约中关闭该币种。',
  ),
  collecting_fuel_returns: entry(
    '300149',
    'toast',
    'Up to {limit} {coin} sent for fees of {symbol} would be collected again, from {least} on. Lower that limit, or raise the minimum of {coin}.',
    '为 {symbol} 补充的手续费（最多 {limit} {coin}）达到 {least} 即会被再次归集。请调低该上限，或调高 {coin} 的归集起点。',
  ),
})
