import { defineErrors, entry } from '@holdfast/contract'

/** Refusals about batches. */
export const batchTransferErrors = defineErrors({
  too_many_transactions: entry('200066', 'toast', 'A batch can have at most 1000 transfers. Split the file.', '单批最多 1000 笔转账。请拆分文件。'),
  batch_approve_error: entry(
    '200195',
    'silent',
    'The batch cannot be submitted for approval: {reason}. Correct the file and upload it again, or have only the valid lines paid.',
    '该批次无法提交审批：{reason}。请更正文件后重新上传，或仅支付正确的行。',
  ),
  batch_by_contract_error: entry('300193', 'toast', 'The batch cannot be paid by contract: {reason}.', '该批次无法经由合约支付：{reason}。'),
  co_signer_outdated: entry(
    '300195',
    'toast',
    'The batch could never be approved: the co-signer {name} runs version {version}, which does not support batches. Upgrade it to version {since} or later.',
    '该批次将无法获批：协签程序 {name} 的版本 {version} 不支持审批批次。请升级到 {since} 或更高版本后重新启动。',
  ),
  batch_lines_not_retryable: entry(
    '300120',
    'toast',
    'Line {line} cannot be requested again: only a line that ended unpaid can be, and only once. Reload the batch.',
    '第 {line} 行无法重新发起：仅未付款且已结束的行可重新发起，且仅限一次。请重新加载批次。',
  ),
})
