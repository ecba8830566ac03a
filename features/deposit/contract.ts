import { defineEndpoint, idText, remarkText } from '@holdfast/contract'
import * as z from 'zod'

const reasonText = remarkText(200).refine((text) => text.trim() !== '', 'it must not be empty')

export const claimDeposit = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/deposit/claim',
  permission: 'deposit.assign',
  changes: ['deposit.changed', 'todo.changed'],
  summary: 'Says whose a payment is that is held at a shared address. Once another person confirms it, the sub-wallet that has the address is credited',
  input: z.object({
    id: idText,
    memo: z.string().max(64).default('').describe('The comment of the address that it should have carried; empty where it is of nobody who has one'),
    reason: reasonText,
  }),
  output: z.object({ claim_id: z.string() }),
  tenantParameters: ['id'],
})

export const decideClaim = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/deposit/claim/decide',
  permission: 'deposit.audit',
  changes: ['deposit.changed', 'todo.changed'],
  summary: 'Confirms whose a held payment is, or refuses it. Never by whoever said it; what is confirmed is credited at once, and once',
  input: z.object({ claim_id: idText, result: z.enum(['confirm', 'refuse']), reason: remarkText(200).default('') }),
  output: z.object({ credited: z.boolean() }),
  tenantParameters: ['claim_id'],
  timeoutMs: 30_000,
})

export const withdrawClaim = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/deposit/claim/withdraw',
  permission: 'deposit.assign',
  changes: ['deposit.changed', 'todo.changed'],
  summary: 'Takes back what oneself said of a held payment, before anybody decided it',
  input: z.object({ claim_id: idText }),
  output: z.null(),
  tenantParameters: ['claim_id'],
})

export const acknowledgeAllowanceSpend = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/pull/acknowledge',
  permission: 'withdraw.audit',
  changes: ['pull.changed'],
  summary: 'Says that a person has seen what somebody took under an allowance: its alarm ends, and who said so is kept',
  input: z.object({ id: idText }),
  output: z.object({ at: z.int() }),
  tenantParameters: ['id'],
})

export const keepHeld = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/deposit/keep',
  permission: 'deposit.assign',
  changes: ['deposit.changed', 'todo.changed'],
  summary: 'Says why a payment stays held. It changes nothing of it',
  input: z.object({ id: idText, reason: reasonText }),
  output: z.null(),
  tenantParameters: ['id'],
})
