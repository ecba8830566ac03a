import { addressText, defineEndpoint, idListText, idText, jsonField, pageNumber, pageOf, pageSize, remarkText, timeMsText } from '@holdfast/contract'
import { COIN_PARTS } from '@holdfast/features/utxo/contract'
import * as z from 'zod'

// What waits to be collected, and why; what was collected, and for which fees.

const reading = {
  method: 'GET',
  permission: 'co_signer.read',
  staleOn: ['collecting.changed', 'standing.changed', 'order.changed', 'balance.changed'],
} as const
const operating = { method: 'POST', permission: 'co_signer.write', changes: ['collecting.changed', 'standing.changed'] } as const
const ofWallet = { tenantParameters: ['wallet_id'] } as const

const chainText = z.string().max(64)
const symbolText = z.string().max(32)

const held = z.object({
  id: z.string().describe('Network, coin and address'),
  chain: z.string(),
  network: z.string(),
  address: z.string(),
  sub_wallet_id: z.string(),
  sub_wallet_name: z.string(),
  symbol: z.string(),
  balance: z.string(),
  usd: z.string().nullable(),
  parts: z
    .array(z.object({ part: z.enum(COIN_PARTS), amount: z.string() }))
    .nullable()
    .describe('Where a network has coins, what of the balance lies in which of them, by the books; null elsewhere'),
  fee_coins: z
    .object({ amount: z.string(), symbol: z.string() })
    .nullable()
    .describe("Where it is a token, what the address has of the network's own coin, which is collected by the rule of that coin alone; null of that coin"),
  reason: z.string(),
  detail: z.string().nullable(),
  /** The one thing that would change it, of what can be done here. */
  action: z.enum(['none', 'collect_now', 'follow_rule', 'switch_on', 'run', 'include', 'unblock', 'set_rule']),
  next_try_at: z.int().nullable(),
  at: z.int(),
})

export const listCollectingFunds = defineEndpoint({
  ...reading,
  ...ofWallet,
  path: '/api/mpc/auto_collect/funds/list',
  summary: 'Every address that has something to collect, why it is not collected, and what would change that',
  input: z.object({
    wallet_id: idText,
    symbol: symbolText.optional(),
    reason: z.string().max(40).optional(),
    sub_wallet_id: idText.optional(),
    page_no: pageNumber,
    page_size: pageSize,
  }),
  output: pageOf(held).extend({
    stat: z.object({
      waiting_usd: z.string().nullable(),
      reasons: z.array(z.object({ reason: z.string(), count: z.int() })),
    }),
  }),
  tenantParameters: ['wallet_id', 'sub_wallet_id'],
})

export const getCollectingFunds = defineEndpoint({
  ...reading,
  ...ofWallet,
  path: '/api/mpc/auto_collect/funds/info',
  summary: 'What one address has of a coin, and why it is not collected; null if nothing is left to say',
  input: z.object({ wallet_id: idText, chain: chainText, symbol: symbolText, address: addressText }),
  output: held.nullable(),
})

const ids = jsonField(z.array(z.string().max(300)).min(1).max(200))

export const collectNow = defineEndpoint({
  ...operating,
  ...ofWallet,
  path: '/api/mpc/auto_collect/funds/collect_now',
  summary: 'Has addresses collected at the next look, whatever their rule says, within what is approved',
  input: z.object({ wallet_id: idText, ids }),
  output: z.object({ asked: z.int() }),
})

export const scanAll = defineEndpoint({
  ...operating,
  ...ofWallet,
  path: '/api/mpc/auto_collect/full_scan',
  summary: 'Looks at every address now',
  input: z.object({ wallet_id: idText }),
  output: z.object({ task_id: z.string() }),
})

export const getScan = defineEndpoint({
  ...reading,
  ...ofWallet,
  path: '/api/mpc/auto_collect/full_scan/status',
  summary: 'Whether a look is over, and what it found',
  input: z.object({ wallet_id: idText, task_id: z.string().regex(/^\d{13}$/, 'it must be the number that the call answered') }),
  output: z.object({ done: z.boolean(), looked_at: z.int().nullable(), waiting: z.int(), moving: z.int() }),
})

export const listCollectingDeposits = defineEndpoint({
  ...reading,
  ...ofWallet,
  path: '/api/mpc/auto_collect/deposit/list',
  summary: 'Deposits at addresses that still have something of the coin, the newest first',
  input: z.object({ wallet_id: idText, symbol: symbolText.optional(), page_no: pageNumber, page_size: pageSize }),
  output: pageOf(
    z.object({
      id: z.string(),
      chain: z.string(),
      network: z.string(),
      symbol: z.string(),
      amount: z.string(),
      address: z.string(),
      sub_wallet_name: z.string(),
      txid: z.string(),
      credited_at: z.int(),
      /** What somebody said of its address: collected now, left, or nothing. */
      said: z.enum(['now', 'leave', 'rule']),
    }),
  ),
})

