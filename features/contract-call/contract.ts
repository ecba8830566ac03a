import {
  addressText,
  amountText,
  boolText,
  defineEndpoint,
  idText,
  positiveAmountText,
  remarkText,
  requestIdText,
  totpText,
  wholeNumberText,
} from '@holdfast/contract'
import { fiatText } from '@holdfast/features/price/contract'
import { getWithdrawal } from '@holdfast/features/transaction/contract'
import { estimateGas } from '@holdfast/features/withdrawal/contract'
import * as z from 'zod'

const inputData = z.string().regex(/^0x([0-9a-fA-F]{2}){4,30000}$/, 'it must be call data in hexadecimal, with 0x')
const functionText = z.string().max(512).describe('The function that is called, such as approve(address,uint256); empty where nobody knows it')

/** What call data says, read by the function it is said to be a call of. */
const decoded = z.object({
  method: z.string().nullable(),
  title: z.string(),
  trade: z
    .array(z.object({ label: z.string(), value: z.string() }))
    .describe('What a call of a venue of the policy gives at most and gets at least, to whom and until when; empty of any other call'),
  grants: z.array(z.string()).describe('Rights over tokens that the call gives, in the language of the caller'),
  args: z.array(z.object({ label: z.string(), value: z.string() })),
  warnings: z.array(z.string()),
  grave: z.boolean().describe('The warnings are of a kind to be shown in red'),
})

/** What a node says the call would do now. The server's word: signers do not check it. */
const simulation = z.object({
  fails: z.string().nullable().describe('Why the call would fail, in words of the contract'),
  changes: z
    .array(z.object({ symbol: z.string(), contract_address: z.string().nullable(), delta: z.string(), address: z.string() }))
    .nullable()
    .describe('How what the payer has would change; null where the node cannot tell'),
  risk: z.enum(['none', 'warn', 'block']),
})

const call = {
  sub_wallet_id: idText,
  chain: z.string().max(64),
  interactive_contract: addressText,
  amount: amountText.default('0').describe("The network's own coin that goes along"),
  input_data: inputData,
  function: functionText.default(''),
}

export const checkCall = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/web3/trans/check',
  permission: 'withdraw.create',
  changes: [],
  summary: 'What a call says, what it would do, what it may cost and what the policy says of it, before it is asked for',
  input: z.object(call),
  output: z.object({
    decoded,
    simulation,
    policy: z.object({ denied: z.boolean(), sentence: z.string() }),
    gas: z.union([estimateGas.output, z.null()]).describe('Null where the call would fail'),
  }),
  tenantParameters: ['sub_wallet_id'],
})

export const createCall = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/web3/trans/create',
  permission: 'withdraw.create',
  changes: ['order.changed', 'balance.changed', 'todo.changed'],
  summary: 'Asks for a call of a contract: an immutable intent, its value and fee held until it is decided',
  input: z.object({
    ...call,
    request_id: requestIdText,
    max_fee: positiveAmountText.describe("The most the fee may reach, in the network's own coin"),
    trans_type: z.enum(['0', '1']).optional().describe('0 authorisation, 1 other; refused where the call data says otherwise'),
    dapp_name: z.string().max(100).default(''),
    dapp_url: z.string().max(500).default(''),
    dapp_img: z.string().max(500).default(''),
    remark: remarkText(200).default(''),
    expire_hours: wholeNumberText(1, 168).default(168),
    ack: boolText.default(false).describe('Whoever asks has read the warnings; needed where the risk is not none'),
  }),
  output: z.object({
    trans_id: z.string(),
    status: z.int(),
    sub_status: z.string(),
    decoded,
    simulation,
    intent_hash: z.string(),
    approval_url: z.string(),
    idempotent: z.boolean(),
  }),
  tenantParameters: ['sub_wallet_id'],
})

