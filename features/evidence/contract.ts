import { defineEndpoint, idText, keywordText, pageNumber, pageOf, pageSize, timeMsText, wholeNumberText } from '@holdfast/contract'
import * as z from 'zod'

export const exportLog = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/log/export',
  permission: 'log.read',
  staleOn: [],
  summary: "The organisation's append-only log and its cosigned checkpoints, for verify-log; a long log in several answers",
  input: z.object({ from: wholeNumberText(0, Number.MAX_SAFE_INTEGER).default(0).describe('The first entry wanted; what an answer gives as `next`') }),
  output: z.object({
    log: z.string().describe('base64: the entries in order, each with its length before it (4 bytes, big-endian). Answers are joined into one file'),
    next: z.int().nullable().describe('The entry to go on from; null where this answer ends the log'),
    entries: z.int().describe('How many entries the whole log has now'),
    checkpoints: z
      .array(z.object({ size: z.int(), note: z.string().describe('A signed note (C2SP), for a file of its own') }))
      .describe('The newest, newest first'),
    file_name: z.string(),
    fingerprint: z.string(),
  }),
})

export const LOG_KINDS = [
  'genesis',
  'policy',
  'key',
  'drill',
  'intent',
  'approval',
  'cancellation',
  'signature',
  'refusal',
  'slot-loss',
  'coin-lock',
  'deposit-claim',
] as const

export const listLog = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/log/list',
  permission: 'log.read',
  staleOn: ['order.changed', 'todo.changed', 'policy.changed', 'wallet.changed'],
  summary: "The organisation's append-only log, the newest first, by kind, person, time and words",
  input: z.object({
    kind: z.enum(LOG_KINDS).optional(),
    person_id: idText.optional(),
    keyword: keywordText.optional().describe('Looked for among the newest 10,000 entries that the other filters leave'),
    start_time: timeMsText.optional(),
    end_time: timeMsText.optional(),
    page_no: pageNumber,
    page_size: pageSize,
  }),
  output: pageOf(
    z.object({
      sequence: z.int(),
      at: z.int(),
      kind: z.string(),
      person: z.object({ person_id: z.string(), name: z.string() }).nullable(),
      order_id: z.string().nullable().describe('Of an order: its id, by which the list of transactions finds it'),
      detail: z.string().describe('What the entry says in short: the remark of an order, the decision of an approval'),
      hash: z.string().describe('The hash of its leaf'),
    }),
  ).extend({
    entries: z.int().describe('How many there are without any filter'),
    facts_from: z.int().describe('Entries before this one are not found by filters yet'),
    people: z.array(z.object({ person_id: z.string(), name: z.string() })),
    fingerprint: z.string(),
    checkpoint: z
      .object({ size: z.int(), at: z.int(), root: z.string(), note: z.string(), signers: z.array(z.string()) })
      .nullable()
      .describe('The newest cosigned one; `signers` are those whose lines it has, which is not checked here'),
  }),
  tenantParameters: ['person_id'],
})

export const getEvidence = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/withdraw/evidence',
  permission: 'evidence.read',
  staleOn: [],
  summary: 'The evidence bundle of a signature (or of a refusal), for anybody to verify offline',
  input: z.object({
    id: idText,
    kind: z.enum(['signature', 'refusal']).default('signature'),
    number: wholeNumberText(1, 10_000).optional().describe('Which of its transactions, where it has several; the first signed one without'),
  }),
  output: z.object({ bundle: z.string().describe('base64'), file_name: z.string(), fingerprint: z.string() }),
  tenantParameters: ['id'],
})
