import {
  addressText,
  defineEndpoint,
  idListText,
  idText,
  jsonField,
  keywordText,
  labelText,
  pageNumber,
  pageSize,
  remarkText,
  requestIdText,
  totpText,
  wholeNumberText,
} from '@holdfast/contract'
import * as z from 'zod'
import { lastScreening } from '@holdfast/features/kyt/contract'
import { IMPORT_MAX, importResult, importRow, similarAddress } from './entry-contract.ts'

// The calls of the organisation's address book. Which of its entries count as listed, signers decide by their own list.

const chainText = z.string().max(64)
const memoText = z.union([z.literal(''), labelText(200)])
const chainsField = jsonField(z.array(chainText.min(1)).min(1).max(16))
const named = z.object({ person_id: z.string(), name: z.string() })

/**
 * `none`: a name only. `auditing`: people are asked to put it on the whitelist. `cooling`: it is on it, and counts from `usable_at` on. `active`: it counts.
 * `deleting`: people are asked to take it off. `disabled`: it was taken off.
 */
export const whitelistStatuses = ['none', 'auditing', 'cooling', 'active', 'deleting', 'disabled'] as const
export const verifications = ['satoshi_test', 'signature', 'call_back'] as const

const verified = z.object({ type: z.enum(verifications), at: z.int(), by: z.string(), proof: z.string() }).nullable()

export const bookEntry = z.object({
  id: z.string(),
  name: z.string(),
  group_id: z.string().nullable(),
  group: z.string().nullable(),
  address: z.string(),
  chains: z.array(z.object({ chain: z.string(), network: z.string(), base_symbol: z.string() })),
  memo: z.string(),
  note: z.string(),
  vasp: z.string().describe('Who keeps it, such as an exchange'),
  whitelist_status: z.enum(whitelistStatuses),
  usable_at: z.int().nullable().describe('From when it counts, while it is in its waiting period'),
  listed_at: z.int().nullable(),
  order_id: z.string().nullable().describe('The order that people are asked to approve'),
  approval_url: z.string().nullable(),
  verify: verified,
  kyt: lastScreening,
  needs_review: z.boolean().describe('Not used, nor looked at, for 180 days'),
  use_count: z.int(),
  last_used_at: z.int().nullable(),
  created_by: named,
  created_at: z.int(),
})

const reading = { method: 'GET', permission: 'address_book.read', staleOn: ['book.changed', 'order.changed', 'batch.changed'] } as const
const writing = { method: 'POST', permission: 'address_book.write' } as const
const status = z.enum(whitelistStatuses)

export const listBook = defineEndpoint({
  ...reading,
  path: '/api/mpc/address_book/list',
  summary: "The organisation's address book, by name",
  input: z.object({
    keyword: keywordText.optional(),
    chain: chainText.optional(),
    whitelist_status: status.optional(),
    group_id: idText.optional(),
    review: z.enum(['0', '1']).optional().describe('Only what asks for a review'),
    page_no: pageNumber,
    page_size: pageSize,
  }),
  output: z.object({ pageTotal: z.int(), list: z.array(bookEntry) }),
  tenantParameters: ['group_id'],
})

export const getBookEntry = defineEndpoint({
  ...reading,
  path: '/api/mpc/address_book/info',
  summary: 'An entry of the address book',
  input: z.object({ id: idText }),
  output: bookEntry,
  tenantParameters: ['id'],
})

export const searchBook = defineEndpoint({
  ...reading,
  path: '/api/mpc/address_book/search',
  summary: 'Entries that can be paid on a network, for the field of a destination',
  input: z.object({ keyword: keywordText.default(''), chain: chainText }),
  output: z.object({
    list: z.array(
      z.object({ id: z.string(), name: z.string(), address: z.string(), memo: z.string(), whitelist_status: status, usable_at: z.int().nullable() }),
    ),
  }),
})

