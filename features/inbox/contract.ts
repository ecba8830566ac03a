import { defineEndpoint, timeMsText } from '@holdfast/contract'
import * as z from 'zod'

/** How an order ended, as far as people are told of it; one that its own asker took back, or that another replaced, is no news. */
export const ENDINGS = ['completed', 'rejected', 'refused', 'timed_out', 'expired', 'dropped', 'failed'] as const
export const MEMBER_NEWS = ['joined', 'role_changed', 'suspended', 'resumed', 'removed', 'delegated', 'delegation_ended', 'decided_for'] as const

/** How a batch ended, as far as people are told of it. */
export const BATCH_ENDINGS = ['finished', 'stopped', 'rejected', 'expired', 'superseded'] as const

const order = z.object({ id: z.string(), symbol: z.string(), amount: z.string(), wallet_name: z.string(), sub_wallet_name: z.string(), remark: z.string() })
/** A batch as a whole: its lines are told of nowhere else. */
const batch = z.object({ id: z.string(), file_name: z.string(), lines: z.int(), wallet_name: z.string(), sub_wallet_name: z.string(), remark: z.string() })
const common = z.object({ key: z.string(), at: z.int(), unread: z.boolean() })

/** What happened. */
export const newsItem = z.discriminatedUnion('kind', [
  common.extend({ kind: z.literal('order'), ending: z.enum(ENDINGS), own: z.boolean().describe('The caller asked for it'), ...order.shape }),
  common.extend({
    ...{ kind: z.literal('batch'), ending: z.enum(BATCH_ENDINGS), own: z.boolean(), paid: z.int(), failed: z.int() },
    ...batch.shape,
  }),
  common.extend({ kind: z.literal('deposit'), ...order.shape }),
  common.extend({
    kind: z.literal('energy'),
    id: z.string(),
    told: z.enum(['waits', 'not_delivered']).describe('A payment waits for energy, or energy was paid for and did not come'),
    wallet_name: z.string(),
    sub_wallet_name: z.string(),
  }),
  common.extend({
    kind: z.literal('resource'),
    id: z.string(),
    low: z.array(z.enum(['energy', 'net', 'trx'])).describe('What a watched address has less of than its threshold'),
    wallet_name: z.string(),
    sub_wallet_name: z.string(),
  }),
  common.extend({ kind: z.literal('policy'), version: z.int() }),
  common.extend({ kind: z.literal('reminder'), name: z.string().describe('Who reminds the caller of what waits for them') }),
  common.extend({
    kind: z.literal('member'),
    event: z.enum(MEMBER_NEWS),
    person_id: z.string(),
    name: z.string(),
    other: z.string().describe('Who decides for the person, where it is about that; empty otherwise'),
  }),
])

export const listInbox = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/inbox/list',
  permission: 'member',
  staleOn: ['batch.changed', 'deposit.changed', 'inbox.changed', 'member.changed', 'order.changed', 'policy.changed', 'todo.changed', 'wallet.changed'],
  summary: 'What needs the caller, and what happened in the last 90 days, the newest 100: as far as they may see it',
  input: z.object({}),
  output: z.object({
    unread: z.int().describe('How much happened since the caller marked it as read; 100 at most'),
    needs: z.object({
      decisions: z.int().describe('What waits for the caller to decide it'),
      drills: z.array(z.object({ wallet_id: z.string(), wallet_name: z.string() })).describe('Wallets whose recovery is due to be proven'),
      orders: z.array(order).describe('Orders of the caller that do not go on by themselves'),
      stops: z
        .array(
          z.discriminatedUnion('kind', [
            z.object({ kind: z.literal('order'), until: z.int(), ...order.shape }),
            z.object({ kind: z.literal('batch'), until: z.int(), ...batch.shape }),
            z.object({ kind: z.literal('policy'), until: z.int(), id: z.string(), version: z.int() }),
          ]),
        )
        .describe('What has its approvals and waits by its rule, so that the caller can still stop it until then'),
      batches: z.array(batch).describe('Batches of the caller with lines that do not; `lines` is how many'),
    }),
    news: z.array(newsItem),
  }),
})

export const markInboxRead = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/inbox/read',
  permission: 'member',
  changes: ['inbox.changed'],
  summary: 'The caller has seen what happened until a moment',
  input: z.object({ until: timeMsText }),
  output: z.null(),
})
