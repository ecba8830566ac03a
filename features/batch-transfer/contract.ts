import {
  amountText,
  defineEndpoint,
  feeTier,
  idText,
  jsonField,
  pageNumber,
  pageOf,
  pageSize,
  partOf,
  remarkText,
  totpText,
  wholeNumberText,
} from '@holdfast/contract'
import * as z from 'zod'
import { answered, batchMode, batchState, lineState } from './shapes-contract.ts'

// Batch transfers: a file of payments that people approve once. Each of its lines is then paid by an order of its own.

const reading = { method: 'GET', permission: 'tools.read', staleOn: ['batch.changed', 'order.changed'] } as const
const writing = { method: 'POST', permission: 'batch.create', changes: ['batch.changed', 'order.changed', 'balance.changed', 'todo.changed'] } as const
const ofBatch = { tenantParameters: ['batch_id'] } as const

/** More lines nobody reads through before they approve them. */
export const BATCH_LINES_MAX = 1000
export const BATCH_FILE_BYTES_MAX = 1 << 20

/** The columns of a file, in the sequence of its template. */
export const BATCH_COLUMNS = ['address', 'amount', 'memo'] as const

export const downloadBatchTemplate = defineEndpoint({
  ...reading,
  path: '/api/mpc/tools/batch/template',
  summary: 'The file that a batch is handed in with, its head alone',
  input: z.object({ symbol: z.string().max(32).optional() }),
  output: z.object({ file_name: z.string(), content: z.string() }),
})

export const uploadBatch = defineEndpoint({
  ...writing,
  path: '/api/mpc/tools/batch/upload',
  summary: 'Reads a file of payments and says what is wrong with each line, and what to look at. Nothing is asked of anybody before the batch is submitted',
  input: z.object({
    sub_wallet_id: idText,
    chain: z.string().max(64),
    symbol: z.string().max(32),
    file: z.file().min(1).max(BATCH_FILE_BYTES_MAX).describe('Comma-separated values in UTF-8, or a workbook (XLSX) of which the first sheet counts'),
  }),
  output: answered,
  tenantParameters: ['sub_wallet_id'],
  timeoutMs: 60_000,
  maxBodyBytes: BATCH_FILE_BYTES_MAX + (64 << 10),
})

const money = z.string().describe('Decimal text, exact')

const fees = z.object({
  transactions: z.int(),
  together: z.int().describe('Lines that one transaction pays'),
  tiers: z.array(z.object({ tier: feeTier, cap: money.describe('Of each transaction, at most'), total: money.describe('Of all of them, at most') })),
})

/** A batch as lists show it. */
const batch = z.object({
  batch_id: z.string(),
  state: batchState,
  is_final: z.boolean(),
  reason: z.string().nullable().describe('Why it ended before all of it was paid, in the words of who ended it'),
  waits_for: z.string().nullable().describe('Why no further line is being paid right now'),
  wallet_id: z.string(),
  sub_wallet_id: z.string(),
  wallet_name: z.string(),
  sub_wallet_name: z.string(),
  chain: z.string(),
  network: z.string(),
  symbol: z.string(),
  file_name: z.string(),
  initiator: z.object({ person_id: z.string(), name: z.string() }),
  retry_of: z.string().nullable(),
  execution: z.enum(['strict', 'partial']).nullable(),
  mode: batchMode,
  remark: z.string(),
  approval_url: z.string().nullable(),
  lines: z.int().describe('Lines of the file'),
  wrong: z.int().describe('Lines of the file that cannot be paid'),
  total: money.describe('What all lines pay that can be paid'),
  paid: money.describe('What completed lines have paid'),
  counts: z.record(lineState, z.int()),
  created_at: z.int(),
  expire_at: z.int().nullable(),
})

