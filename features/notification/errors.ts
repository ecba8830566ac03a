import { defineErrors, entry } from '@holdfast/contract'

/** Refusals about webhook endpoints. */
export const notificationErrors = defineErrors({
  too_many_receivers: entry('300060', 'toast', 'You can have up to {limit} webhook endpoints. Remove one first.', '最多 {limit} 个回调地址。请先移除一个。'),
  endpoint_of_key: entry(
    '300061',
    'toast',
    "This address belongs to the API key {app_id}. Change it in that key's settings, on the API keys page.",
    '此回调地址属于 API 密钥 {app_id}，请在 API 密钥页面的该密钥设置中修改。',
  ),
})
