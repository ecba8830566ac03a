import {
  amountText,
  boolText,
  defineEndpoint,
  idText,
  jsonField,
  keywordText,
  pageNumber,
  pageOf,
  pageSize,
  positiveAmountText,
  remarkText,
  timeMsText,
  totpText,
  wholeNumberText,
} from '@holdfast/contract'
import * as z from 'zod'

// Collection by contract: a contract of ours takes tokens from the addresses that allow it, or in whose name its code runs, many in one transaction, to one
// address that is fixed in its code.

const reading = {
  method: 'GET',
  permission: 'collection.read',
  staleOn: ['collecting.changed', 'standing.changed', 'policy.changed', 'order.changed'],
} as const
const writing = { method: 'POST', permission: 'collection.write', changes: ['collecting.changed', 'standing.changed', 'todo.changed'] } as const
const ofConfig = { tenantParameters: ['id'] } as const

const chainText = z.string().max(64)
const contractText = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'it must be the address of a token')
/** Empty: at any time. `hourly`: in the first minutes of each hour. A time of day (UTC): in the hour that begins then. */
const scheduleField = z.string().regex(/^(|hourly|([01]\d|2[0-3]):[0-5]\d)$/, 'it must be empty, hourly, or a time of day such as 02:30')
const place = z.object({ wallet_id: z.string(), sub_wallet_id: z.string(), sub_wallet_name: z.string(), address: z.string() })
const orderKind = z.enum(['collect', 'allow', 'fuel', 'take', 'authorize'])
const pending = z.array(z.object({ trade_no: z.string(), kind: orderKind, approval_url: z.string() }))
const way = z
  .enum(['allowance', 'delegation'])
  .describe('allowance: addresses allow it to take amounts; delegation: its code runs in their name (EIP-7702), and they need no coins for fees')

const config = z.object({
  id: z.string(),
  wallet_id: z.string(),
  name: z.string(),
  chain: z.string(),
  network: z.string(),
  way,
  contract_address: z.string().describe('Where the contract stands: it follows from its code and its target'),
  publish_txid: z.string().nullable(),
  target: place,
  payer: place.describe('Deploys the contract, calls it, and sends coins for the fees of allowances'),
  status: z.enum(['draft', 'publishing', 'running', 'paused', 'stopped']),
  revoking: z.boolean().describe('Paused, and what addresses allow is taken back'),
  tokens: z.int(),
  auth: z.object({ done: z.int(), total: z.int() }).describe('Addresses with something to collect, and those of them that allow it'),
  gas_balance: z.string(),
  gas_symbol: z.string(),
  fee_max: z.string().describe('The most that one transaction may cost, in the own coin'),
  transactions: z.int().describe('Transactions in 24 hours, at most'),
  days: z.int().describe('Days that the next approval is for'),
  until: z.int().nullable(),
  unapproved: z.array(orderKind).describe('What of it needs an approval, or another one'),
  pending,
  orders: z.object({ collect: z.string().nullable(), allow: z.string().nullable() }).describe('Its standing orders, whose reasons say why addresses are left'),
  created_at: z.int(),
})

export const listCollectors = defineEndpoint({
  ...reading,
  path: '/api/mpc/collect/config/list',
  summary: 'The collector contracts of a wallet, and what each does',
  input: z.object({
    wallet_id: idText,
    chain: chainText.optional(),
    status: z.enum(['draft', 'publishing', 'running', 'paused', 'stopped']).optional(),
    page_no: pageNumber,
    page_size: pageSize,
  }),
  output: pageOf(config),
  tenantParameters: ['wallet_id'],
})

export const getCollector = defineEndpoint({
  ...reading,
  ...ofConfig,
  path: '/api/mpc/collect/config/info',
  summary: 'One collector contract: where it stands, to where it collects, and what of it waits for an approval',
  input: z.object({ id: idText }),
  output: config,
})

