import { defineEndpoint } from '@holdfast/contract'
import { PAYMENT_STATES } from '@holdfast/features/standing-order/contract'
import * as z from 'zod'

const common = z.object({ at: z.int(), date: z.string().describe('The day of UTC, such as 2026-12-31') })
const amount = { amount: z.string(), symbol: z.string() }

/** What is on a day. */
export const calendarEntry = z.discriminatedUnion('kind', [
  common.extend({
    ...{ kind: z.literal('payment'), state: z.enum(PAYMENT_STATES), name: z.string(), ...amount },
    standing_order_id: z.string(),
    order_id: z.string().nullable(),
  }),
  common.extend({ kind: z.literal('held'), ...amount, order_id: z.string() }).describe('An order whose rule has it wait after its last approval: it goes then'),
  common.extend({ kind: z.literal('approval'), ...amount, order_id: z.string() }).describe('An order that people can approve until then'),
  common.extend({ kind: z.literal('batch'), file_name: z.string(), batch_id: z.string() }).describe('A batch that can be approved and paid until then'),
  common.extend({ kind: z.literal('standing'), name: z.string(), standing_order_id: z.string() }).describe('A standing order that ends then'),
])

export const getCalendar = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/calendar',
  permission: 'policy.read',
  staleOn: ['standing.changed', 'order.changed', 'batch.changed', 'policy.changed'],
  summary: 'Scheduled payments, held sends, and what ends, by the days of a month of UTC',
  input: z.object({
    month: z
      .string()
      .regex(/^20\d\d-(0[1-9]|1[0-2])$/)
      .describe('A month of UTC, such as 2026-12'),
  }),
  output: z.object({ list: z.array(calendarEntry) }),
})