export const getBatch = defineEndpoint({
  ...reading,
  ...ofBatch,
  path: '/api/mpc/tools/batch/info',
  summary: 'A batch: what its file said, what it pays and costs, and how far it is',
  input: z.object({ batch_id: idText }),
  output: batch.extend({
    address_from: z.string().nullable(),
    available: money.describe('What the sub-wallet has of the coin'),
    fee_symbol: z.string(),
    fee_available: money,
    fee_paid: money.describe('What the transactions of the batch have cost'),
    fees: fees.nullable().describe('What it would cost now; null once people were asked, and where the network does not say'),
    by_contract: z
      .object({
        address: z.string().describe('Where the contract stands on every network where it was deployed'),
        readiness: z
          .enum(['ready', 'not_deployed', 'allowance_low', 'untold'])
          .describe('Allowance low: the contract may take less of the token than the lines pay. Untold: the network does not say'),
        allowance: money.nullable().describe('What it may take of the token now; null of coins, which are sent along, and where the network does not say'),
        fees: fees.nullable().describe('Null unless it is ready'),
      })
      .nullable()
      .describe('Whether the lines can be paid by a contract, many by one transaction; null where no such contract exists, and once people were asked'),
    warnings: z.record(z.enum(['duplicate', 'lookalike', 'contract', 'first_seen']), z.int()),
  }),
})

export const listBatchRows = defineEndpoint({
  ...reading,
  ...ofBatch,
  path: '/api/mpc/tools/batch/rows',
  summary: 'The lines of a batch, and what became of each',
  input: z.object({
    batch_id: idText,
    state: z.enum([...lineState.options, 'flagged']).optional(),
    after: wholeNumberText(0, BATCH_LINES_MAX).optional().describe('`next` of the part before'),
    page_no: pageNumber,
    page_size: pageSize,
  }),
  output: partOf(
    z.object({
      line: z.int(),
      address: z.string().describe('As the file has it, where it is no address of the network'),
      amount: z.string().describe('As the file has it, where it is no amount of the coin'),
      memo: z.string().nullable(),
      state: lineState,
      errors: z.array(z.object({ code: z.string(), msg: z.string() })),
      warnings: z.array(z.object({ kind: z.enum(['duplicate', 'lookalike', 'contract', 'first_seen']), msg: z.string() })),
      order_id: z.string().nullable().describe('The payment; null while there is none'),
      txid: z.string().nullable(),
      sub_status: z.string().nullable(),
      can_retry: z.boolean(),
      retried_in: z.string().nullable().describe('The batch that asks for it again'),
    }),
  ),
})

export const submitBatch = defineEndpoint({
  ...writing,
  ...ofBatch,
  path: '/api/mpc/tools/batch/submit',
  summary: 'Puts a batch before those who approve it, as one order; its money is held from now on',
  input: z.object({
    batch_id: idText,
    mode: batchMode
      .default('single')
      .describe('Single: each line by a transaction of its own. Contract: many lines by one call of a contract, all of them or none'),
    execution: z.enum(['strict', 'partial']).describe('Strict: not if one line is wrong. Partial: wrong lines are left out'),
    fee_tier: feeTier,
    max_fee: amountText.optional().describe('Of each transaction; by the tier unless given'),
    remark: remarkText(200).default(''),
    google_code: totpText.optional(),
  }),
  output: z.object({ batch_id: z.string(), state: batchState, approval_url: z.string() }),
  timeoutMs: 60_000,
})

export const cancelBatch = defineEndpoint({
  ...writing,
  ...ofBatch,
  path: '/api/mpc/tools/batch/cancel',
  summary: 'Takes a batch back. Lines that no signer was asked for are not paid; those that were are paid or not as the chain says',
  input: z.object({ batch_id: idText, remark: remarkText(200).default('') }),
  output: z.object({ batch_id: z.string(), state: batchState }),
})

export const retryBatch = defineEndpoint({
  ...writing,
  ...ofBatch,
  path: '/api/mpc/tools/batch/retry',
  summary: 'Asks again for lines that ended unpaid, in another batch, which people approve. A line can be asked for again once',
  input: z.object({ batch_id: idText, lines: jsonField(z.array(z.int().min(1)).min(1).max(BATCH_LINES_MAX)) }),
  output: answered,
  timeoutMs: 60_000,
})

export const listBatches = defineEndpoint({
  ...reading,
  path: '/api/mpc/tools/batch/record/list',
  summary: 'The batches of the organisation, the newest first',
  input: z.object({ status: batchState.optional(), wallet_id: idText.optional(), page_no: pageNumber, page_size: pageSize }),
  output: pageOf(batch),
  tenantParameters: ['wallet_id'],
})