export const checkBookAddress = defineEndpoint({
  ...reading,
  staleOn: ['book.changed'],
  path: '/api/mpc/address_book/check',
  summary: 'Whether an address can be put into the book, and what it looks like',
  input: z.object({ address: addressText, chain: chainText, memo: memoText.default('') }),
  output: z.object({
    valid: z.boolean(),
    canonical: z.string().nullable(),
    duplicate_id: z.string().nullable(),
    duplicate_of: z.string().nullable(),
    in_flow: z.boolean().describe('Whether people are asked about the entry that has it'),
    similar: z.array(similarAddress),
  }),
})

const proposed = z.object({ trade_no: z.string().nullable(), approval_url: z.string().nullable() })
const asked = { request_id: requestIdText, google_code: totpText.optional() }

export const saveBookEntry = defineEndpoint({
  ...writing,
  path: '/api/mpc/address_book/save',
  changes: ['book.changed', 'todo.changed'],
  summary: 'Adds an entry, or changes its words; asks to put a new one on the whitelist',
  input: z.object({
    ...asked,
    id: idText.optional(),
    name: labelText(50),
    address: addressText,
    chains: chainsField,
    memo: memoText.default(''),
    group_id: idText.optional(),
    note: remarkText(200).default(''),
    vasp: z.union([z.literal(''), labelText(100)]).default(''),
    whitelist: z.enum(['0', '1']).default('0'),
    ack: z.enum(['', 'lookalike']).default('').describe('That it looks like another address is known and meant'),
  }),
  output: proposed.extend({ id: z.string() }),
  tenantParameters: ['id', 'group_id'],
})

export const deleteBookEntries = defineEndpoint({
  ...writing,
  path: '/api/mpc/address_book/delete',
  changes: ['book.changed', 'todo.changed'],
  summary: 'Removes entries; one of the whitelist only by an approved order, which `propose` asks for',
  input: z.object({ ...asked, ids: idListText(), remark: remarkText().default(''), propose: z.enum(['0', '1']).default('0') }),
  output: proposed.extend({ removed: z.int() }),
  tenantParameters: ['ids'],
})

export const listBookGroups = defineEndpoint({
  ...reading,
  staleOn: ['book.changed'],
  path: '/api/mpc/address_book/group/list',
  summary: 'The lists of the address book',
  input: z.object({}),
  output: z.object({ list: z.array(z.object({ id: z.string(), name: z.string(), count: z.int() })) }),
})

export const saveBookGroup = defineEndpoint({
  ...writing,
  path: '/api/mpc/address_book/group/save',
  changes: ['book.changed'],
  summary: 'Makes a list. Signers know it by its name, so that never changes',
  input: z.object({ name: labelText(40) }),
  output: z.object({ id: z.string() }),
})

export const getWhitelistConfig = defineEndpoint({
  ...reading,
  staleOn: ['book.changed', 'policy.changed'],
  path: '/api/mpc/address_book/whitelist/config',
  summary: 'What the whitelist asks for, and whether a change of it waits',
  input: z.object({}),
  output: z.object({
    cooling_h: z.number().describe('Hours that an address waits at each signer before it counts, by the policy in force; 0 for not at all'),
    need: z.int().describe('How many of those who govern approve a change'),
    version: z.int(),
    open: z.object({ trade_no: z.string(), title: z.string(), approval_url: z.string() }).nullable(),
  }),
})

/** So many entries are put on the whitelist by one order at most, and so many taken off. */
export const LISTED_AT_ONCE = 200

export const saveWhitelist = defineEndpoint({
  ...writing,
  path: '/api/mpc/address_book/whitelist/save',
  changes: ['book.changed', 'todo.changed'],
  summary: 'Asks those who govern to put entries on the whitelist, or to take them off',
  input: z.object({
    ...asked,
    ids: idListText(LISTED_AT_ONCE),
    whitelist: z.enum(['0', '1']),
    off_ids: idListText(LISTED_AT_ONCE).optional().describe('What the same order takes off'),
    remark: remarkText().default(''),
  }),
  output: z.object({ trade_no: z.string(), approval_url: z.string() }),
  tenantParameters: ['ids', 'off_ids'],
})

