import { addressText, defineEndpoint, idListText, idText, jsonField, keywordText, labelText, pageNumber, pageSize, remarkText } from '@holdfast/contract'
import { lastScreening } from '@holdfast/features/kyt/contract'
import * as z from 'zod'
import { IMPORT_MAX, importResult, importRow, similarAddress } from './entry-contract.ts'

export * from './book-contract.ts'
export { IMPORT_MAX } from './entry-contract.ts'

const chainText = z.string().max(64)
const memoText = z.union([z.literal(''), labelText(200)])

export const personalEntry = z.object({
  id: z.string(),
  name: z.string(),
  chain: z.string(),
  network: z.string(),
  base_symbol: z.string(),
  address: z.string(),
  memo: z.string(),
  note: z.string(),
  last_used_at: z.int().nullable().describe('When the person last asked to pay it'),
  kyt: lastScreening,
  similar: z.boolean().describe('Looks like another entry of this book, or of the organisation’s'),
  created_at: z.int(),
})

export const listPersonalBook = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/personal_book/list',
  permission: 'member',
  staleOn: ['contact.changed', 'book.changed', 'order.changed', 'batch.changed'],
  summary: "The person's own contacts",
  input: z.object({ keyword: keywordText.optional(), chain: chainText.optional(), page_no: pageNumber, page_size: pageSize }),
  output: z.object({ pageTotal: z.int(), list: z.array(personalEntry) }),
})

export const checkPersonalAddress = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/personal_book/check',
  permission: 'member',
  staleOn: ['contact.changed'],
  summary: 'Whether an address can be put into the book, and what it looks like',
  input: z.object({ chain: chainText, address: addressText, memo: memoText.default('') }),
  output: z.object({ valid: z.boolean(), canonical: z.string().nullable(), duplicate_of: z.string().nullable(), similar_to: z.array(similarAddress) }),
})

export const savePersonal = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/personal_book/save',
  permission: 'member',
  changes: ['contact.changed'],
  summary: 'Adds a contact, or changes one',
  input: z.object({
    id: idText.optional(),
    name: labelText(50),
    chain: chainText,
    address: addressText,
    memo: memoText.default(''),
    note: remarkText(200).default(''),
    ack: z.enum(['', 'lookalike']).default('').describe('That it looks like another address is known and meant'),
  }),
  output: z.object({ id: z.string() }),
  tenantParameters: ['id'],
})

export const removePersonal = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/personal_book/delete',
  permission: 'member',
  changes: ['contact.changed'],
  summary: 'Removes contacts',
  input: z.object({ ids: idListText() }),
  output: z.object({ removed: z.int() }),
  tenantParameters: ['ids'],
})

export const importPersonal = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/personal_book/import',
  permission: 'member',
  changes: ['contact.changed'],
  summary: 'Adds many contacts; says of each line what became of it',
  input: z.object({ rows: jsonField(z.array(importRow).min(1).max(IMPORT_MAX)) }),
  output: z.object({
    added: z.int(),
    results: z.array(importResult),
  }),
  maxBodyBytes: 1 << 20,
})
