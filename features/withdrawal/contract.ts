import {
  addressText,
  amountText,
  defineEndpoint,
  feeTier,
  idText,
  jsonField,
  labelText,
  positiveAmountText,
  remarkText,
  requestIdText,
  tokenIdText,
  wholeNumberText,
} from '@holdfast/contract'
import { label } from '@holdfast/features/transaction/contract'
import { openedOrder } from '@holdfast/features/transfer/contract'
import * as z from 'zod'

const tokenId = tokenIdText.optional().describe('Which token, where the symbol is that of a collection; the amount is then a number of pieces')

const amount = z.string().describe('Decimal text, exact')

/** Whether the fee is taken from the amount: only for one payment in the network's own coin. */
const gross = z.enum(['0', '1']).default('0')

/** Ids of inscriptions. The coin of the first inscription of a transaction is that transaction's first output. */
const inscriptionIdsText = z
  .string()
  .regex(/^[0-9a-f]{64}i0(,[0-9a-f]{64}i0){0,15}$/, 'give the ids of inscriptions, each the first of its transaction, by comma')
  .refine((text) => new Set(text.split(',')).size === text.split(',').length, 'it must name each inscription once')

/** Call data in hexadecimal, as far as it fits into a URL; longer data is estimated with the call itself. */
const callDataText = z.string().regex(/^0x([0-9a-fA-F]{2}){4,2000}$/, 'it must be call data in hexadecimal')
/** Nobody reads through more recipients of one order than this. */
export const OUTPUTS_MAX = 100

const outputs = jsonField(
  z
    .array(z.object({ address_to: addressText, amount: positiveAmountText }))
    .min(2)
    .max(OUTPUTS_MAX),
)
  .optional()
  .describe('Several recipients of one order, on networks of coins: `amount` is their sum and `address_to` is among them')

/** The warnings that people acknowledge by name before a destination is paid, the gravest first. */
export const WARNINGS = ['lookalike', 'control', 'policy_contract', 'contract', 'first_seen'] as const
export type Warning = (typeof WARNINGS)[number]

export const checkAddress = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/address/info',
  permission: 'withdraw.create',
  staleOn: [],
  summary: 'What is known of a destination',
  input: z.object({ sub_wallet_id: idText, chain: z.string().max(64), address: addressText, symbol: z.string().max(32).optional(), token_id: tokenId }),
  output: z.object({
    valid: z.boolean(),
    is_lost: z
      .boolean()
      .describe('Nobody could ever spend what is paid to it, so that no signer signs a payment: it is not valid as a destination, and the reason says why'),
    policy_contract: z.boolean().describe('The policy names it as a contract, of a token or of a rule for calls'),
    canonical: z.string().nullable(),
    reason: z.string().nullable(),
    checksum_at: z
      .array(z.int())
      .describe('Places of characters, from 0, whose case contradicts the checksum of the address; empty where that is not what is wrong with it'),
    is_contract: z.boolean(),
    control: z
      .object({
        own: z.boolean().describe('Its own key alone signs for it'),
        permissions: z.array(z.object({ name: z.string(), threshold: z.string(), keys: z.array(z.object({ address: z.string(), weight: z.string() })) })),
      })
      .nullable()
      .describe('Who may sign for the address on its network; null where the network has no such thing or does not answer'),
    is_uninitialised: z.boolean().describe('Nothing was ever sent there, where the network can tell'),
    memo_max: z.int().nullable().describe('The longest memo the network carries, in bytes; null where it carries none'),
    memo_required: z
      .boolean()
      .describe('Payments to it carried a memo, the caller keeps it with one, or payers share it: without it whoever is paid may not know from whom'),
    own: z.object({ sub_wallet_id: z.string(), wallet_name: z.string(), sub_wallet_name: z.string(), addr_type: z.int() }).nullable(),
    book: z.object({ id: z.string(), name: z.string(), memo: z.string() }).nullable().describe("The caller's contact at this address"),
    first_seen: z.boolean().describe('Never paid by this organisation before'),
    similar_to: z
      .array(z.object({ address: z.string(), kind: z.enum(['own', 'paid_before', 'book']) }))
      .describe('Other addresses that begin or end like it: own ones, such as were paid before, and such of the books'),
  }),
  tenantParameters: ['sub_wallet_id'],
})

