import {
  addressText,
  defineEndpoint,
  idText,
  keywordText,
  labelText,
  pageNumber,
  pageSize,
  partOf,
  positiveAmountText,
  requestIdText,
  wholeNumberText,
} from '@holdfast/contract'
import * as z from 'zod'

const amount = z.string().describe('Decimal text, exact')
const chainText = z.string().max(64)
const symbolText = z.string().max(32)
/** Where a part of a list begins. */
const placeText = z.string().max(500).describe('`next` of the part before')
const page = { page_no: pageNumber, page_size: pageSize }
/** What the addresses of a sub-wallet are narrowed to. Used is one that money ever came to; funded one that has some now. */
const narrowing = {
  chain: chainText.optional(),
  symbol: symbolText.optional(),
  keyword: keywordText.optional().describe('A whole address is found at once; anything else is looked for in addresses and labels'),
  state: z.enum(['all', 'unused', 'used', 'funded']).default('all'),
}
/** So many addresses are made by one call at most. */
export const ADDRESSES_PER_CALL = 10_000
/** A name, or an empty text that takes it away. */
const labelOrNone = z.union([z.literal(''), labelText(50)])

/** What a payment to an address that payers share needs besides the address. */
const sharedPart = {
  memo: z.string().nullable().describe('The comment that a payment has to carry, the newest where none is asked for; null where the address is not shared'),
  payment_link: z.string().nullable().describe('Fills in address and comment in a wallet of the payer'),
}

const addressRow = z.object({
  id: z.string(),
  chain: z.string(),
  network: z.string(),
  address: z.string().nullable().describe('Null while recovery of its key is not proven'),
  ...sharedPart,
  addr_type: z.int().describe('1 of people who pay in, 2 of the system'),
  label: z.string().nullable(),
  enableDeposit: z.boolean(),
  text: z.string().describe('Why deposits are closed, or an empty text'),
  balance: z.array(z.object({ symbol: z.string(), amount })),
  last_in_at: z.int().nullable(),
  created_at: z.int(),
})

const addressRequest = z.object({
  id: z.string(),
  chain: z.string(),
  network: z.string(),
  addr_type: z.int(),
  first: z.int().describe('Number of the first one: the last index of its path'),
  count: z.int(),
  made: z.int().describe('How many of them the signers have attested so far; each is in the list as soon as it is'),
  label: z.string().nullable(),
  created_at: z.int(),
})

export const listUserAddresses = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/user/deposit/address',
  permission: 'address.read',
  staleOn: ['deposit.changed', 'wallet.changed', 'balance.changed'],
  keptForMs: 10_000,
  summary: 'The addresses of a sub-wallet that people pay in to',
  input: z.object({ sub_wallet_id: idText, ...narrowing, after: placeText.optional(), ...page }),
  output: partOf(addressRow),
  tenantParameters: ['sub_wallet_id'],
})

export const createAddresses = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/user/deposit/address/create',
  permission: 'address.create',
  changes: ['wallet.changed'],
  summary: 'Makes further addresses for a sub-wallet. They are in the list as soon as all three signers have attested them',
  input: z.object({
    request_id: requestIdText,
    sub_wallet_id: idText,
    chain: chainText,
    count: wholeNumberText(1, ADDRESSES_PER_CALL).default(1),
    label: labelOrNone.default('').describe('The name of one; of several, each gets its number behind it'),
    addr_type: wholeNumberText(1, 2).default(1).describe('1 of people who pay in, 2 of the system, given to nobody'),
  }),
  output: addressRequest.extend({ idempotent: z.boolean() }),
  tenantParameters: ['sub_wallet_id'],
})

export const listAddressRequests = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/user/deposit/address/requests',
  permission: 'address.read',
  staleOn: ['wallet.changed'],
  summary: 'What addresses of a sub-wallet were asked for, the newest first, and how many of them are made',
  input: z.object({ sub_wallet_id: idText }),
  output: z.object({ list: z.array(addressRequest), left: z.array(z.object({ chain: z.string(), network: z.string(), left: z.int() })) }),
  tenantParameters: ['sub_wallet_id'],
})

export const exportAddresses = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/user/deposit/address/export',
  permission: 'address.read',
  staleOn: [],
  summary: 'One part of the addresses of a sub-wallet as CSV, with the path of each, and where the next part begins',
  input: z.object({ sub_wallet_id: idText, ...narrowing, after: placeText.optional() }),
  output: z.object({ csv: z.string(), rows: z.int(), total: z.int().nullable().describe('Of the first part'), next: z.string().nullable() }),
  tenantParameters: ['sub_wallet_id'],
})