const whitelistChange = z.object({
  kind: z.enum(['add', 'remove']),
  entry_id: z.string(),
  name: z.string(),
  address: z.string(),
  chains: z.array(z.string()),
  networks: z.array(z.string()).describe('Their names, in the same sequence'),
  memo: z.string().nullable(),
})

/**
 * Why an address of an earlier version is not put on again. `removed`: the book has it no more. `replaced`: nor that, and its name stands for another address now.
 * `changed`: the book says something else of it than signers were told. `network`: one of its networks is not open. `similar`: it looks like another address.
 */
export const leftOutReasons = ['removed', 'replaced', 'changed', 'network', 'similar'] as const

export const restoreWhitelist = defineEndpoint({
  ...reading,
  path: '/api/mpc/address_book/whitelist/restore',
  summary: 'What would make the whitelist as it was at an earlier version, and what of that cannot be asked for; `whitelist/save` asks for it',
  input: z.object({ version: wholeNumberText(1, 1_000_000_000) }),
  output: z.object({
    changes: z.array(whitelistChange),
    left_out: z.array(
      whitelistChange.extend({
        why: z.enum(leftOutReasons),
        others: z.array(similarAddress).describe('What has its name now, or looks like it'),
      }),
    ),
    has_more: z.boolean().describe('Whether there is more to change than one order takes'),
  }),
})

export const getImportTemplate = defineEndpoint({
  ...reading,
  staleOn: [],
  path: '/api/mpc/address_book/import/template',
  summary: 'The first line of a file that can be imported, and an example',
  input: z.object({}),
  output: z.object({ name: z.string(), csv: z.string() }),
})

export const importBook = defineEndpoint({
  ...writing,
  path: '/api/mpc/address_book/import',
  changes: ['book.changed', 'todo.changed'],
  summary: 'Adds many entries; says of each line what became of it',
  input: z.object({ ...asked, rows: jsonField(z.array(importRow).min(1).max(IMPORT_MAX)), whitelist: z.enum(['0', '1']).default('0') }),
  output: proposed.extend({ added: z.int(), results: z.array(importResult) }),
  maxBodyBytes: 1 << 20,
})

export const verifyBookEntry = defineEndpoint({
  ...writing,
  path: '/api/mpc/address_book/verify',
  changes: ['book.changed'],
  summary:
    'Verifies an entry: by a small payment from it, by a message that its key signed, or by a second person who called its owner; or says that it was reviewed',
  input: z.object({
    id: idText,
    type: z.enum([...verifications, 'review']),
    proof: remarkText(400).default('').describe('The signature, or whom one spoke with'),
  }),
  output: z.object({ verified: z.boolean() }),
  tenantParameters: ['id'],
})

export const getBookChallenge = defineEndpoint({
  ...reading,
  path: '/api/mpc/address_book/verify/challenge',
  summary: 'What the owner of an address is asked for: the message to sign, and the exact amount to send',
  input: z.object({ id: idText }),
  output: z.object({
    message: z.string(),
    can_sign: z.boolean().describe('Whether signatures of its network can be verified here'),
    amounts: z.array(z.object({ chain: z.string(), network: z.string(), symbol: z.string(), amount: z.string() })),
  }),
  tenantParameters: ['id'],
})

export const bookActions = ['added', 'imported', 'edited', 'removed', 'proposed', 'proposed_off', 'verified', 'reviewed', 'group_added'] as const

export const listBookLog = defineEndpoint({
  ...reading,
  staleOn: ['book.changed'],
  path: '/api/mpc/address_book/log/list',
  summary: 'Who did what with the address book, the newest first',
  input: z.object({ id: idText.optional(), user: idText.optional(), action: z.enum(bookActions).optional(), page_no: pageNumber, page_size: pageSize }),
  output: z.object({
    pageTotal: z.int(),
    list: z.array(z.object({ id: z.string(), entry_id: z.string().nullable(), action: z.enum(bookActions), name: z.string(), person: named, at: z.int() })),
  }),
  tenantParameters: ['id', 'user'],
})

