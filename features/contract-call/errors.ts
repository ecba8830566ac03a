import { defineErrors, entry } from '@holdfast/contract'

/** Refusals about calls of contracts and allowances. */
export const contractCallErrors = defineErrors({
  call_not_acknowledged: entry(
    '300084',
    'toast',
    'This call gives rights over what you have, takes something, or cannot be read. Read its warnings and confirm that you mean it.',
    '该调用将授予权限、转出资产或无法解读。请阅读警告并确认。',
  ),
  authorise_data_error: entry('200192', 'silent', 'The data for the allowance could not be fetched. Try again in a moment.', '获取授权数据失败。请稍后重试。'),
  swap_authorise_processing: entry(
    '200191',
    'silent',
    'The allowance for the swap is being processed. Wait until it is confirmed.',
    '兑换授权处理中。请等待确认。',
  ),
})
