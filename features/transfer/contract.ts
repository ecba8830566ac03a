import { defineEndpoint, idText, remarkText } from '@holdfast/contract'
import * as z from 'zod'

export { getSpeedUp, REPLACEMENT_OBSTACLES, speedUp } from './replacement-contract.ts'

/** The answer of a call that opens an order: its state, and the page where it is approved. */
export const openedOrder = z.object({
  withdraw_id: z.string(),
  status: z.int(),
  sub_status: z.string(),
  intent_hash: z.string(),
  approval_url: z.string(),
  idempotent: z.boolean(),
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

export const cancelWithdrawal = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/withdraw/cancel',
  permission: 'withdraw.create',
  changes: ['order.changed', 'balance.changed', 'todo.changed'],
  summary: 'Takes an order back while it waits for approval, or cannot be built and no signer has begun with it; its funds are free again',
  input: z.object({ withdraw_id: idText, remark: remarkText(200).default('') }),
  output: z.object({ status: z.int(), sub_status: z.string() }),
  tenantParameters: ['withdraw_id'],
})
