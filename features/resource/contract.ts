import { defineEndpoint, idText } from '@holdfast/contract'
import * as z from 'zod'

const amount = z.string().describe('Decimal text, exact')
const units = z.string().describe('A whole number: bytes of bandwidth, or units of energy')
const place = { sub_wallet_id: idText, chain: z.string().max(64) }
const resource = z.enum(['bandwidth', 'energy'])
const meter = { limit: units.describe('What may be used in a day'), used: units }

const stakeOf = z.object({
  ...meter,
  staked: amount.describe('Own coin behind it that is not delegated'),
  delegated_out: amount.describe('Own coin whose resource others have'),
  delegated_in: amount.describe("Others' coin whose resource is here"),
  delegatable: amount.describe('What could be delegated now: stake whose resource is not used'),
})

export const getResources = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/tron/resource/info',
  permission: 'wallet.read',
  summary: 'What a sub-wallet has of bandwidth and energy on a network that gives them for stake, and where its stake is',
  input: z.object(place),
  output: z.object({
    symbol: z.string(),
    address: z.string(),
    active: z.boolean().describe('False where the network has no such account yet: whoever pays it first makes it'),
    free_bandwidth: z.object(meter).describe('What every account is given'),
    bandwidth: stakeOf,
    energy: stakeOf,
    unstaking: z.array(z.object({ resource, amount, free_at: z.int() })).describe('Stake that was ended and is not free yet'),
    withdrawable: amount.describe('Stake that was ended and can be taken back now'),
    unstakes_left: z.int(),
    delegations: z.array(
      z.object({
        to: z.string(),
        own: z.string().nullable().describe("The sub-wallet whose address it is; null for a stranger's"),
        resource,
        amount,
        locked_until: z.int().nullable().describe('Until when it cannot be taken back'),
      }),
    ),
  }),
  tenantParameters: ['sub_wallet_id'],
})
