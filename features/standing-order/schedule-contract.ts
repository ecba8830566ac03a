import { defineEndpoint, idText, jsonField, remarkText, requestIdText, totpText } from '@holdfast/contract'
import * as z from 'zod'

// Payments on dates: a form of the standing order. One address pays an amount to one address on each of some days.

/** So long an address is at most. */
export const ADDRESS_MAX = 128

/** An amount in whole units. */
export const amountText = z.string().regex(/^\d{1,60}(\.\d{1,30})?$/)

/** The name of a standing order, which is signed with it: 200 bytes at most, whatever it is written in. */
export const signedName = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .refine((text) => new TextEncoder().encode(text).length <= 200, 'it is too long to be signed: choose a shorter one')

/** How it stands with a date of a schedule. `late`: its time has come, and nothing pays it yet. `ended`: somebody stopped the standing order before it was paid. */
export const PAYMENT_STATES = ['planned', 'late', 'under_way', 'paid', 'skipped', 'failed', 'ended'] as const

/** So many dates a schedule has at most, and so many days late a payment is made at most. */
export const DATES_MAX = 366
export const LATE_DAYS_MAX = 31

const dateText = z
  .string()
  .regex(/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/)
  .describe('A day of UTC, such as 2026-12-31')

/** What is asked for: amounts in whole units. `id`: the standing order of which it is to be the next version. */
const schedule = z.object({
  id: z.uuid().nullable(),
  name: signedName,
  sub_wallet_id: z.uuid().describe('Its first address on the network pays'),
  chain: z.string().max(64),
  symbol: z.string().max(32),
  amount: amountText.describe('What each payment pays'),
  address: z.string().max(ADDRESS_MAX).describe('Whom it pays: an own address, one on the whitelist, or any other, which those who govern approve'),
  memo: z.string().max(256),
  fee_max: amountText.describe("What one payment costs at most, in the network's own coin"),
  dates: z.array(dateText).min(1).max(DATES_MAX),
  time: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/)
    .describe('From when on it is paid on those days, by UTC'),
  late_days: z.int().min(1).max(LATE_DAYS_MAX).describe('How many days later a payment is made that could not be made then; after that it is skipped'),
})

export const proposeSchedule = defineEndpoint({
  method: 'POST',
  permission: 'policy.propose',
  changes: ['standing.changed', 'todo.changed'],
  path: '/api/mpc/standing/schedule/propose',
  summary: 'Asks for payments on dates, or for the next version of such a standing order',
  input: z.object({ request_id: requestIdText, schedule: jsonField(schedule), remark: remarkText(), google_code: totpText.optional() }),
  output: z.object({
    id: z.string(),
    approval_url: z.string(),
    idempotent: z.boolean(),
    payee: z.enum(['own', 'listed', 'written']).describe('written: neither own nor on the whitelist, so those who govern decide'),
  }),
})

export const getScheduleDraft = defineEndpoint({
  method: 'GET',
  permission: 'policy.read',
  staleOn: ['standing.changed', 'policy.changed', 'order.changed'],
  path: '/api/mpc/standing/schedule/draft',
  summary: 'What payments on dates were asked for with, to begin their next version from',
  input: z.object({ id: idText }),
  output: z.object({
    draft: schedule
      .extend({ id: z.string(), wallet_id: z.string(), dates: z.array(dateText).describe('Those that are still to come') })
      .nullable()
      .describe('null: it is no schedule, or what pays is known no more'),
    unpaid: z.array(dateText).describe('Dates that have come and are not paid yet: a next version does not pay them'),
  }),
  tenantParameters: ['id'],
})

/** How it stands with one date. */
export const scheduledPayment = z.object({
  date: z.string(),
  due_at: z.int(),
  late_until: z.int(),
  state: z.enum(PAYMENT_STATES),
  order_id: z.string().nullable(),
  reason: z.string().nullable().describe('Why it is not paid'),
  detail: z.string().nullable().describe('An amount in whole units, of which the reason says what it is'),
})

export const listScheduledPayments = defineEndpoint({
  method: 'GET',
  permission: 'policy.read',
  staleOn: ['standing.changed', 'policy.changed', 'order.changed'],
  path: '/api/mpc/standing/schedule/payments',
  summary: 'Every date of a schedule, and whether it was paid',
  input: z.object({ id: idText }),
  output: z.object({ list: z.array(scheduledPayment) }),
  tenantParameters: ['id'],
})
