import { defineEndpoint, idText, keywordText, pageNumber, pageSize, remarkText } from '@holdfast/contract'
import { FIATS, fiatText } from '@holdfast/features/price/contract'
import * as z from 'zod'

/** What an order that a chain carries out asks of its approvers. */
export const ORDER_KINDS = ['transfer', 'nft', 'contract_call', 'stake', 'deposit_lift', 'speed_up', 'cancel'] as const
export type OrderKind = (typeof ORDER_KINDS)[number]
export const TODO_KINDS = [
  ...ORDER_KINDS,
  'policy_change',
  'address_book',
  'standing_order',
  'signer_order',
  'export_key',
  'key_change',
  'deposit_claim',
  'batch',
] as const
export type TodoKind = (typeof TODO_KINDS)[number]

/** What every item of the list says. */
const common = z.object({
  item_id: z.string(),
  /** Opens its details. */
  biz_id: z.string(),
  /** The task in one sentence, in the caller's language. */
  title: z.string(),
  initiator: z.object({ person_id: z.string(), name: z.string() }),
  /** Its place in its flow: which step of how many, and how many of the required approvals it has. */
  node: z.object({ no: z.int(), total: z.int(), need: z.int(), done: z.int(), waiting_for: z.array(z.string()) }),
  /** What the caller can do: decide, or only watch. */
  mine: z.enum(['decide', 'decided', 'initiator', 'watch']),
  decides_for: z
    .array(z.object({ person_id: z.string(), name: z.string() }))
    .describe('For whom the caller may decide it, who named them for these days; whether they are asked themselves as well is another matter'),
  state: z.enum(['wait', 'done']),
  status: z.int(),
  sub_status: z.string(),
  risk: z.array(z.enum(['lookalike', 'first_seen', 'expires_soon', 'own'])),
  approval_url: z.string().describe('The page where it is decided'),
  expire_at: z.int().nullable().describe('Null where it waits without an end'),
  created_at: z.int(),
  /** Who asked those who are missing to look at it, last. */
  reminded: z.object({ at: z.int(), by: z.string() }).nullable(),
  remind_at: z.int().nullable().describe('From when on the caller may remind those who are missing; null if they may not'),
  absent: z
    .object({
      people: z.array(
        z.object({ name: z.string(), until: z.int(), ask: z.string().nullable().describe('Whom they say to ask meanwhile, who gets no vote by it') }),
      ),
      suffices: z.boolean().describe('Whether those who are there can complete it'),
      from: z.int().nullable().describe('Where they cannot: when enough others are back; null if that is not before it expires'),
    })
    .nullable()
    .describe('Who of those it waits for is out of office, beside the caller; null if nobody is'),
})

/** Money that moves, or has come. */
const money = z.object({
  wallet_id: z.string(),
  sub_wallet_id: z.string(),
  wallet_name: z.string(),
  sub_wallet_name: z.string(),
  symbol: z.string(),
  chain: z.string(),
  network: z.string(),
  amount: z.string(),
  worth: z.object({ currency: z.enum(FIATS), now: z.string().nullable() }).nullable(),
  address_to: z.string(),
  to_label: z.string().nullable(),
  remark: z.string(),
})

/** The same of what goes to many. */
const { address_to: _to, to_label: _label, ...paidOut } = money.shape

const orderItem = common.extend({
  kind: z.enum(ORDER_KINDS),
  ...money.shape,
  imitates: z.object({ address: z.string(), label: z.string().nullable(), kind: z.enum(['own', 'book', 'paid']) }).nullable(),
})

/** What waits for people, or was decided by them, with the fields of its kind. */
export const todoItem = z.discriminatedUnion('kind', [
  orderItem,
  common.extend({ kind: z.enum(['policy_change', 'address_book', 'standing_order', 'signer_order']) }),
  common.extend({ kind: z.enum(['key_change', 'export_key']), wallet_id: z.string() }),
  common.extend({ kind: z.literal('deposit_claim'), ...money.shape }),
  common.extend({ kind: z.literal('batch'), ...paidOut, lines: z.int().describe('How many payments it is') }),
])
export type TodoItem = z.infer<typeof todoItem>
export type OrderItem = z.infer<typeof orderItem>
type Reminders = 'reminded' | 'remind_at' | 'absent' | 'decides_for'
/** An item as its kind describes it: who may remind of it, who did, who is away and who decides for whom is read for all kinds in one place. */
export type DescribedItem = TodoItem extends infer Item ? (Item extends TodoItem ? Omit<Item, Reminders> : never) : never
export type DescribedOrder = Omit<OrderItem, Reminders>

