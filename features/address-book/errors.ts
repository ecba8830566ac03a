import { defineErrors, entry } from '@holdfast/contract'

/** Refusals about entries of the address book. */
export const addressBookErrors = defineErrors({
  address_duplicate: entry('200137', 'silent', 'This address is already in the book. Open the existing entry.', '该地址已在地址簿中。请打开已有记录。'),
  address_in_approval: entry('200139', 'silent', 'This address is already waiting for approval. Wait for the decision.', '该地址正在审批中。请等待审批结果。'),
  whitelist_deletion: entry(
    '200140',
    'silent',
    'A strategy uses this whitelist entry. Its deletion needs an approval.',
    '策略正在使用该白名单地址。删除需要审批。',
  ),
  address_fixed: entry(
    '300101',
    'toast',
    "An entry's address cannot be changed. Add a new entry and remove this one.",
    '条目的地址不可修改。请新建条目，并移除此条目。',
  ),
  entry_listed: entry(
    '300102',
    'toast',
    'The signers hold this entry as it is. Remove it from the whitelist first, or add a new one.',
    '签名方已按现有内容保存此条目。请先将其移出白名单，或新建条目。',
  ),
  not_verified: entry('300103', 'toast', 'This does not prove it: {reason}.', '无法据此验证：{reason}。'),
  cooling_period: entry(
    '300001',
    'toast',
    'This destination is in its waiting period until {usable_at}. Use it after that.',
    '该地址处于冷却期，{usable_at} 之后可用。',
  ),
})