export const modifyDeposit = defineEndpoint({
  ...operating,
  path: '/api/mpc/auto_collect/deposit/modify',
  summary: 'Says of the address of a deposit that its coin is collected now, is left, or follows its rule again',
  input: z.object({ wallet_id: idText, id: idText, credit_status: z.enum(['now', 'leave', 'rule']), remark: remarkText().default('') }),
  output: z.object({}),
  tenantParameters: ['wallet_id', 'id'],
})

export const mergeDeposits = defineEndpoint({
  ...operating,
  path: '/api/mpc/auto_collect/deposit/merge',
  summary: 'Collects several deposits of one address and coin in one transfer, though none of them would be by itself',
  input: z.object({ wallet_id: idText, ids: idListText(100), remark: remarkText().default('') }),
  output: z.object({ deposits: z.int(), amount: z.string(), symbol: z.string() }),
  tenantParameters: ['wallet_id', 'ids'],
})

const record = z.object({
  id: z.string(),
  trans_type: z.int().describe('10: collected; 11: sent for fees'),
  chain: z.string(),
  network: z.string(),
  symbol: z.string(),
  amount: z.string(),
  usd: z.string().nullable(),
  address_from: z.string(),
  address_to: z.string(),
  sub_wallet_name: z.string(),
  fee: z.string().nullable(),
  fee_symbol: z.string(),
  fee_pct: z.number().nullable().describe('Of the amount by the prices of now, in percent'),
  joined: z.int().nullable().describe('How many coins it joined, where the network has coins'),
  stays: z
    .object({ what: z.enum(['change', 'fee_room']), amount: z.string() })
    .nullable()
    .describe('What stayed at the paying address: change of its coins, or what was kept for the fee and not needed'),
  txid: z.string().nullable(),
  status: z.int(),
  sub_status: z.string(),
  can_speed_up: z.boolean(),
  can_cancel: z.boolean(),
  created_at: z.int(),
})

export const listCollectingRecords = defineEndpoint({
  ...reading,
  ...ofWallet,
  path: '/api/mpc/auto_collect/record/list',
  summary: 'What was collected and sent for fees, the newest first',
  input: z.object({
    wallet_id: idText,
    type: z.enum(['10', '11']).optional(),
    symbol: symbolText.optional(),
    txid: z.string().max(128).optional(),
    start_time: timeMsText.optional(),
    end_time: timeMsText.optional(),
    page_no: pageNumber,
    page_size: pageSize,
  }),
  output: pageOf(record),
})

export const getCollectingRecord = defineEndpoint({
  ...reading,
  path: '/api/mpc/auto_collect/record/info',
  summary: 'One of them',
  input: z.object({ wallet_id: idText, id: idText }),
  output: record,
  tenantParameters: ['wallet_id', 'id'],
})

export const cancelCollectingRecord = defineEndpoint({
  ...operating,
  path: '/api/mpc/auto_collect/record/cancel',
  summary: 'Takes a transfer back that no signer was told to begin with; its address is left until somebody says otherwise',
  input: z.object({ wallet_id: idText, id: idText, remark: remarkText().default('') }),
  output: z.object({ status: z.int(), sub_status: z.string() }),
  tenantParameters: ['wallet_id', 'id'],
})

export const speedUpCollectingRecord = defineEndpoint({
  ...operating,
  path: '/api/mpc/auto_collect/record/speed_up',
  summary: 'Raises the fee of a transfer that no block has taken yet, within the fee that it may cost: signers judge it as before',
  input: z.object({ wallet_id: idText, id: idText, remark: remarkText().default('') }),
  output: z.object({ status: z.int(), sub_status: z.string() }),
  tenantParameters: ['wallet_id', 'id'],
})

export const getCollectingStatistics = defineEndpoint({
  ...reading,
  ...ofWallet,
  path: '/api/mpc/auto_collect/record/stat',
  summary: 'What was collected each day, and for which fees, by the prices of now',
  input: z.object({ wallet_id: idText, period: z.enum(['7', '30', '90']).default('30') }),
  output: z.object({
    count: z.int(),
    value: z.string().nullable(),
    fee: z.string().nullable(),
    fee_pct: z.number().nullable(),
    days: z.array(
      z.object({
        ...{ day: z.int(), count: z.int(), value: z.string(), fee: z.string() },
        fee_pct: z.number().nullable().describe('Fees of what was collected; null where nothing was, or a price is missing'),
      }),
    ),
  }),
})