export const listAllowances = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/batch/auth/list',
  permission: 'wallet.read',
  staleOn: ['order.changed', 'wallet.changed'],
  summary:
    'What others may take of the tokens of a sub-wallet, or of all of a wallet, as far as it stands now by the word of a node, and what that is worth; the most at risk first',
  input: z.object({ sub_wallet_id: idText.optional(), wallet_id: idText.optional(), fiat: fiatText }),
  output: z.object({
    usd_at_risk: z.string().nullable().describe('What could be taken by all of them together, in the chosen currency; null where nothing of it is known'),
    usd_partial: z.boolean().describe('Of something it is not known how much, or what it is worth: then it is at least so much'),
    price_source: z.string().nullable(),
    unasked: z.int().describe('Single tokens of collections about which the node was not asked, since there are so many'),
    list: z.array(
      z.object({
        sub_wallet_id: z.string(),
        wallet_name: z.string(),
        sub_wallet_name: z.string(),
        chain: z.string(),
        network: z.string(),
        coin: z.string().describe("The network's own coin"),
        symbol: z.string().describe('Empty for a token that nobody lists here'),
        contract_address: z.string().describe('Of the token or the collection'),
        token_id: z.string().nullable().describe('Where it is a right over one token of a collection'),
        address: z.string().describe('Whose tokens they are'),
        spender: z.string(),
        of_batches: z.boolean().describe('It is the contract that pays batches, which spends an allowance only for the address that gave it'),
        allowance: z
          .string()
          .nullable()
          .describe('How much may be taken: of a listed token as decimal text, of another in base units; null for everything of a collection, or unknown'),
        unlimited: z.boolean(),
        at_risk: z.string().nullable().describe('As much of it as there is now; null where that is not known'),
        usd: z.string().nullable().describe('What that is worth in the chosen currency; null where that is not known'),
        status: z.enum(['open', 'unknown']),
        order_id: z.string().nullable().describe('The call that gave it; null where it is known only from what was taken'),
        txid: z.string().nullable(),
        revoke: z
          .object({ function: z.string(), input_data: z.string() })
          .nullable()
          .describe('The call of the token that ends it; null where another contract keeps it'),
      }),
    ),
  }),
  tenantParameters: ['sub_wallet_id', 'wallet_id'],
  timeoutMs: 30_000,
})

const batchAllowance = {
  method: 'POST',
  permission: 'batch.create',
  changes: ['order.changed', 'balance.changed', 'todo.changed'],
  tenantParameters: ['sub_wallet_id'],
  timeoutMs: 60_000,
} as const

const askedOrder = z.object({
  trans_id: z.string(),
  does: z.enum(['deploy', 'allow', 'revoke']).describe('Deploy: the contract does not stand on the network yet, so that is asked for first'),
  approval_url: z.string(),
  idempotent: z.boolean(),
})

export const createBatchAllowance = defineEndpoint({
  ...batchAllowance,
  path: '/api/mpc/tools/batch/auth/create',
  summary: 'Asks for the call that lets the contract that pays batches take exactly so much of a token of a sub-wallet, or first for the one that deploys it',
  input: z.object({
    request_id: requestIdText,
    sub_wallet_id: idText,
    chain: z.string().max(64),
    symbol: z.string().max(32),
    amount: z
      .string()
      .regex(/^(-1|(0|[1-9]\d{0,77})(\.\d{1,36})?)$/, 'it must be a plain decimal number such as 12.5')
      .describe('What a batch pays; of the own coin of the network it does not matter. -1, without a bound, is refused'),
    google_code: totpText.optional(),
  }),
  output: askedOrder,
})

export const revokeBatchAllowance = defineEndpoint({
  ...batchAllowance,
  path: '/api/mpc/tools/batch/auth/revoke',
  summary: 'Asks for the call after which the contract that pays batches may take nothing more of a token of a sub-wallet',
  input: z.object({
    request_id: requestIdText,
    sub_wallet_id: idText,
    chain: z.string().max(64),
    symbol: z.string().max(32),
    google_code: totpText.optional(),
  }),
  output: askedOrder,
})

export const cancelCall = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/web3/trans/cancel',
  permission: 'withdraw.create',
  changes: ['order.changed', 'balance.changed', 'todo.changed'],
  summary: 'Takes a call back while it still waits for approval; its funds are free again',
  input: z.object({ trans_id: idText, remark: remarkText(200).default('') }),
  output: z.object({ status: z.int(), sub_status: z.string() }),
  tenantParameters: ['trans_id'],
})

export const getCall = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/web3/info',
  permission: 'wallet.read',
  staleOn: ['order.changed'],
  summary: 'One call of a contract: what it says, where it came from by the word of who asked, and what a node said it would do',
  input: z.object({ id: idText }),
  output: getWithdrawal.output.extend({
    main_chain_symbol: z.string().describe("The network's own coin; several networks may have one of this symbol, and `chain` says which it is"),
    interactive_contract: z.string(),
    input_data: z.string(),
    trans_type: z.enum(['0', '1']),
    decoded,
    dapp_name: z.string(),
    dapp_url: z.string(),
    dapp_img: z.string(),
    simulation,
  }),
  tenantParameters: ['id'],
})