/** Over how long a limit counts, and for whom: all orders under its rule together, or those of whoever asks, pays or is paid. */
const window = { hours: z.number(), each: z.enum(['rule', 'asker', 'source', 'destination']) }

export const checkLimits = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/sub_wallet/withdraw/limit_check',
  permission: 'withdraw.create',
  staleOn: ['policy.changed', 'order.changed', 'balance.changed'],
  summary: 'What bounds a payment: what is there, the rule that would decide, and what its limits leave',
  input: z.object({
    sub_wallet_id: idText,
    chain: z.string().max(64),
    symbol: z.string().max(32),
    token_id: tokenId,
    amount: amountText.default('0'),
    from: addressText
      .optional()
      .describe('Which address of the sub-wallet would pay; its first one if absent. A limit for each paying address is counted for this one'),
    to: addressText.optional().describe('Whom it would pay. Without it, nothing is said of limits for each recipient'),
    memo: remarkText().optional().describe('What would go along: rules may ask whether there is a memo'),
  }),
  output: z.object({
    allowed: z.boolean().describe('Whether a payment of this amount could be asked for now'),
    min_withdraw: amount.describe('The least that can be paid to the address `to`; without it, the smallest unit of the coin'),
    max_withdraw: amount.describe(
      'The most by the balance that a rule lets through whose limits have room for it, by the orders this server knows; the fee comes on top',
    ),
    rule_id: z.string().nullable().describe('The rule of the policy that decides about this amount; null where there is none'),
    rule_max: amount.nullable().describe('The most of one payment under it'),
    window: z
      .object({ ...window, max: amount, left: amount.describe('By the orders this server knows; each signer counts for itself') })
      .nullable()
      .describe('The limit of an amount that leaves the least'),
    order_window: z
      .object({ ...window, max: z.int(), left: z.int().describe('By the orders this server knows; each signer counts for itself') })
      .nullable()
      .describe('The limit of a number of orders that leaves the fewest'),
    pending_count: z.int().describe('Orders of the sub-wallet that are not final'),
  }),
  tenantParameters: ['sub_wallet_id'],
})

export const estimateGas = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/gas_estimate',
  permission: 'withdraw.create',
  staleOn: [],
  summary: 'The fee of a transfer in three tiers, at most; with data, that of a call of the contract `to`',
  input: z.object({
    sub_wallet_id: idText,
    chain: z.string().max(64),
    symbol: z.string().max(32),
    token_id: tokenId,
    from: addressText.optional().describe('Which address of the sub-wallet pays: then what is available is what that one has'),
    to: addressText,
    amount: amountText,
    gross: gross.describe('1 where the fee is taken from the amount'),
    data: callDataText.optional(),
    outputs,
    inscription_ids: inscriptionIdsText.optional().describe('The inscriptions that are sent, where they are: their coins are spent in any case'),
  }),
  output: z.object({
    fee_symbol: z.string(),
    tiers: z.array(
      z.object({
        tier: feeTier,
        fee: amount.describe('The most it can reach'),
        eta_s: z.int().nullable().describe('Null where a higher fee buys no earlier place'),
        expected: amount.nullable().describe('What would be taken now, where the network can tell'),
        activation: amount.nullable().describe("Part of the fee that makes the recipient's account; null where the network asks for none"),
        resources: z
          .array(z.object({ name: z.enum(['bandwidth', 'energy']), needed: z.string(), available: z.string() }))
          .describe('What the transfer uses, and what the payer has of it without paying; empty where the network has no such thing'),
      }),
    ),
    fee_decimals: z.int().describe("Of the network's own coin"),
    cap_min: amount.describe('A lower fee cap is refused'),
    cap_max: amount.describe('A higher fee cap is refused'),
    fee_balance: amount,
    min_withdraw: amount.describe('The least that can be sent to this address'),
    max_withdraw: amount.describe('The most that can be sent with the normal fee'),
    along: amount.nullable().describe('What goes along with a token of BRC-20 that is inscribed first, in the coin of the fee; null for anything else'),
    max_gross: amount.nullable().describe('The most that an amount can be which the fee is taken from; null where the fee is of another coin'),
    quoted_at: z.int(),
    valid_ms: z.int(),
  }),
  tenantParameters: ['sub_wallet_id'],
})

