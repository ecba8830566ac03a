import { defineErrors, entry } from '@holdfast/contract'

/** Refusals about batches. */
export const batchTransferErrors = defineErrors({
  too_many_transactions: entry('200066', 'toast', 'At most 1000 transfers fit into one batch. Split the file.', '单批最多 1000 笔转账。请拆分文件。'),
  batch_approve_error: entry(
    '200195',
    'silent',
    'The batch cannot be put up for approval: {reason}. Correct the file and upload it again, or have only the good lines paid.',
    '该批次无法提交审批：{reason}。请更正文件后重新上传，或仅支付正确的行。',
  ),
  batch_lines_not_retryable: entry(
    '300120',
    'toast',
    'Line {line} cannot be asked for again: only a line that ended unpaid can, and once. Load the batch again.',
    '第 {line} 行无法重新发起：仅未付款且已结束的行可重新发起，且仅限一次。请重新加载批次。',
  ),
})
