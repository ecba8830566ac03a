import { defineEndpoint, feeTier, idText, positiveAmountText, remarkText, requestIdText } from '@holdfast/contract'
import * as z from 'zod'

const amount = z.string().describe('Decimal text, exact')

/** Why a payment cannot be replaced, or a deposit cannot be sped up. */
export const REPLACEMENT_OBSTACLES = [
  'not_on_its_way',
  'in_block',
  'not_supported',
  'inscribes',
  'is_replacement',
  'being_replaced',
  'no_estimate',
  'pays_enough',
  'too_small',
] as const

export const getSpeedUp = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/speed_up/info',
  permission: 'withdraw.create',
  staleOn: ['order.changed'],
  summary: 'Whether a pending payment can be sped up or cancelled, or a pending deposit by a child (CPFP), and what that costs at least',
  input: z.object({ trans_id: idText }),
  output: z.object({
    can: z.boolean(),
    reason: z.enum(REPLACEMENT_OBSTACLES).nullable(),
    method: z.enum(['nonce', 'RBF', 'CPFP']).nullable(),
    cancel_supported: z.boolean(),
    fee_symbol: z.string(),
    cap: amount.describe('The fee that was approved, at most'),
    old: z
      .object({ txid: z.string(), fee: amount, nonce: z.string().nullable(), age_s: z.int() })
      .nullable()
      .describe('What waits; of a deposit the fee with all that it waits for'),
    min: amount.nullable().describe('The least that a replacement can cost at most'),
    left: amount.nullable().describe('What of the approved fee is not offered yet'),
    in_time: z.boolean().describe('Whether a fee within the cap needs no new approval: the approval has not expired and its policy is in force'),
    tiers: z.array(z.object({ tier: feeTier, fee: amount.describe('The most it can reach'), needs_approval: z.boolean() })),
    cancel_fee: amount.nullable().describe('What cancelling costs at most'),
  }),
  tenantParameters: ['trans_id'],
})

export const speedUp = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/speed_up',
  permission: 'withdraw.create',
  changes: ['order.changed', 'deposit.changed', 'balance.changed', 'todo.changed'],
  summary:
    'Raises the fee of a pending payment, or asks for its cancellation. Within the approved fee this happens at once; anything else waits for approval, as does speeding a deposit up',
  input: z.object({
    request_id: requestIdText,
    trans_id: idText,
    cancel: z.enum(['0', '1']).default('0'),
    tier: feeTier.default('fast'),
    max_fee: positiveAmountText.describe("The most the fee may reach, in the network's own coin"),
    remark: remarkText(200).default(''),
  }),
  output: z.object({
    new_trans_id: z.string().describe('The payment itself, or the order that waits for approval'),
    needs_approval: z.boolean(),
    approval_url: z.string().nullable(),
    status: z.int(),
    sub_status: z.string(),
  }),
  tenantParameters: ['trans_id'],
})
