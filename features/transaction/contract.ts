import {
  addressText,
  amountText,
  boolText,
  defineEndpoint,
  idText,
  jsonField,
  keywordText,
  labelText,
  pageNumber,
  pageSize,
  partOf,
  remarkText,
  timeMsText,
} from '@holdfast/contract'
import { mailStanding } from '@holdfast/features/mail/contract'
import { FIATS, fiatText } from '@holdfast/features/price/contract'
import { screenings } from '@holdfast/features/kyt/contract'
import * as z from 'zod'
export { listPending } from './pending-contract.ts'

const amount = z.string().describe('Decimal text, exact')

/** What must happen next, and by whom: the answer to "why does it wait?". */
export const nextAction = z.object({
  action: z.enum(['approve', 'wait', 'verify_recovery', 'none']),
  who: z.array(z.object({ person_id: z.string(), name: z.string() })),
  /** A sentence in the caller's language. */
  text: z.string(),
})

/** An allowance spend: tokens that somebody took under an allowance. */
export const transactionKind = z.enum(['deposit', 'withdraw', 'pull'])
export type TransactionKind = z.infer<typeof transactionKind>

/** What a payment or deposit was worth, in one currency; null if no price is known. */
const worth = z.object({
  currency: z.enum(FIATS),
  at_time: amount.nullable(),
  at: z
    .enum(['asked', 'in_block', 'seen'])
    .describe('What `at_time` and `fee` are of: the moment it was asked for, had its first block, or was first seen (a deposit or an allowance spend)'),
  now: amount.nullable(),
  fee: amount.nullable(),
})

/** How the notifications of a payment or deposit to the organisation's webhook endpoints stand, the worst first. */
export const notifyState = z.enum(['failed', 'retrying', 'stopped', 'success'])
const notify = z.object({
  status: notifyState,
  arrived: z.int(),
  count: z.int().describe('Notifications in all: one for each state and webhook endpoint'),
  times: z.int().describe('How often sending was tried'),
})

/** An address of ours or one we have paid, that another one begins and ends like. */
const imitated = z.object({ address: z.string(), label: z.string().nullable(), kind: z.enum(['own', 'book', 'paid']) })

export const transactionRow = z.object({
  id: z.string(),
  type: transactionKind,
  request_id: z.string().nullable(),
  wallet_id: z.string(),
  sub_wallet_id: z.string(),
  wallet_name: z.string().describe('As people call it: its alias, where it has one; so of the sub-wallet'),
  sub_wallet_name: z.string(),
  symbol: z.string(),
  base_symbol: z.string(),
  chain: z.string(),
  network: z.string(),
  contract_address: z.string().nullable(),
  token_id: z.string().nullable().describe('Of a collection: which token, in decimal digits; the amount is then a number of pieces'),
  amount,
  worth: worth.nullable(),
  address_from: z.string().nullable(),
  from_label: z.string().nullable(),
  address_to: z.string(),
  to_label: z.string().nullable(),
  /** What the other side's address imitates, where it does. */
  imitates: imitated.nullable(),
  /** Planted to be copied by mistake: by the address it imitates, or by what a person said. */
  suspicious: z.boolean(),
  memo: z.string().nullable(),
  call: z.object({ method: z.string().nullable() }).nullable().describe('Of a call of a contract: the function, null where nobody knows it'),
  stake: z.object({ action: z.string(), title: z.string() }).optional().describe('Of an order about stake or authorization: what it does, and in one sentence'),
  txid: z.string().nullable(),
  fee_symbol: z.string(),
  fee: amount.nullable().describe('The most the fee may reach'),
  real_fee: amount.nullable(),
  status: z.int(),
  sub_status: z.string(),
  next_action: nextAction,
  confirmations: z.int(),
  need_confirmations: z.int(),
  tx_height: z.string().nullable(),
  source: z.enum(['web', 'api', 'chain']).describe('Where it was asked for; a deposit comes from the chain'),
  initiator: z.object({ person_id: z.string(), name: z.string() }).nullable(),
  approvals: z.object({ done: z.int(), need: z.int() }).nullable(),
  remark: z.string(),
  taken_by: z.string().optional().describe('Of an allowance spend: who took it; `address_to` is who got it'),
  recipients: z.int().optional().describe('How many one order pays, where those are several; `address_to` is the first of them'),
  found_in: z
    .enum(['transaction', 'inside', 'balance'])
    .optional()
    .describe('Of a deposit: sent by its transaction, moved inside one by a contract, or found by the balance of the address where no source shows that'),
  purpose: z.enum(['pay', 'speed_up', 'cancel']).optional().describe('Whether it pays, or is about a payment: to allow a higher fee, or to cancel it'),
  replaces: z.string().nullable().optional().describe('The payment it is about'),
  about: z
    .object({ amount, address_to: z.string(), recipients: z.int().optional() })
    .optional()
    .describe(
      'Of an order about a payment: what that pays, in the same coin. The order itself pays nobody, so its own amount is 0 and `address_to` is `address_from`',
    ),
  inscribes: z
    .literal(true)
    .optional()
    .describe('Of an order that has a token of BRC-20 inscribed and sends it, by several transactions that are not replaced'),
  lifts: z.string().optional().describe('Of an order that speeds a pending deposit up: the coin of that deposit, which it gives back less a fee'),
  category: z.string().nullable(),
  tags: z.array(z.string()),
  note: z.string(),
  notify: notify.nullable().describe('Null where no webhook endpoint was to be told'),
  created_at: z.int(),
  updated_at: z.int(),
})