export const listBookPayments = defineEndpoint({
  ...reading,
  staleOn: ['order.changed'],
  path: '/api/mpc/address_book/trans/list',
  summary: 'Orders that pay an entry, the newest first',
  input: z.object({ id: idText, page_no: pageNumber, page_size: pageSize }),
  output: z.object({
    pageTotal: z.int(),
    list: z.array(
      z.object({
        order_id: z.string(),
        chain: z.string(),
        network: z.string(),
        symbol: z.string(),
        amount: z.string().describe('What it pays this entry, whatever it pays others'),
        recipients: z.int().describe('How many it pays'),
        state: z.string(),
        at: z.int(),
      }),
    ),
  }),
  tenantParameters: ['id'],
})

export const auditStates = ['approving', 'approved', 'followed', 'rejected', 'refused', 'withdrawn', 'expired', 'superseded'] as const
const auditState = z.enum(auditStates)
const audit = z.object({
  id: z.string(),
  title: z.string(),
  state: auditState,
  reason: z.string().nullable(),
  remark: z.string(),
  initiator: named,
  need: z.int(),
  approved: z.array(named),
  rejected: z.array(named),
  waiting: z.array(named),
  mine: z.enum(['decide', 'decided', 'initiator', 'watch']),
  approval_url: z.string(),
  followed: z.array(z.int()).describe('The signers that have it'),
  version: z.int().describe('The version of the whitelist that it makes'),
  can_restore: z.boolean().describe('Whether the whitelist was this version, and is another one since'),
  expire_at: z.int(),
  created_at: z.int(),
})

export const listBookAudits = defineEndpoint({
  ...reading,
  staleOn: ['book.changed', 'todo.changed'],
  path: '/api/mpc/address_book_audit/list',
  summary: 'What people were asked about the whitelist, the newest first',
  input: z.object({ state: auditState.optional(), page_no: pageNumber, page_size: pageSize }),
  output: z.object({ pageTotal: z.int(), list: z.array(audit) }),
})

const entryChecks = z.object({
  entry_id: z.string(),
  format: z
    .enum(['valid', 'invalid', 'unknown'])
    .describe('Whether it is an address of each of its networks; unknown where one of them is not open here, or it is taken off'),
  memo: z
    .enum(['none', 'given', 'missing', 'not_carried'])
    .describe('`missing`: a network of it carries memos, and it has none. `not_carried`: it has one, which a network of it does not carry'),
  similar: z.array(similarAddress).describe('What begins or ends like it'),
  first_paid_at: z.int().nullable().describe('When the organisation first paid it; null where it never did'),
  first_received_at: z.int().nullable().describe('When something first came from it'),
  verify: verified,
  kyt: lastScreening,
  created_by: named.nullable().describe('Null where the book has it no more'),
  created_at: z.int().nullable(),
})

export const getBookAudit = defineEndpoint({
  ...reading,
  staleOn: ['book.changed', 'todo.changed', 'order.changed', 'batch.changed'],
  path: '/api/mpc/address_book_audit/info',
  summary: 'One of them, with every address that it puts on or takes off, and what is known of each',
  input: z.object({ id: idText }),
  output: audit.extend({ changes: z.array(whitelistChange), checks: z.array(entryChecks).describe('As of now, one for each change') }),
  tenantParameters: ['id'],
})

export const decideBookAudit = defineEndpoint({
  ...writing,
  path: '/api/mpc/address_book_audit/audit',
  changes: ['book.changed', 'todo.changed'],
  summary: 'Takes one’s own proposal back. Whoever approves or rejects one does so on the approval page, whose address is answered',
  input: z.object({ id: idText, result: z.enum(['withdraw', 'decide']), remark: remarkText().default('') }),
  output: z.object({ approval_url: z.string() }),
  tenantParameters: ['id'],
})