export const saveCollector = defineEndpoint({
  ...writing,
  path: '/api/mpc/collect/config/save',
  summary: 'Drafts a collector contract, or changes a draft; once approvals are asked for, its target is fixed',
  input: z.object({
    id: idText.optional(),
    wallet_id: idText,
    name: z.string().trim().min(1).max(60),
    chain: chainText,
    way: way.default('allowance'),
    target_sub_wallet_id: idText,
    payer_sub_wallet_id: idText,
    fee_max: positiveAmountText,
    transactions: wholeNumberText(1, 1_000_000).default(1000),
    days: wholeNumberText(1, 366).default(90),
    google_code: totpText.optional(),
  }),
  output: z.object({ id: z.string(), contract_address: z.string() }),
  tenantParameters: ['id', 'wallet_id', 'target_sub_wallet_id', 'payer_sub_wallet_id'],
})

export const publishCollector = defineEndpoint({
  ...writing,
  ...ofConfig,
  path: '/api/mpc/collect/config/publish',
  summary: 'Asks for what a collector still needs an approval for; once that is given it is deployed, addresses allow it, and it collects',
  input: z.object({ id: idText, remark: remarkText().default(''), google_code: totpText.optional() }),
  output: z.object({ pending, txid: z.string().nullable() }),
})

export const setCollectorStatus = defineEndpoint({
  ...writing,
  ...ofConfig,
  path: '/api/mpc/collect/config/status',
  summary: 'Pauses a collector at once, and takes back where asked what addresses allow or authorize; or lets it go on',
  input: z.object({ id: idText, status: z.enum(['run', 'pause']), revoke: boolText.default(false) }),
  output: z.object({}),
})

export const deleteCollector = defineEndpoint({
  ...writing,
  ...ofConfig,
  path: '/api/mpc/collect/config/delete',
  summary: 'Takes a collector out that no address allows or authorizes any more',
  input: z.object({ id: idText, google_code: totpText.optional() }),
  output: z.object({}),
})

export const listCollectorChains = defineEndpoint({
  ...reading,
  path: '/api/mpc/collect/chains',
  summary: 'On which networks of a wallet a collector contract works, and where addresses can delegate to one',
  input: z.object({ wallet_id: idText }),
  output: z.object({ list: z.array(z.object({ chain: z.string(), network: z.string(), symbol: z.string(), supported: z.boolean(), delegates: z.boolean() })) }),
  tenantParameters: ['wallet_id'],
})

const token = z.object({
  symbol: z.string(),
  contract_address: z.string(),
  threshold: z.string().nullable(),
  most: z.string().nullable(),
  allowance: z.enum(['exact', 'bounded']),
  max_fee_pct: z.number().nullable(),
  schedule: z.string(),
  enabled: z.boolean(),
  conflict: z.enum(['auto_collect']).nullable().describe('auto_collect: the consolidation of the co-signer collects this coin, and was there before'),
})

export const listCollectorTokens = defineEndpoint({
  ...reading,
  ...ofConfig,
  path: '/api/mpc/collect/symbols',
  summary: 'The tokens of a network, and from how much on a collector takes each; null of one that it does not',
  input: z.object({ id: idText, keyword: keywordText.optional() }),
  output: z.object({ list: z.array(token) }),
})

export const saveCollectorTokens = defineEndpoint({
  ...writing,
  ...ofConfig,
  path: '/api/mpc/collect/symbols/save',
  summary: 'Says what a collector takes: what is stricter counts at once, what is wider waits for the next approval',
  input: z.object({
    id: idText,
    symbols: jsonField(
      z
        .array(
          z.object({
            contract_address: contractText,
            threshold: positiveAmountText.describe('From how much on an address is collected'),
            most: positiveAmountText.describe('The most that an address allows, and that is taken of it at once'),
            allowance: z.enum(['exact', 'bounded']).describe('exact: an address allows what it has, each time; bounded: the most, once'),
            max_fee_pct: amountText.nullable().describe('The most that the fee may be of what is collected, in percent; null for any'),
            schedule: scheduleField,
            enabled: z.boolean(),
          }),
        )
        .min(1)
        .max(64),
    ),
  }),
  output: z.object({}),
})

export const removeCollectorTokens = defineEndpoint({
  ...writing,
  ...ofConfig,
  path: '/api/mpc/collect/symbols/delete',
  summary: 'Has a collector take a token no more; what addresses allow of it is taken back',
  input: z.object({ id: idText, symbols: jsonField(z.array(contractText).min(1).max(64)) }),
  output: z.object({}),
})

