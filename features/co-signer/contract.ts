import {
  addressText,
  amountText,
  defineEndpoint,
  idListText,
  idText,
  jsonField,
  keywordText,
  pageNumber,
  pageOf,
  pageSize,
  positiveAmountText,
  remarkText,
  totpText,
} from '@holdfast/contract'
import { coinType } from '@holdfast/features/network/contract'
import * as z from 'zod'

export * from './funds-contract.ts'
export * from './notice-contract.ts'

// How the coins of a wallet are collected: who collects and who pays for fees, what is collected from where, and from how much on. People approve the bounds of
// it as standing orders, which signers keep; within them it is changed here, at once.

const reading = { method: 'GET', permission: 'co_signer.read', staleOn: ['collecting.changed', 'standing.changed', 'policy.changed', 'order.changed'] } as const
const writing = { method: 'POST', permission: 'co_signer.write', changes: ['collecting.changed', 'standing.changed', 'todo.changed'] } as const
const ofWallet = { tenantParameters: ['wallet_id'] } as const

const chainText = z.string().max(64)
const symbolText = z.string().max(32)
/** Empty: at any time. `hourly`: in the first minutes of each hour. A time of day (UTC): in the hour that begins then. */
const scheduleField = z.string().regex(/^(|hourly|([01]\d|2[0-3]):[0-5]\d)$/, 'it must be empty, hourly, or a time of day such as 02:30')
const noCaution = z.object({})
const place = z.object({ wallet_id: z.string(), wallet_name: z.string(), sub_wallet_id: z.string(), sub_wallet_name: z.string() })

export const getCollecting = defineEndpoint({
  ...reading,
  ...ofWallet,
  path: '/api/mpc/auto_collect/info',
  summary: 'How far the collection of a wallet is set up, whether it runs, and what of it still needs an approval',
  input: z.object({ wallet_id: idText }),
  output: z.object({
    progress: z.int().describe('Percent'),
    collect: place.nullable(),
    fuel: place.nullable(),
    scope: z.enum(['all', 'part', 'except']),
    rules: z.int(),
    status: z.enum(['off', 'pending', 'running', 'paused', 'stopped']),
    transfers: z.int().describe('Transfers in 24 hours, at most, of the next approval'),
    days: z.int().describe('Days that the next approval is for'),
    until: z.int().nullable(),
    /** What is set here and not approved: nothing of it happens. */
    unapproved: z.array(z.object({ what: z.enum(['sub_wallets', 'scope', 'coin', 'fee', 'fuel', 'limits', 'time']), name: z.string() })),
    pending: z.array(z.object({ trade_no: z.string(), kind: z.enum(['sweep', 'fuel']), approval_url: z.string() })),
    looked_at: z.int().nullable(),
    black: z.int(),
    signers: z.object({ online: z.int(), total: z.int() }),
    co_signers: z
      .array(z.object({ name: z.string(), online: z.boolean(), version: z.string().nullable(), last_seen: z.int().nullable() }))
      .describe('The co-signers that the policy names'),
  }),
})

export const getCollectingSubWallets = defineEndpoint({
  ...reading,
  ...ofWallet,
  path: '/api/mpc/auto_collect/sub_wallets',
  summary: 'Which sub-wallet collects, and which pays for fees',
  input: z.object({ wallet_id: idText }),
  output: z.object({ collect_sub_wallet_id: z.string().nullable(), fueling_sub_wallet_id: z.string().nullable() }),
})

export const saveCollectingSubWallets = defineEndpoint({
  ...writing,
  path: '/api/mpc/auto_collect/sub_wallets/save',
  summary: 'Says which sub-wallet collects and which one pays for fees; nothing changes for money before it is approved',
  input: z.object({ wallet_id: idText, collect_sub_wallet_id: idText, fueling_sub_wallet_id: idText.optional(), google_code: totpText.optional() }),
  output: z.object({ version: z.int() }),
  tenantParameters: ['wallet_id', 'collect_sub_wallet_id', 'fueling_sub_wallet_id'],
})

