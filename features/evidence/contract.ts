import { defineEndpoint, idText, wholeNumberText } from '@holdfast/contract'
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
