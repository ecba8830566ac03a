import { defineErrors, entry } from '@holdfast/contract'

/** Refusals about the record of orders and deposits. */
export const transactionErrors = defineErrors({
  receipts_busy: entry(
    '300090',
    'toast',
    'Many receipts are being created right now. Wait a few seconds and try again.',
    '当前正在生成的回单较多。请等待几秒后重新获取。',
    503,
  ),
})