export const setCollectingStatus = defineEndpoint({
  ...writing,
  ...ofWallet,
  path: '/api/mpc/auto_collect/status',
  summary: 'Pauses collection at once, or has it run: what was not approved yet is put before those who approve',
  input: z.object({
    wallet_id: idText,
    status: z.enum(['run', 'pause']),
    transfers: z
      .string()
      .regex(/^[1-9]\d{0,5}$/)
      .optional()
      .describe('Transfers in 24 hours, at most'),
    days: z
      .string()
      .regex(/^([1-9]|[1-9]\d|[12]\d\d|3[0-5]\d|36[0-6])$/)
      .optional()
      .describe('Days until it has to be approved again, 366 at most'),
    remark: remarkText().default(''),
    google_code: totpText.optional(),
  }),
  output: z.object({ pending: z.array(z.object({ trade_no: z.string(), kind: z.enum(['sweep', 'fuel']), approval_url: z.string() })) }),
})

export const checkCollecting = defineEndpoint({
  ...reading,
  ...ofWallet,
  path: '/api/mpc/auto_collect/check',
  summary: 'What has to be there before collection runs, and whether it is',
  input: z.object({ wallet_id: idText }),
  output: z.object({
    items: z.array(z.object({ key: z.enum(['signers', 'collect_wallet', 'fuel_wallet', 'scope', 'coin_rules', 'approval']), ok: z.boolean() })),
  }),
})

export const listCollectingChains = defineEndpoint({
  ...reading,
  ...ofWallet,
  path: '/api/mpc/auto_collect/chains',
  summary: 'The networks of a wallet, and how long the coins for fees last on each',
  input: z.object({ wallet_id: idText }),
  output: z.object({
    list: z.array(
      z.object({
        chain: z.string(),
        network: z.string(),
        symbol: z.string(),
        coin_type: coinType,
        open: z.boolean().describe('Whether a coin of it is collected'),
        needs_fuel: z.boolean().describe('Whether addresses there need coins for fees to pay tokens'),
        gas_balance: z.string().nullable().describe('What pays for fees, in the own coin; null if nobody does'),
        gas_days_left: z.int().nullable().describe('By what was sent in the last seven days; null if that was nothing'),
      }),
    ),
  }),
})

const rule = z.object({
  chain: z.string(),
  network: z.string(),
  symbol: z.string(),
  contract_address: z.string().nullable(),
  collect_min: z.string(),
  single_min: z.string().nullable(),
  collect_max: z.string(),
  fueling_limit: z.string().nullable(),
  max_fee: z.string(),
  fee_symbol: z.string(),
  max_fee_pct: z.number(),
  rbf_after_s: z.int().nullable().describe('After how many seconds the fee of a transfer that waits is raised; null if it is not'),
  rbf_times: z.int().nullable(),
  schedule: z.string(),
  next_at: z.int().nullable().describe('When its schedule next lets it be collected; null of one that always does'),
  enabled: z.boolean(),
  approved: z.boolean(),
})

export const listCollectingRules = defineEndpoint({
  ...reading,
  ...ofWallet,
  path: '/api/mpc/auto_collect/symbol/list',
  summary: 'The rule of each coin that is collected',
  input: z.object({ wallet_id: idText, chain: chainText.optional(), keyword: keywordText.optional(), page_no: pageNumber, page_size: pageSize }),
  output: pageOf(rule),
})

export const getCollectingRule = defineEndpoint({
  ...reading,
  ...ofWallet,
  path: '/api/mpc/auto_collect/symbol/info',
  summary: 'The rule of one coin; null if it has none',
  input: z.object({ wallet_id: idText, chain: chainText, symbol: symbolText }),
  output: rule.nullable(),
})