/** Status numbers separated by commas. */
const statusListText = z.string().regex(/^\d{4}(,\d{4}){0,9}$/, 'it must be status numbers of four digits, by comma')
/** Ids separated by commas, 1 to 100. */
const idsText = z
  .string()
  .toLowerCase()
  .regex(/^[0-9a-f-]{36}(,[0-9a-f-]{36}){0,99}$/, 'it must be ids (UUIDs), by comma')
  .refine((text) => text.split(',').every((id) => idText.safeParse(id).success), 'it must be ids (UUIDs), by comma')

const categoryText = labelText(50)
/** One short line, without the comma that separates tags. */
const tagText = labelText(30).refine((text) => !text.includes(','), 'it must not have a comma')

/** The label of a transaction, given by people of the organisation for themselves: an empty category is none. */
export const label = {
  category: z.union([z.literal(''), categoryText]).optional(),
  tags: jsonField(z.array(tagText).max(10, 'at most ten tags')).optional(),
}
/** The name of a time zone, such as Europe/Berlin. */
const timeZoneText = z.string().regex(/^[A-Za-z0-9_+\-/]{1,64}$/, 'it must be a time zone such as Europe/Berlin')

/** What a list of transactions can be narrowed by; also the filters of its export. */
const transactionFilter = {
  wallet_id: idText.optional(),
  sub_wallet_id: idText.optional(),
  sub_wallet_ids: idsText.optional(),
  type: z
    .enum(['all', 'deposit', 'held', 'withdraw', 'pull', 'nft', 'web3', 'stake', 'replacement'])
    .default('all')
    .describe(
      'held: deposits that wait for people to say whose they are; pull: what somebody took under an allowance; nft: what moved tokens of collections; web3: calls of contracts; stake: orders about stake and resources; replacement: orders about a payment, which allow a higher fee or cancel it',
    ),
  source: z.enum(['asked', 'web', 'api', 'chain']).optional().describe('web: in the console; api: by a program; asked: either of them; chain: not asked for'),
  chain: z.string().max(64).optional(),
  symbol: z.string().max(32).optional(),
  status: statusListText.optional(),
  sub_status: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,39}$/)
    .optional(),
  keyword: keywordText.optional().describe('Part of an address, of a transaction id, of a remark, or a whole id'),
  address: addressText.optional().describe('Exactly this address, on either side'),
  txid: addressText.optional(),
  request_id: z.string().max(128).optional(),
  // A machine stands under an id that is no UUID of any version.
  initiator_id: z.guid('it must be an id').toLowerCase().optional(),
  category: categoryText.optional(),
  tag: tagText.optional(),
  notify_status: notifyState.optional().describe("Where the worst of the record's notifications stands"),
  spam: z.enum(['0', '1']).optional().describe('Of what was planted to be copied by mistake: 0 leaves it out, 1 leaves nothing else; both without'),
  amount_min: amountText.optional(),
  amount_max: amountText.optional(),
  start_time: timeMsText.optional(),
  end_time: timeMsText.optional(),
  fiat: fiatText,
  /** Only what is older than this transaction: for reading on without page numbers. */
  max_id: idText.optional(),
}
const filterIds = ['wallet_id', 'sub_wallet_id', 'sub_wallet_ids', 'initiator_id', 'max_id'] as const

export const listTransactions = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/transaction/list',
  permission: 'wallet.read',
  staleOn: ['order.changed', 'deposit.changed', 'pull.changed', 'label.changed', 'notification.changed', 'wallet.changed'],
  keptForMs: 10_000,
  summary: 'Deposits and withdrawals, newest first',
  input: z.object({ ...transactionFilter, page_no: pageNumber, page_size: pageSize }),
  output: partOf(transactionRow),
  tenantParameters: filterIds,
})

