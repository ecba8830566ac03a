import { defineEndpoint, idText, jsonField, pageNumber, pageSize, remarkText, requestIdText, totpText } from '@holdfast/contract'
import * as z from 'zod'
import { ADDRESS_MAX, amountText, signedName } from './schedule-contract.ts'

export { ADDRESS_MAX, DATES_MAX, getScheduleDraft, LATE_DAYS_MAX, listScheduledPayments, PAYMENT_STATES, proposeSchedule } from './schedule-contract.ts'

// What is done without asking again: approved once, kept by the signers, and stopped by any one person who may.

const reading = { method: 'GET', permission: 'policy.read', staleOn: ['standing.changed', 'policy.changed', 'order.changed'] } as const
const writing = { method: 'POST', permission: 'policy.propose', changes: ['standing.changed', 'todo.changed'] } as const
const named = z.object({ person_id: z.string(), name: z.string() })

/** What is asked for by the calls here. */
const KINDS = ['sweep', 'fuel', 'delegate', 'rent', 'allow', 'collect', 'authorize', 'take'] as const

/** So many addresses a standing order excludes at most. */
export const NEVER_MAX = 1024

/** A wallet, or one of its sub-wallets. */
const place = z.object({ wallet_id: z.uuid(), sub_wallet_id: z.uuid().nullable() })

const standingOrder = z.object({
  id: z.string(),
  version: z.int(),
  name: z.string(),
  state: z.enum(['active', 'waiting', 'stopped', 'over']).describe('waiting: its time has not come'),
  stopped: z.object({ by: named, at: z.int(), reason: z.string() }).nullable(),
  from: z.int(),
  until: z.int(),
  looked_at: z.int().nullable(),
  kind: z.enum([...KINDS, 'schedule']),
  /** Everything that it lets happen, in the words that people approved, in the caller's language. */
  rows: z.array(z.object({ label: z.string(), value: z.string() })),
  moved: z
    .array(z.object({ chain: z.string(), network: z.string(), symbol: z.string(), amount: z.string(), count: z.int(), count_day: z.int() }))
    .describe('What it moved so far, and how many transfers in the last 24 hours'),
  moving: z.int().describe('Transfers under way'),
  waiting: z.int().describe('Addresses that have something and are not moved'),
  open_version: z.object({ signer_order_id: z.string(), approval_url: z.string() }).nullable().describe('The next version, if it waits for approval'),
})

export const listStandingOrders = defineEndpoint({
  ...reading,
  path: '/api/mpc/standing/list',
  summary: 'Every standing order, with what it moved, and where one person stops them',
  input: z.object({}),
  output: z.object({
    list: z.array(standingOrder),
    /** Asked for, and not approved yet, of those that are new. */
    proposed: z.array(z.object({ signer_order_id: z.string(), title: z.string(), approval_url: z.string() })),
    stop_url: z.string(),
  }),
})

export const listStandingReasons = defineEndpoint({
  ...reading,
  path: '/api/mpc/standing/funds/list',
  summary: 'Every address that has something a standing order would move, and why it is not moved',
  input: z.object({ id: idText, page_no: pageNumber, page_size: pageSize }),
  output: z.object({
    pageTotal: z.int(),
    list: z.array(
      z.object({
        chain: z.string(),
        network: z.string(),
        address: z.string(),
        sub_wallet_id: z.string(),
        sub_wallet_name: z.string(),
        symbol: z.string(),
        amount: z.string(),
        reason: z.string(),
        detail: z.string().nullable().describe('An amount in whole units, of which the reason says what it is'),
        next_try_at: z.int().nullable().describe('When its schedule lets it be moved'),
        at: z.int(),
      }),
    ),
  }),
  tenantParameters: ['id'],
})

/** What is asked for: amounts in whole units. `id`: the standing order of which it is to be the next version. */
const draft = z.object({
  id: z.uuid().nullable(),
  kind: z
    .enum(KINDS)
    .describe(
      'rent: whoever rents energy out is paid; allow: addresses let the collector contract of the target take tokens; collect: sources call it; authorize: addresses let the sweeper contract of the target run in their name; take: sources call it',
    ),
  name: signedName,
  sources: z.array(place).min(1).max(64),
  targets: z
    .array(
      z.union([
        z.object({ kind: z.literal('own'), ...place.shape }),
        z.object({ kind: z.literal('listed'), chain: z.string().max(64), address: z.string().max(ADDRESS_MAX), memo: z.string().max(256) }),
      ]),
    )
    .min(1)
    .max(64)
    .describe(
      'Where a sweep moves to; of own ones the first address of a sub-wallet on each network. Which wallets get coins for fees, of fuel, or resources, of delegate',
    ),
  resources: z
    .array(z.enum(['energy', 'bandwidth']))
    .max(2)
    .optional()
    .describe('What of stake is delegated, of delegate'),
  assets: z
    .array(z.object({ chain: z.string().max(64), symbol: z.string().max(32), at_least: amountText, at_most: amountText, day_most: amountText.optional() }))
    .min(1)
    .max(64)
    .describe(
      'at_least and at_most: in one transfer; day_most: in 24 hours, of all of them or of none; of rent it is wanted; of authorize, which reaches everything, no amount is read',
    ),
  fees: z
    .array(z.object({ chain: z.string().max(64), max: amountText, max_share: z.number().min(0.01).max(100) }))
    .max(64)
    .describe('One for each network; none of authorize, which costs nothing itself'),
  transfers: z.int().min(1).max(1_000_000).describe('At most so many transfers in 24 hours'),
  never: z.array(z.string().max(ADDRESS_MAX)).max(NEVER_MAX),
  days: z.int().min(1).max(366),
})

export const getStandingDraft = defineEndpoint({
  ...reading,
  path: '/api/mpc/standing/draft',
  summary: 'What a standing order was asked for with, to begin its next version from',
  input: z.object({ id: idText }),
  output: z.object({ draft: draft.nullable().describe('null: another page asks for orders of this kind') }),
  tenantParameters: ['id'],
})

export const proposeStandingOrder = defineEndpoint({
  ...writing,
  path: '/api/mpc/standing/propose',
  summary: 'Asks for a standing order, or for the next version of one; those who approve standing orders decide',
  input: z.object({ request_id: requestIdText, draft: jsonField(draft), remark: remarkText(), google_code: totpText.optional() }),
  output: z.object({ id: z.string(), approval_url: z.string(), idempotent: z.boolean() }),
})
