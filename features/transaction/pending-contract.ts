import { defineEndpoint, idText } from '@holdfast/contract'
import { fiatText } from '@holdfast/features/price/contract'
import * as z from 'zod'

const value = z.string().nullable().describe('Decimal text in the currency that was asked for, at the price of now; null where none is known')

const pendingStage = z.enum(['deposit', 'approval', 'signature', 'confirmation'])

export const listPending = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/transaction/pending',
  permission: 'wallet.read',
  staleOn: ['order.changed', 'deposit.changed', 'wallet.changed'],
  summary: 'How much is on its way: deposits that are not credited yet, and orders that wait for approval, a signature or confirmations',
  input: z.object({ sub_wallet_id: idText.optional(), fiat: fiatText }),
  output: z.object({
    stages: z.array(
      z.object({
        stage: pendingStage,
        count: z
          .int()
          .describe(
            'Deposits or orders in all, also those whose amount is not on its way: cancellations, deposits that are held back or that no block has yet',
          ),
        usd: value,
        usd_partial: z.boolean().describe('A coin among them has no price, so that the value is of the others only'),
        coins: z.array(
          z.object({
            symbol: z.string(),
            chain: z.string(),
            network: z.string(),
            contract_address: z.string().nullable(),
            amount: z.string().describe('Decimal text, exact'),
            usd: value,
          }),
        ),
      }),
    ),
  }),
  tenantParameters: ['sub_wallet_id'],
})
