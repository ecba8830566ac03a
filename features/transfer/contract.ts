import { defineEndpoint, idText, wholeNumberText } from '@holdfast/contract'
import * as z from 'zod'

export { getSpeedUp, REPLACEMENT_OBSTACLES, speedUp } from './replacement-contract.ts'

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

export const resumeWithdrawal = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/withdraw/resume',
  permission: 'withdraw.audit',
  changes: ['order.changed'],
  summary: 'Lets a withdrawal go on that raised an alarm: the same bytes are put before the signers again',
  input: z.object({ id: idText }),
  output: z.object({ status: z.int(), sub_status: z.string() }),
  tenantParameters: ['id'],
})
