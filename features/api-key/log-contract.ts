import { defineEndpoint, keywordText, pageNumber, pageOf, pageSize, timeMsText } from '@holdfast/contract'
import * as z from 'zod'
import { keySettings } from './settings-contract.ts'

const filter = {
  app_id: z.string().max(64).optional(),
  keyword: keywordText.optional().describe('A part of the path or of the request id'),
  method: z.enum(['GET', 'POST']).optional(),
  http_code: z
    .string()
    .regex(/^\d{3}$/)
    .optional(),
  code: z.string().max(16).optional(),
  ip: z.string().max(64).optional(),
  refused: z.enum(['let_in', 'refused']).optional().describe('Whether the door let it in'),
  start_time: timeMsText.optional(),
  end_time: timeMsText.optional(),
}

const reading = { method: 'GET', permission: 'api.read', staleOn: ['policy.changed', 'machine.changed'] } as const

export const listCalls = defineEndpoint({
  ...reading,
  path: '/api/mpc/api/log/list',
  summary: 'The calls that programs made with API keys in the last 180 days, the newest first; secrets in what was sent are masked',
  input: z.object({ ...filter, page_no: pageNumber, page_size: pageSize }),
  output: pageOf(
    z.object({
      id: z.string(),
      at: z.int(),
      app_id: z.string(),
      method: z.string(),
      path: z.string(),
      request_id: z.string().nullable(),
      ip: z.string(),
      http_code: z.int(),
      code: z.string(),
      refused: z.string().nullable(),
      duration_ms: z.int(),
      body_masked: z.string(),
    }),
  ),
})

export const exportCalls = defineEndpoint({
  ...reading,
  path: '/api/mpc/api/log/export',
  summary: 'The same calls as a table of comma-separated values, at most 10,000',
  input: z.object(filter),
  output: z.object({ file_name: z.string(), content: z.string(), rows: z.int(), complete: z.boolean() }),
})

export const listSettingsLog = defineEndpoint({
  ...reading,
  path: '/api/mpc/api/log/config',
  summary: 'Who wrote which settings of API keys, and who confirmed them, the newest first',
  input: z.object({ app_id: z.string().max(64).optional(), page_no: pageNumber, page_size: pageSize }),
  output: pageOf(
    z.object({
      app_id: z.string(),
      version: z.int(),
      at: z.int(),
      user: z.string().nullable().describe('Null where the key itself did'),
      state: z.enum(['waiting', 'with_policy', 'in_force', 'refused']),
      decided_by: z.string().nullable(),
      decided_at: z.int().nullable(),
      before: keySettings.nullable(),
      after: keySettings,
    }),
  ),
})
