import { defineEndpoint, idText } from '@holdfast/contract'
import * as z from 'zod'

export const coinView = z.object({
  symbol: z.string(),
  chain: z.string().describe('CAIP-2'),
  base_symbol: z.string().describe("Symbol of the network's own coin"),
  network: z.string().describe('Name of the network for people'),
  contract_address: z.string().nullable(),
  decimals: z.int(),
  deposit_confirmation: z.int(),
  explorers: z
    .array(z.object({ host: z.string(), tx_link: z.string(), address_link: z.string() }))
    .describe('Where its transactions and addresses can be looked at: links with {txid} and {address} in them'),
})

export const listOpenCoins = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/wallet/open/coin',
  permission: 'wallet.read',
  summary: 'Networks and coins the organisation may use',
  input: z.object({ wallet_id: idText.optional() }),
  output: z.object({ open_main_chain: z.array(coinView), support_main_chain: z.array(coinView.extend({ if_open_chain: z.boolean() })) }),
  tenantParameters: ['wallet_id'],
})

export const getNetworkStatus = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/network/status',
  permission: 'member',
  summary: 'Height and health of each network, and of the signers',
  input: z.object({}),
  output: z.object({
    networks: z.array(
      z.object({
        chain: z.string(),
        network: z.string(),
        height: z.string().nullable(),
        healthy: z.boolean(),
        sources: z.int().describe('How many sources are asked; with more than one, two must agree on what is final'),
        internal_transfers: z
          .enum(['seen', 'by_balance'])
          .nullable()
          .describe('How coin that contracts move is found: in their traces, or by balances where no source shows these; null where the network has none'),
        halt: z.object({ reason: z.string(), since: z.int() }).nullable().describe('Why nothing of this network is signed or booked now'),
        local: z.boolean(),
        faucet_url: z.string().nullable(),
      }),
    ),
    alarms: z
      .array(
        z.object({
          cause: z.enum(['books', 'missing', 'surplus', 'pulled', 'control', 'untold', 'odd_log', 'uncredited']),
          chain: z.string(),
          network: z.string(),
          symbol: z.string(),
          address: z.string().nullable(),
          reason: z.string(),
          since: z.int(),
          pull_id: z.string().nullable().describe('Of what was taken: its record among the transactions, where a person can acknowledge it'),
        }),
      )
      .describe(
        "What is wrong with the organisation's own money: books that do not add up (the asset is halted), a chain that has less or more, or tokens that somebody took under an allowance",
      ),
    signers: z.array(z.object({ party: z.int(), name: z.string(), online: z.boolean() })),
  }),
})
