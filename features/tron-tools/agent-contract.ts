import {
  addressText,
  amountText,
  boolText,
  defineEndpoint,
  idListText,
  idText,
  jsonField,
  keywordText,
  pageNumber,
  pageSize,
  requestIdText,
  timeMsText,
  totpText,
  wholeNumberText,
} from '@holdfast/contract'
import * as z from 'zod'

// How energy is lent to own addresses before they pay, or rented for them: without asking again, under standing orders that people approved.

const reading = { method: 'GET', permission: 'tools.read', staleOn: ['tron.changed', 'standing.changed', 'policy.changed'] } as const
const writing = { method: 'POST', permission: 'tools.write', changes: ['tron.changed'] } as const

const units = z.string().describe('A whole number: units of energy, or bytes of bandwidth')
const amount = z.string().describe('Decimal text, exact, in TRX')
const meter = z.object({ have: units, limit: units })

/** An own address that lends, or pays for rented energy. */
const ownAddress = z.object({
  wallet_id: z.string(),
  sub_wallet_id: z.string(),
  name: z.string(),
  address: z.string(),
  permission_ok: z.boolean().nullable().describe('Its own key alone signs for it; null if the network does not say'),
})

/** What is done where nothing can be lent or rented. */
export const FALLBACKS = ['burn', 'wait', 'stop'] as const

export const getAgent = defineEndpoint({
  ...reading,
  path: '/api/mpc/tools/tron/proxy/info',
  summary: 'How energy is lent before payments: who lends, under which standing order, what else is done, and what came of it in the last 24 hours',
  input: z.object({}),
  output: z.object({
    chain: z.string(),
    network: z.string(),
    symbol: z.string(),
    enabled: z.boolean(),
    auth_wallet_id: z.string().nullable(),
    auth_sub_wallet_id: z.string().nullable(),
    auth_name: z.string().nullable(),
    auth_address: z.string().nullable(),
    permission_ok: z.boolean().nullable().describe('Its own key alone signs for the address that lends; null if the network does not say, or nothing lends'),
    lender: z.object({ energy: meter, staked_trx: amount, delegated_trx: amount, delegatable_trx: amount }).nullable(),
    standing: z
      .object({ name: z.string(), at_most_trx: amount, until: z.int() })
      .nullable()
      .describe('The standing order that lends energy on the network; null if none is in force'),
    lenders: z
      .array(ownAddress.extend({ energy: meter.nullable(), staked_trx: amount.nullable(), delegated_trx: amount.nullable() }))
      .describe('Everybody who is asked to lend, in this sequence; the first is auth_address'),
    rent: z
      .object({
        enabled: z.boolean(),
        market: z
          .object({ host: z.string(), label: z.string(), pay_to: z.string(), hours: z.int() })
          .nullable()
          .describe('Null if nobody rents energy out here, or does not say'),
        payer: ownAddress.nullable(),
        max_trx: amount.describe('What may be paid without asking for one payment'),
        budget_day: amount.describe('What may be paid without asking in 24 hours'),
        today_trx: amount.describe('What was paid in the last 24 hours, with what is about to be'),
        standing: z.object({ name: z.string(), pay_to: z.string(), at_most_trx: amount, day_most_trx: amount.nullable(), until: z.int() }).nullable(),
      })
      .describe('How energy is rented where nobody lends'),
    budget_day: amount.describe('What may be burned without asking in 24 hours'),
    max_trx: amount.describe('What may be burned without asking for one payment'),
    fallback: z.enum(FALLBACKS),
    accounts_on: z.int(),
    prices: z.array(z.object({ resource_type: z.literal('energy'), type: z.enum(['burn', 'rent']), price_sun: units })).describe('What a unit costs'),
    today: z
      .object({
        payments: z.int().describe('Of which it was read in this time what they used'),
        used: units,
        covered: units,
        burned_trx: amount.describe('As the budget counts it: with what payments that are on their way may burn'),
        rented_trx: amount.describe('As the budget counts it: with what is about to be paid'),
        saved_trx: amount,
      })
      .describe('The last 24 hours'),
    hours: z.array(z.object({ at: z.int(), used: units, covered: units, burned_trx: amount })).describe('The last 24 hours, by the hour'),
  }),
})

export const saveAgent = defineEndpoint({
  ...writing,
  path: '/api/mpc/tools/tron/proxy/save',
  summary: 'Sets who lends energy, and what is done where nothing can be lent. What signers let pass is what the standing order says, and no more',
  input: z.object({
    auth_sub_wallet_id: idText,
    fallback: z.enum(FALLBACKS),
    budget_day: amountText,
    max_trx: amountText,
    further_lenders: idListText(8).optional().describe('Sub-wallets that are asked to lend after it, in this sequence; nobody where absent'),
    rents: boolText.optional().describe('Whether energy is rented where nobody lends; as before where absent'),
    payer_sub_wallet_id: idText.optional().describe('Whose first address pays for rented energy'),
    rent_budget_day: amountText.optional(),
    rent_max_trx: amountText.optional(),
    google_code: totpText.optional(),
  }),
  output: z.null(),
  tenantParameters: ['auth_sub_wallet_id', 'further_lenders', 'payer_sub_wallet_id'],
})

