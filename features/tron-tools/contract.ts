import { addressText, amountText, defineEndpoint, idListText, idText, timeMsText } from '@holdfast/contract'
import * as z from 'zod'

export * from './agent-contract.ts'

const reading = { method: 'GET', permission: 'tools.read', staleOn: ['tron.changed'] } as const
const writing = { method: 'POST', permission: 'tools.write', changes: ['tron.changed'] } as const

const units = z.string().describe('A whole number: units of energy, or bytes of bandwidth')
const amount = z.string().describe('Decimal text, exact')
const wholeText = z.string().regex(/^(0|[1-9]\d{0,17})$/, 'it must be a whole number')
const place = { chain: z.string().max(64), address: addressText }

/** What can be short. */
export const SHORT_OF = ['energy', 'net', 'trx'] as const
export const FEE_GROUPS = ['day', 'sub_wallet', 'kind'] as const

const meter = z.object({ have: units, limit: units })

export const listMonitored = defineEndpoint({
  ...reading,
  path: '/api/mpc/tools/tron/monitor/list',
  summary: 'The own addresses that are watched, what they have by the last look, and when it runs out if it goes on as it did',
  input: z.object({ wallet_id: idText.optional() }),
  output: z.array(
    z.object({
      chain: z.string(),
      network: z.string(),
      symbol: z.string(),
      address: z.string(),
      wallet_name: z.string(),
      sub_wallet_name: z.string(),
      looked_at: z.int().nullable().describe('Null if the network has not said anything yet'),
      energy: meter.nullable(),
      net: meter.nullable(),
      trx: amount.nullable(),
      energy_min: units,
      net_min: units,
      trx_min: amount,
      forecast_h: z.int().nullable().describe('Hours until the first of them reaches its threshold; null if none is on its way there'),
      forecast_of: z.enum(SHORT_OF).nullable(),
      alert: z.array(z.enum(SHORT_OF)).describe('What is below its threshold'),
      alert_since: z.int().nullable(),
      receivers: z.array(z.string()).describe("Whom this one tells; none for the organisation's receivers"),
      samples: z.array(z.object({ at: z.int(), energy: units, net: units, trx: amount })).describe('One for each hour of the last seven days'),
    }),
  ),
  tenantParameters: ['wallet_id'],
})

export const saveMonitored = defineEndpoint({
  ...writing,
  path: '/api/mpc/tools/tron/monitor/save',
  summary: 'Watches an own address, or changes from when on somebody is told; a threshold of 0 tells nobody',
  input: z.object({
    ...place,
    energy_min: wholeText.default('0'),
    net_min: wholeText.default('0'),
    trx_min: amountText.default('0'),
    receivers: idListText(50).optional().describe("Whom this one tells; the organisation's receivers where absent"),
  }),
  output: z.null(),
})

export const removeMonitored = defineEndpoint({
  ...writing,
  path: '/api/mpc/tools/tron/monitor/delete',
  summary: 'Ends watching an address; what was read of it stays',
  input: z.object(place),
  output: z.null(),
})

export const readFeeUsage = defineEndpoint({
  method: 'GET',
  permission: 'tools.read',
  staleOn: ['order.changed'],
  path: '/api/mpc/tools/tron/fee/usage',
  summary: 'What payments burned on TRON and what was paid for rented energy, by the ledger; without any fee in that time it is refused as having no data',
  input: z.object({ start_time: timeMsText, end_time: timeMsText, group: z.enum(FEE_GROUPS).default('day') }),
  output: z.object({
    symbol: z.string(),
    burned_trx: amount,
    rented_trx: amount,
    saved_trx: amount.nullable().describe('What lent and rented energy saved of fees, less what was paid for it; null if the agent did nothing in that time'),
    list: z.array(
      z.object({
        key: z.string().describe('A day in milliseconds of UTC, the id of a sub-wallet, or a kind of order'),
        name: z.string(),
        burned_trx: amount,
        rented_trx: amount,
        count: z.int(),
      }),
    ),
  }),
})

export const listNoticeReceivers = defineEndpoint({
  ...reading,
  path: '/api/mpc/tools/tron/notice/receivers',
  summary: 'Who is told by e-mail of an address that runs out',
  input: z.object({}),
  output: z.object({ list: z.array(z.object({ person_id: z.string(), name: z.string() })) }),
})

export const saveNoticeReceivers = defineEndpoint({
  ...writing,
  path: '/api/mpc/tools/tron/notice/receivers/save',
  summary: 'Adds members to those who are told',
  input: z.object({ person_ids: idListText(50) }),
  output: z.null(),
  tenantParameters: ['person_ids'],
})

export const removeNoticeReceivers = defineEndpoint({
  ...writing,
  path: '/api/mpc/tools/tron/notice/receivers/delete',
  summary: 'Tells these members no longer',
  input: z.object({ person_ids: idListText(50) }),
  output: z.null(),
  tenantParameters: ['person_ids'],
})