const payingFields = {
  address: z.string(),
  balance: amount,
  available: amount.describe('What of it no order holds'),
  in_use: z.boolean(),
  is_default: z.boolean(),
}
const payingAddress = addressRow.pick({ id: true, addr_type: true, label: true }).extend(payingFields)

export const listMultiAddresses = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/sub_wallet/multi/address/list',
  permission: 'address.read',
  staleOn: ['wallet.changed', 'balance.changed'],
  summary: 'The addresses of a sub-wallet on the network of a coin, for the choice of where to pay from',
  input: z.object({
    sub_wallet_id: idText,
    chain: chainText,
    symbol: symbolText,
    addr_type: wholeNumberText(1, 2).optional(),
    state: z.enum(['all', 'funded']).default('all').describe('Funded is one that has something now, of whatever coin'),
    ...page,
  }),
  output: z.object({ pageTotal: z.int(), list: z.array(payingAddress) }),
  tenantParameters: ['sub_wallet_id'],
})

export const updateAddressLabel = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/sub_wallet/update/address_label',
  permission: 'address.create',
  changes: ['wallet.changed'],
  summary: 'Names an address, or takes the name away',
  input: z.object({
    sub_wallet_id: idText,
    chain: chainText,
    address: addressText,
    memo: z.string().max(64).optional().describe('A comment of a shared address'),
    label: labelOrNone,
  }),
  output: z.object({}),
  tenantParameters: ['sub_wallet_id'],
})

export const getDepositAddress = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/sub_wallet/deposit/address',
  permission: 'wallet.read',
  staleOn: ['wallet.changed', 'token.changed'],
  summary: 'Where to deposit a coin. The address is shown only while recovery of its key is proven',
  input: z.object({ sub_wallet_id: idText, chain: z.string().max(64), symbol: z.string().max(32) }),
  output: z.object({
    symbol: z.string(),
    network: z.string(),
    enableDeposit: z.boolean(),
    text: z.string().describe('Why deposits are closed, or an empty text'),
    address: z.string().nullable(),
    confirmations: z.int(),
    test_coins: z.boolean().describe('A network of this machine, whose faucet sends coins without value'),
    ...sharedPart,
    memo_max: z.int().nullable().describe('As of `address/info`'),
    contract_address: z.string().nullable(),
    uneven: z.boolean().describe('Marked as a token whose balances differ from what it logs: what arrives of it is held'),
    is_uninitialised: z
      .boolean()
      .describe("No contract runs at the address yet, where the network can tell: the network's own coin comes back to a payer who sends it bounceable"),
  }),
  tenantParameters: ['sub_wallet_id'],
})

export const listArrivals = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/sub_wallet/deposit/arrivals',
  permission: 'wallet.read',
  staleOn: ['deposit.changed'],
  summary: 'What is arriving of a coin now: not in a block yet, being confirmed, held, or credited a moment ago',
  input: z.object({ sub_wallet_id: idText, chain: chainText, symbol: symbolText }),
  output: z.object({
    list: z.array(
      z.object({
        id: z.string(),
        amount,
        txid: z.string(),
        state: z.enum(['pending', 'confirming', 'held', 'credited']),
        confirmations: z.int(),
        needed: z.int(),
        at: z.int(),
      }),
    ),
  }),
  tenantParameters: ['sub_wallet_id'],
})

export const getTestCoins = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/sub_wallet/deposit/test_coins',
  permission: 'address.read',
  changes: ['deposit.changed'],
  summary: 'Has the faucet of a network of this machine pay coins without value to a sub-wallet. Refused on every other network',
  input: z.object({ sub_wallet_id: idText, chain: chainText, symbol: symbolText, amount: positiveAmountText }),
  output: z.object({ txid: z.string() }),
  tenantParameters: ['sub_wallet_id'],
  timeoutMs: 40_000,
})

export const createDepositComment = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/user/deposit/comment',
  permission: 'address.create',
  changes: ['wallet.changed'],
  summary: 'One more comment for the address of a sub-wallet. With the first the address becomes shared: what comes without one of its comments is held',
  input: z.object({ sub_wallet_id: idText, chain: chainText, label: labelOrNone.default('') }),
  output: z.object({ address: z.string(), memo: z.string() }),
  tenantParameters: ['sub_wallet_id'],
})
