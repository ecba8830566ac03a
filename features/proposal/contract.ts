import { defineEndpoint, idText, keywordText, pageNumber, pageSize } from '@holdfast/contract'
import { FIATS, fiatText } from '@holdfast/features/price/contract'
import * as z from 'zod'

/** What an order that a chain carries out asks of its approvers. */
export const ORDER_KINDS = ['transfer', 'nft', 'contract_call', 'stake', 'deposit_lift', 'speed_up', 'cancel'] as const
export type OrderKind = (typeof ORDER_KINDS)[number]
export const TODO_KINDS = [...ORDER_KINDS, 'policy_change', 'key_change', 'signer_order', 'deposit_claim'] as const
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
  state: z.enum(['wait', 'done']),
  status: z.int(),
  sub_status: z.string(),
  risk: z.array(z.enum(['lookalike', 'first_seen', 'expires_soon', 'own'])),
  approval_url: z.string().describe('The page where it is decided'),
  expire_at: z.int().nullable().describe('Null where it waits without an end'),
  created_at: z.int(),
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

const orderItem = common.extend({
  kind: z.enum(ORDER_KINDS),
  ...money.shape,
  imitates: z.object({ address: z.string(), label: z.string().nullable(), kind: z.enum(['own', 'book', 'paid']) }).nullable(),
  reminded: z.object({ at: z.int(), by: z.string() }).nullable(),
})

/** What waits for people, or was decided by them, with the fields of its kind. */
export const todoItem = z.discriminatedUnion('kind', [
  orderItem,
  common.extend({ kind: z.enum(['policy_change', 'signer_order']) }),
  common.extend({ kind: z.literal('key_change'), wallet_id: z.string() }),
  common.extend({ kind: z.literal('deposit_claim'), ...money.shape }),
])
export type TodoItem = z.infer<typeof todoItem>
export type OrderItem = z.infer<typeof orderItem>

export const listTodo = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/user/action/items/list',
  permission: 'approval.read',
  staleOn: ['todo.changed', 'wallet.changed'],
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
  permission: 'withdraw.create',
  changes: ['todo.changed'],
  summary: 'Asks those who have not decided an order yet to look at it; by who asked for it, once an hour',
  input: z.object({ item_id: idText }),
  output: z.object({ reminded: z.array(z.string()).describe('Names of those who are asked'), times: z.int(), again_at: z.int() }),
  tenantParameters: ['item_id'],
})
