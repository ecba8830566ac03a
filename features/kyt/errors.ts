import { defineErrors, entry } from '@holdfast/contract'

/** Refusals about screening. */
export const kytErrors = defineErrors({
  kyt_duplicate: entry('200170', 'silent', 'This screening request is already running. Wait for the result.', '该风险筛查请求正在进行。请等待结果。'),
  kyt_review_duplicate: entry('100023', 'silent', 'This screening result was already decided. Reload the list.', '该筛查结果已处理。请刷新列表。'),
})
