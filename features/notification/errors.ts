import { defineErrors, entry } from '@holdfast/contract'

/** Refusals about webhook endpoints. */
export const notificationErrors = defineErrors({
  too_many_receivers: entry('300060', 'toast', 'There are at most {limit} webhook endpoints. Remove one first.', '最多 {limit} 个回调地址。请先移除一个。'),
})
