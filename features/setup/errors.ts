import { defineErrors, entry } from '@holdfast/contract'

/** Refusals about an organisation that is being set up. */
export const setupErrors = defineErrors({
  organisation_not_ready: entry(
    '300022',
    'toast',
    'This server has no organisation yet. Open the set-up page first.',
    '本服务器尚未创建组织。请先打开初始化页面。',
  ),
})