export const switchAgent = defineEndpoint({
  ...writing,
  path: '/api/mpc/tools/tron/proxy/status',
  summary: 'Switches lending on or off. Off, payments no longer wait for energy, and what is lent is taken back once their payments are over',
  input: z.object({ enabled: boolText, google_code: totpText.optional() }),
  output: z.null(),
})

export const listAgentAccounts = defineEndpoint({
  ...reading,
  path: '/api/mpc/tools/tron/proxy/account/list',
  summary: 'Own addresses on TRON, what they have by the word of the network, what is lent to them, and whether their payments wait for energy',
  input: z.object({ keyword: keywordText.optional(), page_no: pageNumber, page_size: pageSize }),
  output: z.object({
    pageTotal: z.int(),
    list: z.array(
      z.object({
        address: z.string(),
        sub_wallet_id: z.string(),
        wallet_name: z.string(),
        sub_wallet_name: z.string(),
        energy: meter.nullable().describe('Null if the network does not say'),
        net: meter.nullable(),
        lent_trx: amount.describe('Stake whose energy is lent to it now'),
        auto: z.boolean(),
      }),
    ),
  }),
})

export const operateAgentAccounts = defineEndpoint({
  ...writing,
  path: '/api/mpc/tools/tron/proxy/account/operate',
  summary: 'Has the payments of own addresses wait for energy, or not any more; what waits for it then goes on at once',
  input: z.object({ addresses: jsonField(z.array(addressText).min(1).max(200)), op: z.enum(['on', 'off']) }),
  output: z.null(),
})

export const SUPPLY_STATES = ['waiting', 'lending', 'renting', 'ready', 'burning', 'stopped', 'returning', 'over'] as const

const delegation = z.object({
  id: z.string(),
  resource_type: z.literal('energy'),
  status: z.enum(SUPPLY_STATES),
  reason: z.string().nullable(),
  address: z.string(),
  sub_wallet_name: z.string().nullable(),
  order_id: z.string().nullable().describe('The payment it is for; null if somebody asked for it'),
  energy_num: units.describe('What the payment uses, by its trial'),
  lacked: units.describe('What of that its address did not have'),
  lender: z.string().nullable(),
  stake_trx: amount.nullable(),
  energy_txid: z.string().nullable(),
  energy_time: z.int().nullable(),
  reclaim_energy_txid: z.string().nullable(),
  reclaim_energy_time: z.int().nullable(),
  energy_price: units.describe('What the network burns for a unit, in sun'),
  used: units.nullable().describe('By the receipt of the payment'),
  covered: units.nullable().describe('What of that nobody paid for'),
  burned_trx: amount.nullable(),
  passed: z
    .array(z.object({ by: z.enum(['lend', 'rent']), who: z.string(), reason: z.string() }))
    .describe('Who was passed over, in the sequence in which they were asked, and why'),
  rent_order_id: z.string().nullable().describe('The order that pays for rented energy'),
  rent_txid: z.string().nullable(),
  rented: units.nullable().describe('Units that were rented for it'),
  rented_trx: amount.nullable().describe('What is paid for them; null if nothing was rented'),
  saved_trx: amount.nullable().describe('What the covered units would have burned, less what was paid for rented ones'),
  created_at: z.int(),
})

export const listDelegations = defineEndpoint({
  ...reading,
  path: '/api/mpc/tools/tron/delegate/list',
  summary: 'What was lent or rented for payments, and what they used and burned, the newest first',
  input: z.object({
    status: z.enum(SUPPLY_STATES).optional(),
    start_time: timeMsText.optional(),
    end_time: timeMsText.optional(),
    page_no: pageNumber,
    page_size: pageSize,
  }),
  output: z.object({ pageTotal: z.int(), list: z.array(delegation) }),
})

export const getDelegation = defineEndpoint({
  ...reading,
  path: '/api/mpc/tools/tron/delegate/info',
  summary: 'One loan of energy: by its id, or the newest of an address. Without one it is refused as having no data',
  input: z.object({ id: idText.optional(), address: addressText.optional() }),
  output: delegation,
  tenantParameters: ['id'],
})

const asked = { address_from: addressText, address_to: addressText.optional(), contract_address: addressText.optional() }

export const estimateDelegation = defineEndpoint({
  ...reading,
  path: '/api/mpc/tools/tron/delegate/estimate',
  summary: 'What a transfer of a token from an own address would use, by a trial on the network, and what it would burn without energy',
  input: z.object({ ...asked, address_to: addressText, contract_address: addressText }),
  output: z.object({
    energy: units,
    net: units,
    available: units,
    fee_limit: units.describe('In sun'),
    burn_trx: amount,
    rent_trx: amount.nullable().describe('What it costs to rent what lacks now; null if nobody rents it out, or nothing lacks'),
    stake_trx: amount.nullable().describe('Stake whose energy is what lacks; null if nothing lends'),
    saving_pct: z.int(),
  }),
})

export const createDelegation = defineEndpoint({
  ...writing,
  path: '/api/mpc/tools/tron/delegate/create',
  summary: 'Has energy lent to an own address for an hour, under the standing order: so many units, or what a transfer of a token would lack',
  input: z.object({ request_id: requestIdText, resource_type: z.literal('energy'), energy_num: wholeNumberText(1, 10_000_000).optional(), ...asked }),
  output: z.object({ trans_id: z.string(), idempotent: z.boolean() }),
})