export const exportTransactions = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/transaction/export',
  permission: 'export.create',
  staleOn: [],
  summary: 'The filtered list as CSV (RFC 4180, UTF-8), a part at a time: the parts one after another are the file',
  input: z.object({
    ...transactionFilter,
    tz: timeZoneText,
    layout: z
      .enum(['all', 'koinly', 'xero'])
      .default('all')
      .describe('Every column that is known; or what moved money: as Koinly reads it, with times in UTC, or by its value as a bank statement that Xero reads'),
  }),
  output: z.object({
    csv: z.string(),
    rows: z.int().describe('Transactions in this part'),
    total: z.int().nullable().describe('Transactions in all; in the first part only'),
    next_id: z.string().nullable().describe('max_id of the next part; null where this is the last'),
  }),
  tenantParameters: filterIds,
  timeoutMs: 30_000,
})

export const exportStatus = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/transaction/export/status',
  permission: 'export.create',
  staleOn: ['order.changed', 'deposit.changed', 'pull.changed', 'label.changed'],
  summary: 'How large the file of an export is, and how much of it is still to come; an export has no task of its own, its parts are asked for one by one',
  input: z.object(transactionFilter),
  output: z.object({ rows: z.int().describe('Transactions in the parts that are left'), parts: z.int() }),
  tenantParameters: filterIds,
})

export const labelTransactions = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/transaction/mark',
  permission: 'transaction.mark',
  changes: ['label.changed'],
  summary: 'Files transactions: category, tags, note, suspicious or not. What is not given stays as it is',
  input: z.object({
    ids: idsText,
    type: transactionKind,
    ...label,
    note: remarkText(500).optional(),
    suspicious: boolText.optional(),
  }),
  output: z.object({ marked: z.int() }),
  tenantParameters: ['ids'],
})

export const listLabels = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/transaction/marks',
  permission: 'wallet.read',
  staleOn: ['label.changed'],
  summary: 'Every category and tag in use, and everybody who has asked for a payment: what lists can be narrowed by',
  input: z.object({}),
  output: z.object({
    categories: z.array(z.string()),
    tags: z.array(z.string()),
    initiators: z.array(z.object({ person_id: z.string(), name: z.string() })),
  }),
})

const savedView = z.object({ name: z.string(), query: z.string() })

export const listSavedViews = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/transaction/views',
  permission: 'wallet.read',
  staleOn: ['view.changed'],
  summary: 'The filters that the caller has kept',
  input: z.object({}),
  output: z.array(savedView),
})

export const saveView = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/transaction/view/save',
  permission: 'wallet.read',
  changes: ['view.changed'],
  summary: 'Keeps filters under a name, for the caller alone; the same name replaces them, an empty query forgets them',
  input: z.object({ name: labelText(40), query: z.string().max(1000) }),
  output: z.array(savedView),
})

/** One recipient of an order that pays several. `arrived`: where some of them were paid and others were not, whether this one was. */
const payoutOutput = z.object({ address_to: z.string(), label: z.string().nullable(), amount, memo: z.string().nullable(), arrived: z.boolean().nullable() })

/** One step of an order's story. */
export const timelineEvent = z.object({
  state: z.string(),
  sub_status: z.string(),
  at: z.int(),
  actor: z.string().describe('Name of the person, or signer, server, chain'),
  in_place_of: z.string().optional().describe('For whom the person decided, where that is another'),
  reason: z.string().nullable(),
})