export const createWithdrawal = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/sub_wallet/withdraw',
  permission: 'withdraw.create',
  changes: ['order.changed', 'balance.changed', 'todo.changed', 'label.changed'],
  summary: 'Asks for a payment: an immutable intent, its funds held until it is decided',
  input: z.object({
    request_id: requestIdText,
    sub_wallet_id: idText,
    chain: z.string().max(64),
    symbol: z.string().max(32),
    token_id: tokenId,
    from: addressText.optional().describe('Which address of the sub-wallet pays; its first one if absent. Each pays what it has itself'),
    address_to: addressText,
    amount: positiveAmountText,
    outputs,
    max_fee: positiveAmountText.describe("The most the fee may reach, in the network's own coin"),
    fee_tier: feeTier.default('normal').describe('The fee that the payment offers at first, as far as `max_fee` allows'),
    gross: gross.describe('1 takes the fee from the amount: paid is `amount` less `max_fee`. What the fee does not reach stays in the wallet'),
    memo: z
      .union([z.literal(''), labelText(256)])
      .default('')
      .describe('What the network carries along for the one who is paid; empty for nothing'),
    remark: remarkText(200).default(''),
    // Nobody signs the label of an order: it can be changed at any time.
    ...label,
    expire_hours: wholeNumberText(1, 168).default(168),
    ack: z.string().max(200).default('').describe('Warnings acknowledged, by comma: lookalike, control, policy_contract, contract, first_seen'),
  }),
  output: openedOrder,
  tenantParameters: ['sub_wallet_id'],
})

const closedPayment = z.object({ id: z.string(), symbol: z.string(), amount, address_to: z.string() })

export const listClosedByPolicy = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/withdraw/closed_by_policy',
  permission: 'withdraw.create',
  staleOn: ['order.changed'],
  summary: 'What the caller asked for in the last 30 days and a change of the policy closed unpaid, as far as it was not asked for again: the first 50',
  input: z.object({}),
  output: z.object({ list: z.array(closedPayment), total: z.int().describe('How many they are, whether or not they are listed') }),
})

export const askAgain = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/withdraw/ask_again',
  permission: 'withdraw.create',
  changes: ['order.changed', 'balance.changed', 'todo.changed'],
  summary: 'Asks for 50 of these once more, each as it was and checked anew, and each once however often it is called. Says why one is not',
  input: z.object({ after: idText.optional().describe('`next` of the call before; without it, the first are asked for') }),
  output: z.object({
    asked: z.array(z.object({ id: z.string().describe('Of the order that was closed'), withdraw_id: z.string() })),
    refused: z.array(closedPayment.extend({ msg: z.string() })),
    next: z.string().nullable().describe('Where the next call goes on; null where there are no more'),
  }),
  tenantParameters: ['after'],
})

export const sendInscription = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/withdraw/brc20',
  permission: 'withdraw.create',
  changes: ['order.changed', 'balance.changed', 'todo.changed', 'label.changed'],
  summary: 'Asks for inscribed BRC-20 transfers to be sent: the token goes with the coins that carry it, and the fee comes from other coins',
  input: z.object({
    request_id: requestIdText,
    sub_wallet_id: idText,
    chain: z.string().max(64),
    symbol: z.string().max(32).describe('Of the token'),
    inscription_ids: inscriptionIdsText.describe('The transfer inscriptions of one token that are sent, 1 to 16, by comma'),
    address_to: addressText,
    max_fee: positiveAmountText.describe("The most the fee may reach, in the network's own coin"),
    remark: remarkText(200).default(''),
    expire_hours: wholeNumberText(1, 168).default(168),
    ack: z.string().max(200).default('').describe('Warnings acknowledged, by comma: lookalike, policy_contract, first_seen'),
  }),
  output: openedOrder,
  tenantParameters: ['sub_wallet_id'],
})

export const readSignProtection = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/withdraw/sign_protect',
  permission: 'withdraw.create',
  staleOn: [],
  summary: 'Whether who asks for a payment is kept from approving it, and whether that keeps the caller from approving this one',
  input: z.object({ wallet_id: idText.optional(), withdraw_id: idText.optional() }),
  output: z.object({
    enabled: z.literal(true).describe('Every rule of every policy has it, and each signer keeps it: it cannot be switched off'),
    blocked_me: z.boolean().describe('The caller asked for this payment; false where none is named'),
  }),
  tenantParameters: ['wallet_id', 'withdraw_id'],
})
