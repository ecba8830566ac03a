import { defineErrors, entry } from '@holdfast/contract'

/** Refusals about calls of contracts and allowances. */
export const contractCallErrors = defineErrors({
  call_not_acknowledged: entry(
    '300084',
    'toast',
    'This call grants rights over your assets, takes something, or cannot be decoded. Read its warnings and confirm that you want to make it.',
    '该调用将授予权限、转出资产或无法解读。请阅读警告并确认。',
  ),
  allowance_unbounded: entry(
    '300194',
    'toast',
    'Unlimited allowances cannot be requested here: name the amount that the batch pays. For more, request an ordinary call of the token.',
    '此处不申请无限额授权：请填写该批次的付款金额。如确有需要，请发起普通的代币合约调用。',
  ),
  authorise_data_error: entry('200192', 'silent', 'The data for the allowance could not be fetched. Try again in a moment.', '获取授权数据失败。请稍后重试。'),
  swap_authorise_processing: entry(
    '200191',
    'silent',
    'The allowance for the swap is being processed. Wait until it is confirmed.',
    '兑换授权处理中。请等待确认。',
  ),
})