/** `delegated`: the contract's code runs in the name of the address; `elsewhere`: that of another one does. */
export const AUTH_STATES = ['none', 'exact', 'bounded', 'unlimited', 'delegated', 'elsewhere', 'unread', 'pending'] as const

export const listAllowing = defineEndpoint({
  ...reading,
  ...ofConfig,
  path: '/api/mpc/collect/auth/sub_wallet/list',
  summary: 'What each address has of a token, and what it allows the collector to take, or whose code runs in its name, as the network says',
  input: z.object({ id: idText, symbol: z.string().max(32).optional(), auth_status: z.enum(AUTH_STATES).optional(), page_no: pageNumber, page_size: pageSize }),
  output: pageOf(
    z.object({
      sub_wallet_id: z.string(),
      sub_wallet_name: z.string(),
      address: z.string(),
      symbol: z.string(),
      balance: z.string(),
      allowance: z.string().nullable(),
      auth_status: z.enum(AUTH_STATES),
      auth_txid: z.string().nullable(),
      read_at: z.int().nullable(),
    }),
  ),
})

const run = z.object({
  id: z.string(),
  config_id: z.string(),
  config_name: z.string(),
  trans_type: z.union([z.literal(10), z.literal(11)]).describe('10 a collection, 11 coins for fees'),
  network: z.string(),
  symbol: z.string(),
  amount: z.string(),
  usd: z.string().nullable(),
  from_count: z.int(),
  address_to: z.string(),
  fee: z.string().nullable(),
  fee_symbol: z.string(),
  fee_pct: z.number().nullable(),
  txid: z.string().nullable(),
  status: z.int(),
  sub_status: z.string(),
  created_at: z.int(),
  can_cancel: z.boolean(),
})

export const listRuns = defineEndpoint({
  ...reading,
  path: '/api/mpc/collect/history/list',
  summary: 'Every collection of a wallet by contract, from how many addresses and for which fee',
  input: z.object({
    wallet_id: idText,
    id: idText.optional().describe('Of one collector'),
    symbol: z.string().max(32).optional(),
    status: wholeNumberText(0, 9999).optional(),
    txid: z.string().max(100).optional(),
    start_time: timeMsText.optional(),
    end_time: timeMsText.optional(),
    page_no: pageNumber,
    page_size: pageSize,
  }),
  output: pageOf(run),
  tenantParameters: ['wallet_id', 'id'],
})

export const getRun = defineEndpoint({
  ...reading,
  ...ofConfig,
  path: '/api/mpc/collect/history/info',
  summary: 'One collection with what it takes of each address',
  input: z.object({ id: idText }),
  output: run.extend({
    outputs: z.array(
      z.object({
        sub_wallet_id: z.string(),
        sub_wallet_name: z.string(),
        address: z.string(),
        amount: z.string(),
        state: z.enum(['held', 'taken', 'left']).describe('left: the contract passed the address over'),
      }),
    ),
  }),
})

export const getRunStatistics = defineEndpoint({
  ...reading,
  path: '/api/mpc/collect/history/stat',
  summary: 'What was collected by contract each day, and for which fees',
  input: z.object({ wallet_id: idText, period: z.enum(['7', '30', '90']).default('30') }),
  output: z.object({
    count: z.int().describe('Addresses that were collected'),
    value: z.string().nullable().describe('In US dollars; null where a price is missing'),
    fee: z.string().nullable(),
    fee_pct: z.number().nullable(),
    days: z.array(
      z.object({
        ...{ day: z.int(), count: z.int(), value: z.string(), fee: z.string() },
        fee_pct: z.number().nullable().describe('Fees of what was collected; null where nothing was, or a price is missing'),
      }),
    ),
  }),
  tenantParameters: ['wallet_id'],
})

export const cancelRun = defineEndpoint({
  ...writing,
  ...ofConfig,
  permission: 'collection.operate',
  path: '/api/mpc/collect/trans/cancel',
  summary: 'Takes a collection back that nobody has signed; what it held is free, and the next look may begin another',
  input: z.object({ id: idText, remark: remarkText().default('') }),
  output: z.object({ status: z.int(), sub_status: z.string() }),
})