/** Amounts in whole units. Without a fee of its own a transfer may cost what may be sent for fees. */
export const ruleInput = z.object({
  chain: chainText,
  symbol: symbolText,
  collect_min: positiveAmountText.describe('From how much on an address is collected'),
  single_min: positiveAmountText.optional().describe('A deposit of so much is collected whatever else the address has'),
  collect_max: positiveAmountText.optional().describe('The most in one transfer'),
  fueling_limit: positiveAmountText.optional().describe('The most that is sent to an address for fees'),
  max_fee: positiveAmountText.optional().describe('The most that one transfer may cost, in the own coin of the network'),
  max_fee_pct: amountText.optional().describe('The most that the fee may be of the amount, in percent'),
  rbf_after_s: z
    .string()
    .regex(/^([3-9]\d|[1-9]\d{2,3}|[1-7]\d{4}|8[0-5]\d{3}|86[0-3]\d{2}|86400)$/, 'it must be 30 to 86400 seconds')
    .optional()
    .describe('Raises the fee of a transfer that no block took in so many seconds, within the fee that it may cost'),
  rbf_times: z.enum(['1', '2', '3', '4', '5']).optional().describe('How often it is raised; once where absent'),
  schedule: scheduleField.default(''),
})

export const setCollectingRule = defineEndpoint({
  ...writing,
  ...ofWallet,
  path: '/api/mpc/auto_collect/symbol/set',
  summary: 'Sets the rule of a coin: what is within the approval counts at once, what is not waits for the next one',
  input: ruleInput.extend({ wallet_id: idText }),
  output: z.object({ version: z.int() }),
})

export const setCollectingRules = defineEndpoint({
  ...writing,
  ...ofWallet,
  path: '/api/mpc/auto_collect/symbol/batch_set',
  summary: 'Sets the rules of several coins, all or none',
  input: z.object({ wallet_id: idText, rules: jsonField(z.array(ruleInput).min(1).max(64)) }),
  output: z.object({ version: z.int() }),
})

const coins = jsonField(
  z
    .array(z.object({ chain: chainText, symbol: symbolText }))
    .min(1)
    .max(64),
)

export const removeCollectingRules = defineEndpoint({
  ...writing,
  ...ofWallet,
  path: '/api/mpc/auto_collect/symbol/delete',
  summary: 'Takes the rules of coins out: they are not collected any more',
  input: z.object({ wallet_id: idText, symbols: coins }),
  output: noCaution,
})

export const operateCollectingRules = defineEndpoint({
  ...writing,
  ...ofWallet,
  path: '/api/mpc/auto_collect/symbol/operate',
  summary: 'Switches the collection of coins on or off',
  input: z.object({ wallet_id: idText, symbols: coins, op: z.enum(['on', 'off']) }),
  output: noCaution,
})

export const getCollectingScope = defineEndpoint({
  ...reading,
  ...ofWallet,
  path: '/api/mpc/auto_collect/scope/info',
  summary: 'From which sub-wallets it is collected',
  input: z.object({ wallet_id: idText }),
  output: z.object({ mode: z.enum(['all', 'part', 'except']), sub_wallet_ids: z.array(z.string()) }),
})

export const saveCollectingScope = defineEndpoint({
  ...writing,
  path: '/api/mpc/auto_collect/scope/save',
  summary: 'Says from which sub-wallets it is collected: all, some, or all except some',
  input: z.object({ wallet_id: idText, mode: z.enum(['all', 'part', 'except']), sub_wallet_ids: idListText(1000).optional() }),
  output: noCaution,
  tenantParameters: ['wallet_id', 'sub_wallet_ids'],
})

export const listCollectingScope = defineEndpoint({
  ...reading,
  ...ofWallet,
  path: '/api/mpc/auto_collect/scope/sub_wallet/list',
  summary: 'The sub-wallets of a wallet, and whether each is collected from',
  input: z.object({ wallet_id: idText, keyword: keywordText.optional(), page_no: pageNumber, page_size: pageSize }),
  output: pageOf(z.object({ sub_wallet_id: z.string(), sub_wallet_name: z.string(), included: z.boolean() })),
})

export const operateCollectingScope = defineEndpoint({
  ...writing,
  path: '/api/mpc/auto_collect/scope/sub_wallet/operate',
  summary: 'Takes sub-wallets into the scope, or out of it',
  input: z.object({ wallet_id: idText, sub_wallet_ids: idListText(1000), op: z.enum(['include', 'exclude']) }),
  output: noCaution,
  tenantParameters: ['wallet_id', 'sub_wallet_ids'],
})

