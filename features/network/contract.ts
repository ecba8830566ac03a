import { FAMILY_NAMES } from '@holdfast/chain-registry/families'
import { boolText, defineEndpoint, idText, remarkText, wholeNumberText } from '@holdfast/contract'
import * as z from 'zod'

const place = {
  chain: z.string().describe('CAIP-2'),
  network: z.string().describe('Name of the network for people'),
}

/** The family of a network. */
export const coinType = z.enum(FAMILY_NAMES)

const networkView = z.object({
  ...place,
  symbol: z.string().describe("Of the network's own coin, in which fees are paid"),
  decimals: z.int(),
  coin_type: coinType,
  support_memo: z.boolean().describe('Whether a payment carries a text for the one who is paid'),
  support_acceleration: z.boolean().describe('Whether what waits for a block can be replaced at a higher fee, or cancelled'),
  deposit_confirmation: z.int(),
  withdraw_confirmation: z.int(),
  explorers: z
    .array(z.object({ host: z.string(), tx_link: z.string(), address_link: z.string() }))
    .describe('Where its transactions and addresses can be looked at: links with {txid} and {address} in them'),
})

const coinView = z.object({
  ...place,
  symbol: z.string(),
  base_symbol: z.string().describe("Symbol of the network's own coin"),
  contract_address: z.string().nullable().describe("Null of the network's own coin"),
  decimals: z.int(),
})

export const listOpenCoins = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/wallet/open/coin',
  permission: 'wallet.read',
  staleOn: ['wallet.changed', 'policy.changed'],
  summary: 'Networks that a wallet has addresses on, all there are, and the coins of the first',
  input: z.object({ wallet_id: idText.optional() }),
  output: z.object({
    open_main_chain: z.array(networkView),
    support_main_chain: z.array(networkView.extend({ if_open_chain: z.boolean() })),
    coin_list: z.array(coinView.extend({ if_open: z.boolean().describe('Whether it is on the list of the wallet') })),
  }),
  tenantParameters: ['wallet_id'],
})

export const getNetworkStatus = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/network/status',
  permission: 'member',
  staleOn: ['network.changed', 'pull.changed', 'token.changed'],
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
        reading: z
          .object({ from_height: z.string(), to_height: z.string(), read_height: z.string().nullable(), found: z.int(), done_at: z.int().nullable() })
          .nullable()
          .describe('The last request of this organisation to read blocks again, how far it has come and how many payments it found'),
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
          contract: z.string().describe('The asset by the text that books name it with: empty for the own coin'),
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

export const acknowledgeAlarm = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/network/alarm/acknowledge',
  permission: 'deposit.audit',
  changes: ['network.changed'],
  summary: 'Says that a person has seen an alarm and looked into it: it ends, and comes again where the same happens again or a surplus grows',
  input: z.object({
    chain: z.string().max(41),
    contract: z.string().max(128).default(''),
    cause: z.enum(['surplus', 'untold', 'odd_log', 'uncredited']),
    address: z.string().max(128).default(''),
  }),
  output: z.object({ at: z.int() }),
})

/** Blocks that one request may have read again. */
export const BLOCKS_MAX = 10_000
const heightText = wholeNumberText(0, Number.MAX_SAFE_INTEGER)

export const readBlocksAgain = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/network/read/again',
  permission: 'deposit.audit',
  changes: ['network.changed'],
  summary: 'Has blocks of a network read again, for payments that a source left out; at most 10,000 at a time. What is found is booked like any other deposit',
  input: z
    .object({
      chain: z.string().max(41),
      from_height: heightText,
      to_height: heightText.optional().describe('Without it as many as one request may have read, or up to the last that was read'),
    })
    .refine(({ from_height, to_height = from_height }) => to_height >= from_height && to_height - from_height < BLOCKS_MAX, {
      path: ['to_height'],
      error: `it must be from the first height to at most ${BLOCKS_MAX - 1} above it`,
    }),
  output: z.object({ id: z.string() }),
})

export const tokenSigns = z
  .object({
    functions: z.array(z.object({ kind: z.enum(['rebase', 'fee']), name: z.string() })),
    compared: z.int().describe('Holders of the newest transfers whose balances were compared with what those say'),
    differing: z.int().describe('Of these, whose balance changed by something else'),
  })
  .nullable()
  .describe('What tells that its balances differ from what it logs; null where nobody could look. That nothing is found proves nothing')

export const getTokenMark = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/network/token/mark',
  permission: 'wallet.read',
  staleOn: ['token.changed'],
  summary: 'Whether a token is marked as one whose balances differ from what it logs, by whom and why, and what tells that they do',
  input: z.object({ chain: z.string().max(41), contract: z.string().min(1).max(128) }),
  output: z.object({ mark: z.object({ by: z.string(), at: z.int(), reason: z.string() }).nullable(), signs: tokenSigns }),
})

export const markToken = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/network/token/mark',
  permission: 'deposit.audit',
  changes: ['token.changed'],
  summary:
    'Marks a token whose balances differ from what it logs (a fee on each transfer, balances that change by themselves): what comes of it is held, and nothing compares it. Or takes the mark back',
  input: z.object({ chain: z.string().max(41), contract: z.string().min(1).max(128), uneven: boolText, reason: remarkText(200).default('') }),
  output: z.null(),
})