export const getWithdrawal = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/withdraw/info',
  permission: 'wallet.read',
  staleOn: ['order.changed', 'todo.changed', 'label.changed', 'notification.changed', 'wallet.changed'],
  summary: 'One withdrawal with its whole story',
  input: z.object({ id: idText, fiat: fiatText }),
  output: transactionRow.extend({
    ...{ intent_hash: z.string(), approval_url: z.string(), expire_at: z.int() },
    stoppable: z
      .object({ until: z.int(), letters: z.array(mailStanding) })
      .nullable()
      .describe('It has its approvals and waits by its rule: until when a no stops it, and what became of the e-mails that say so'),
    can_take_back: z.boolean().describe('Who asked for it can take it back: no signer has begun with it'),
    ...{ policy_version: z.int(), rule_id: z.string(), rule_name: z.string() },
    batch_id: z.string().nullable().describe('The batch that people approved, of which this pays a line; null for any other order'),
    approvers: z.array(
      z.object({
        person_id: z.string(),
        name: z.string(),
        state: z.enum(['waiting', 'approved', 'rejected']),
        only_stops: z.boolean().describe('Stands in no step: a no counts, a yes does not'),
        at: z.int().nullable(),
        by: z.string().nullable().describe('Who decided for this person; null where they did themselves, or nobody did'),
        away: z
          .object({ until: z.int(), delegate: z.string().nullable() })
          .nullable()
          .describe('Not there now; the delegate is whom to ask, and gets no vote by it'),
      }),
    ),
    screenings,
    /** `letters` are those of the last reminder. */
    reminded: z.object({ at: z.int(), by: z.string(), times: z.int(), letters: z.array(mailStanding) }).nullable(),
    ...{ nonce: z.string().nullable(), timeline: z.array(timelineEvent) },
    refusals: z.array(z.object({ signer: z.string(), check: z.string(), reason: z.string(), at: z.int() })),
    has_evidence: z.boolean(),
    outputs: z.array(payoutOutput).describe('Where one order pays several: all of them; empty where it pays one'),
    replacements: z
      .array(z.object({ id: z.string(), purpose: z.enum(['speed_up', 'cancel']), status: z.int(), by: z.string(), at: z.int() }))
      .describe('The orders about this payment, which allow a higher fee or cancel it, the oldest first'),
    brought: z
      .array(z.object({ id: z.string(), symbol: z.string(), token_id: z.string().nullable(), amount, from: z.string(), status: z.int() }))
      .describe('Of a call of a contract: the deposits that its own transaction brought the payer'),
    replaced_by: z.string().nullable().describe('The transaction that took the place of the first one'),
    speed_up_history: z
      .array(
        z.object({
          number: z.int(),
          purpose: z.enum(['pay', 'cancel']),
          state: z.enum(['making', 'sent', 'in_block', 'replaced', 'given_up']),
          txid: z.string().nullable(),
          has_evidence: z.boolean().describe('Whether its signature has a bundle; a signature that only the chain showed has none'),
          fee: z.string().nullable().describe('The most it can cost'),
          by: z.string().nullable(),
          reason: z.string().nullable(),
          at: z.int(),
        }),
      )
      .describe('Every transaction made for it, the oldest first; the chain takes one of them at most'),
  }),
  tenantParameters: ['id'],
})

export const getPayout = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/withdraw/multi/info',
  permission: 'wallet.read',
  staleOn: ['order.changed'],
  summary: 'Whom one withdrawal pays, where those are several, and whom where it is one',
  input: z.object({ id: idText }),
  output: z.object({
    id: z.string(),
    symbol: z.string(),
    amount,
    outputs: z.array(payoutOutput),
    total: z.int(),
    txid: z.string().nullable(),
    status: z.int(),
  }),
  tenantParameters: ['id'],
})

/** What a person said of a payment that is held, and what another one decided. */
const depositClaim = z.object({
  id: z.string(),
  state: z.enum(['asked', 'confirmed', 'refused', 'withdrawn', 'kept']).describe('asked waits for another person; kept says why it stays held'),
  memo: z.string().nullable().describe('The comment it should have carried; null where it is of nobody who has one'),
  label: z.string().nullable(),
  reason: z.string(),
  by: z.object({ person_id: z.string(), name: z.string() }),
  at: z.int(),
  decided: z.object({ by: z.string(), at: z.int(), reason: z.string() }).nullable(),
})

export const getDeposit = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/deposit/info',
  permission: 'wallet.read',
  staleOn: ['deposit.changed', 'label.changed', 'notification.changed', 'wallet.changed'],
  summary: 'One deposit with its story',
  input: z.object({ id: idText, fiat: fiatText }),
  output: transactionRow.extend({
    timeline: z.array(timelineEvent),
    held: z
      .object({ comments: z.array(z.object({ memo: z.string(), label: z.string().nullable() })) })
      .nullable()
      .describe('While it is held: the comments of its address, the newest first, 200 at most'),
    claims: z.array(depositClaim).describe('What people said of it while it was held, the oldest first'),
  }),
  tenantParameters: ['id'],
})

export const getAllowanceSpend = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/pull/info',
  permission: 'wallet.read',
  staleOn: ['pull.changed', 'label.changed', 'wallet.changed'],
  summary: 'What somebody took under an allowance, with its story',
  input: z.object({ id: idText, fiat: fiatText }),
  output: transactionRow.extend({
    timeline: z.array(timelineEvent),
    told: z.string().nullable().describe('What people were told of it, with how much more could be taken then; null before it is final'),
    acknowledged: z.object({ by: z.string(), at: z.int() }).nullable(),
  }),
  tenantParameters: ['id'],
})

export const getReceipt = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/transaction/receipt',
  permission: 'wallet.read',
  staleOn: [],
  summary: 'One transaction as a PDF for others, in the caller’s language: who paid whom and when, approvals, timeline, and how it is verified',
  input: z.object({ id: idText, type: transactionKind, tz: timeZoneText, fiat: fiatText }),
  output: z.object({ pdf: z.string().describe('base64'), file_name: z.string() }),
  tenantParameters: ['id'],
  timeoutMs: 30_000,
})