export const downloadCollectingTemplate = defineEndpoint({
  ...reading,
  path: '/api/mpc/auto_collect/config/template/download',
  summary: 'The file that rules are handed in with, with one line as an example',
  input: z.object({}),
  output: z.object({ file_name: z.string(), content: z.string() }),
})

export const exportCollecting = defineEndpoint({
  ...reading,
  ...ofWallet,
  path: '/api/mpc/auto_collect/config/export',
  summary: 'The rules of a wallet as such a file',
  input: z.object({ wallet_id: idText }),
  output: z.object({ file_name: z.string(), content: z.string() }),
})

const importLine = z.object({ line: z.int(), field: z.string(), msg: z.string() })
export const IMPORT_LINES_MAX = 64
export const COLLECTING_FILE_BYTES_MAX = 1 << 20

export const importCollecting = defineEndpoint({
  ...writing,
  ...ofWallet,
  path: '/api/mpc/auto_collect/config/import',
  summary: 'Checks a file of rules and says what is wrong with each line; nothing is set before it is confirmed',
  input: z.object({
    wallet_id: idText,
    file: z.file().min(1).max(COLLECTING_FILE_BYTES_MAX).describe('Comma-separated values in UTF-8, or a workbook (XLSX) of which the first sheet counts'),
  }),
  output: z.object({ import_id: z.string(), rows: z.int(), errors: z.array(importLine) }),
  timeoutMs: 60_000,
  maxBodyBytes: COLLECTING_FILE_BYTES_MAX + (64 << 10),
})

export const getCollectingImport = defineEndpoint({
  ...reading,
  path: '/api/mpc/auto_collect/config/import/status',
  summary: 'What a file of rules said, and whether it was taken in',
  input: z.object({ import_id: idText }),
  output: z.object({ state: z.enum(['checked', 'taken']), rows: z.int(), errors: z.array(importLine) }),
  tenantParameters: ['import_id'],
})

export const confirmCollectingImport = defineEndpoint({
  ...writing,
  path: '/api/mpc/auto_collect/config/import/confirm',
  summary: 'Sets the rules of a checked file, if no line of it is wrong',
  input: z.object({ import_id: idText }),
  output: z.object({ version: z.int() }),
  tenantParameters: ['import_id'],
})

export const listBlackAddresses = defineEndpoint({
  ...reading,
  ...ofWallet,
  path: '/api/mpc/auto_collect/black_address/list',
  summary: 'Addresses that nothing is collected from and no fees are sent to',
  input: z.object({ wallet_id: idText }),
  output: z.object({ list: z.array(z.object({ id: z.string(), chain: z.string(), network: z.string(), address: z.string(), reason: z.string() })) }),
})

export const saveBlackAddress = defineEndpoint({
  ...writing,
  ...ofWallet,
  path: '/api/mpc/auto_collect/black_address/save',
  summary: 'Puts an address on the list, from the next look on',
  input: z.object({ wallet_id: idText, chain: chainText, address: addressText, reason: remarkText() }),
  output: z.object({ id: z.string() }),
})

export const removeBlackAddresses = defineEndpoint({
  ...writing,
  ...ofWallet,
  path: '/api/mpc/auto_collect/black_address/delete',
  summary: 'Takes addresses off the list',
  input: z.object({ wallet_id: idText, ids: jsonField(z.array(z.string().max(200)).min(1).max(1024)) }),
  output: noCaution,
})

export const listCollectingLog = defineEndpoint({
  ...reading,
  ...ofWallet,
  path: '/api/mpc/auto_collect/log/list',
  summary: 'Who changed what, the newest first',
  input: z.object({ wallet_id: idText, page_no: pageNumber, page_size: pageSize }),
  output: pageOf(
    z.object({
      version: z.int(),
      action: z.string(),
      user: z.string(),
      remark: z.string(),
      at: z.int(),
      diff: z.array(z.object({ what: z.string(), before: z.string(), after: z.string() })),
    }),
  ),
})
