import { defineErrors, entry } from '@holdfast/contract'

/** What the door for programs refuses of a key. */
export const apiKeyErrors = defineErrors({
  key_off: entry(
    '300570',
    'toast',
    'This API key is switched off. Have two people of your organisation switch it on at the page of API keys.',
    '该 API 密钥已停用。请由所属组织的两位成员在 API 密钥页面重新启用。',
    403,
  ),
  key_expired: entry(
    '300571',
    'toast',
    'This API key has expired. Propose a later end for it at the page of API keys, or make another.',
    '该 API 密钥已过期。请在 API 密钥页面申请延长有效期，或创建新的密钥。',
    403,
  ),
  key_not_permitted: entry(
    '300572',
    'toast',
    'This API key has no permission "{permission}". Propose it for the key at the page of API keys.',
    '该 API 密钥没有“{permission}”权限。请在 API 密钥页面申请。',
    403,
  ),
  key_needs_another_person: entry(
    '300573',
    'toast',
    'You asked for these settings yourself. Have another person who may write API keys confirm them.',
    '该设置由您本人提交，请由另一位有 API 密钥管理权限的成员确认。',
  ),
})
