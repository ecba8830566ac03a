import { defineErrors, entry } from '@holdfast/contract'

/** What the door for programs refuses of a key. */
export const apiKeyErrors = defineErrors({
  key_off: entry(
    '300570',
    'toast',
    'This API key is switched off. Two people of your organisation can switch it on, on the API keys page.',
    '该 API 密钥已停用。请由所属组织的两位成员在 API 密钥页面重新启用。',
    403,
  ),
  key_expired: entry(
    '300571',
    'toast',
    'This API key has expired. Propose a later expiry on the API keys page, or create another key.',
    '该 API 密钥已过期。请在 API 密钥页面申请延长有效期，或创建新的密钥。',
    403,
  ),
  key_not_permitted: entry(
    '300572',
    'toast',
    'This API key lacks the permission "{permission}". Add it on the API keys page.',
    '该 API 密钥没有“{permission}”权限。请在 API 密钥页面申请。',
    403,
  ),
  key_needs_another_person: entry(
    '300573',
    'toast',
    'You requested these settings yourself. Another person who may change API keys must confirm them.',
    '该设置由您本人提交，请由另一位有 API 密钥管理权限的成员确认。',
  ),
})
