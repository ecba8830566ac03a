import { defineEndpoint, idText } from '@holdfast/contract'
import { fiatText } from '@holdfast/features/price/contract'
import * as z from 'zod'

const amount = z.string().describe('Decimal text, exact')
const value = z.string().nullable().describe('Decimal text in the currency that was asked for, of what a price is known for; null where of nothing')
const partial = z.boolean().describe('Something moved that no price is known for, so that the values are of the rest only')
const day = z.int().describe('When the day begins, in UTC')

const values = { in: value, out: value, fee: value, partial }
const amounts = { in: amount, out: amount, fee: amount }

const coinFlow = z.object({
  symbol: z.string(),
  chain: z.string(),
  network: z.string(),
  contract_address: z.string().nullable().describe("Null of the network's own coin"),
  ...amounts,
  partial,
  days: z.array(z.object({ day, ...amounts })).describe('The days on which something moved'),
})

export const FLOW_RANGES = ['7d', '30d', '90d'] as const

export const listFlows = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/wallets/flows',
  permission: 'wallet.read',
  staleOn: ['balance.changed'],
  summary:
    'What came in, what went out and what the networks took in fees, by the UTC day on which it was booked: of the whole organisation, where transfers between its own wallets are neither, or of one sub-wallet, where they are both',
  input: z.object({ sub_wallet_id: idText.optional(), range: z.enum(FLOW_RANGES).default('30d'), fiat: fiatText }),
  output: z.object({
    days: z.array(z.object({ day, ...values })).describe('Every day, at its last price, today at that of now'),
    total: z.object(values),
    coins: z.array(coinFlow).describe('What moved, the most valuable first'),
    price_source: z.string().nullable(),
  }),
  tenantParameters: ['sub_wallet_id'],
})
