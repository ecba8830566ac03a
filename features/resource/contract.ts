import { addressText, amountText, defineEndpoint, idText, positiveAmountText, remarkText, requestIdText, wholeNumberText } from '@holdfast/contract'
import { openedOrder } from '@holdfast/features/transfer/contract'
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
  staleOn: ['order.changed'],
  summary: 'What a sub-wallet has of bandwidth and energy on a network that gives them for stake, and where its stake is',
  input: z.object(place),
  output: z.object({
    symbol: z.string(),
    address: z.string(),
    own_control: z.boolean().describe('Its own key alone signs for the address on its network'),
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

/** What can be ordered about the stake of an address. */
export const STAKE_ACTIONS = ['stake', 'unstake', 'withdraw', 'cancel-unstake', 'delegate', 'undelegate'] as const

const order = {
  ...place,
  action: z.enum(STAKE_ACTIONS),
  resource: resource.optional().describe('Absent where it is about all that waits: `withdraw` and `cancel-unstake`'),
  amount: amountText.default('0').describe('Coin staked; 0 where it is about all that waits'),
  receiver: z
    .union([z.literal(''), addressText])
    .default('')
    .describe('Who is delegated to, or loses a delegation; empty otherwise'),
  lock_blocks: wholeNumberText(0, 10_512_000).default(0).describe('Blocks that a delegation cannot be taken back'),
}

export const checkStakeOrder = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/tron/resource/check',
  permission: 'withdraw.create',
  changes: [],
  summary: 'What an order about stake says, whether the network would take it now, what it may cost and what the policy says of it',
  input: z.object(order),
  output: z.object({
    title: z.string().describe('The order in one sentence'),
    obstacle: z.string().nullable().describe('Why the network would not take it now, in words; null where it would'),
    fee_symbol: z.string(),
    max_fee: amount.describe('The most it may cost'),
    expected_fee: amount.describe('What would be taken now'),
    policy: z.object({ denied: z.boolean(), sentence: z.string() }),
  }),
  tenantParameters: ['sub_wallet_id'],
})

export const createStakeOrder = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/tron/resource/create',
  permission: 'withdraw.create',
  changes: ['order.changed', 'balance.changed', 'todo.changed'],
  summary: 'Asks for an order about stake: an immutable intent; what is to be staked and the fee are held until it is decided',
  input: z.object({
    request_id: requestIdText,
    ...order,
    max_fee: positiveAmountText.describe("The most the fee may reach, in the network's own coin"),
    remark: remarkText(200).default(''),
    expire_hours: wholeNumberText(1, 168).default(168),
  }),
  output: openedOrder,
  tenantParameters: ['sub_wallet_id'],
})