export const listTodo = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/user/action/items/list',
  permission: 'approval.read',
  staleOn: ['member.changed', 'todo.changed', 'wallet.changed'],
  summary: 'What waits for the caller, what the caller asked for, and what is decided',
  input: z.object({
    state: z.enum(['wait', 'mine', 'done']).default('wait'),
    kind: z.enum(TODO_KINDS).optional(),
    wallet_id: idText.optional(),
    keyword: keywordText.optional(),
    fiat: fiatText,
    page_no: pageNumber,
    page_size: pageSize,
  }),
  output: z.object({
    pageTotal: z.int(),
    has_more: z.boolean(),
    counts: z
      .record(z.enum(['wait', 'mine', ...TODO_KINDS]), z.int())
      .describe('What waits for the caller, what they asked for, and how many of each kind are in this state'),
    /** The page that goes through everything that waits for the caller under these filters; null unless there are several. */
    review_url: z.string().nullable(),
    list: z.array(todoItem),
  }),
  tenantParameters: ['wallet_id'],
})

export const remindApprovers = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/user/action/items/remind',
  permission: 'approval.read',
  changes: ['todo.changed'],
  summary: 'Asks those who have not decided something yet, and are there, to look at it; by who asked for it or who governs, once an hour',
  input: z.object({ item_id: idText }),
  output: z.object({
    reminded: z.array(z.string()).describe('Names of those who are asked'),
    absent: z.array(z.string()).describe('Names of those who are left out, because they are out of office'),
    times: z.int(),
    again_at: z.int(),
  }),
  tenantParameters: ['item_id'],
})

/** What a code opens: each is a proposal that the person's own key decides on the approval page. */
export const QR_TYPES = ['sign', 'approve', 'export'] as const

export const generateQr = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/qrc/generate',
  permission: 'approval.read',
  changes: [],
  summary: 'A code for five minutes that opens the approval page at one item, on a telephone for instance. It carries the hash of the item and no secret',
  input: z.object({ type: z.enum(QR_TYPES, 'it must be sign, approve or export: signing in and making a wallet need no code'), biz_id: idText }),
  output: z.object({ qr_id: z.string(), qr_content: z.string(), expire_at: z.int() }),
  tenantParameters: ['biz_id'],
})

/** How far a code has come, by its number. */
export const QR_STATUS = { wait: 0, scanned: 1, confirmed: 2, rejected: 3, expired: 4 } as const

export const getQrStatus = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/qrc/status',
  permission: 'approval.read',
  staleOn: ['todo.changed'],
  summary: 'Whether the item of a code was opened on an approval page since it was made, and what the caller then decided; codes of others are not found',
  input: z.object({ qr_id: idText }),
  output: z.object({
    status: z
      .union(Object.values(QR_STATUS).map((number) => z.literal(number)))
      .describe('0 waits, 1 opened, 2 the caller approved, 3 the caller rejected, 4 expired'),
    device: z.string().nullable().describe('The label of the key that decided'),
    by: z.string().nullable().describe('Who decided: the caller, or null'),
  }),
  tenantParameters: ['qr_id'],
})

const hashText = z.string().regex(/^[0-9a-f]{64}$/, 'it must be the 64 hex digits of the hash of the order')

export const auditOrder = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/withdraw/audit',
  permission: 'approval.read',
  changes: ['todo.changed', 'wallet.changed'],
  summary:
    'Takes a decision on an order that the caller signed with their own key at the approval page. Without one it is refused with where that page is: no call decides for a person',
  input: z
    .object({
      withdraw_id: idText.optional(),
      trans_id: idText.optional(),
      result: z.enum(['1', '2'], 'it must be 1 to approve or 2 to reject'),
      remark: remarkText().default(''),
      payload_hash: hashText,
      approval: z
        .string()
        .regex(/^[0-9a-f]{2,131072}$/, 'it must be the signed decision of the approval page')
        .optional(),
    })
    .refine((given) => (given.withdraw_id === undefined) !== (given.trans_id === undefined), 'name one order, by withdraw_id or by trans_id'),
  output: z.object({ status: z.int(), node: z.object({ done: z.int(), need: z.int() }), need_qrc: z.boolean() }),
  tenantParameters: ['withdraw_id', 'trans_id'],
})
