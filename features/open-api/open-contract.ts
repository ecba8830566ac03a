import { amountText, atPath, defineEndpoint, feeTier, idText, jsonField, remarkText, requestIdText } from '@holdfast/contract'
import { BATCH_LINES_MAX, cancelBatch, getBatch, listBatchRows } from '@holdfast/features/batch-transfer/contract'
import { checkCall, createCall, getCall } from '@holdfast/features/contract-call/contract'
import { createAddresses, getDepositAddress, listUserAddresses } from '@holdfast/features/deposit-address/contract'
import { listNotifications } from '@holdfast/features/notification/contract'
import { getWithdrawal, listTransactions } from '@holdfast/features/transaction/contract'
import { listCoinAssets } from '@holdfast/features/wallet/contract'
import { cancelWithdrawal } from '@holdfast/features/transfer/contract'
import { createWithdrawal, estimateGas } from '@holdfast/features/withdrawal/contract'
import { SCREENING_LEVELS } from '@holdfast/intent/screening-levels'
import * as z from 'zod'

// What programs call with API keys. Most are calls of the console at paths of their own, with the same fields and answers; `member` is any key here.

const orderState = z.object({ state: z.string(), missing: z.int().describe('How many approvals and signatures it still lacks') })

export const openWallets = defineEndpoint({
  method: 'GET',
  path: '/open/v1/wallets',
  permission: 'wallet.read',
  staleOn: [],
  summary: 'The sub-wallets that the key may name',
  input: z.object({}),
  output: z.object({
    list: z.array(z.object({ wallet_id: z.string(), wallet_name: z.string(), sub_wallet_id: z.string(), sub_wallet_name: z.string() })),
  }),
})

/** The bytes of an order that the key has to sign, and the way to hand the signature in: of payments, calls and batches, which need a permission each. */
const intentAt = <const Path extends string>(path: Path, permission: 'withdraw.create' | 'web3.create' | 'batch.create') =>
  defineEndpoint({
    method: 'GET',
    path,
    permission,
    staleOn: [],
    summary: 'The bytes of an order that the key asked for, which it has to sign: read in them what was asked for before you do',
    input: z.object({ id: idText }),
    output: z.object({ intent: z.string().describe('Hexadecimal'), intent_hash: z.string().describe('Hexadecimal'), state: z.string() }),
    tenantParameters: ['id'],
  })

const signAt = <const Path extends string>(path: Path, permission: 'withdraw.create' | 'web3.create' | 'batch.create') =>
  defineEndpoint({
    method: 'POST',
    path,
    permission,
    changes: ['order.changed', 'todo.changed'],
    summary: 'Hands in that the key asks for an order, signed by it. The same again answers the same',
    input: z.object({
      id: idText,
      signature: z.string().regex(/^([0-9a-f]{2}){1,2048}$/, 'it must be a signature of a machine in hexadecimal'),
    }),
    output: orderState,
    tenantParameters: ['id'],
  })

export const openWithdrawalIntent = intentAt('/open/v1/withdrawals/intent', 'withdraw.create')
export const openSignWithdrawal = signAt('/open/v1/withdrawals/sign', 'withdraw.create')
export const openCallIntent = intentAt('/open/v1/calls/intent', 'web3.create')
export const openSignCall = signAt('/open/v1/calls/sign', 'web3.create')

const batchLine = z.object({ address: z.string().min(1).max(300), amount: amountText, memo: z.string().max(256).optional() })

export const openCreateBatch = defineEndpoint({
  method: 'POST',
  path: '/open/v1/batches/create',
  permission: 'batch.create',
  changes: ['batch.changed', 'order.changed', 'balance.changed', 'todo.changed'],
  summary: 'Asks for a batch: its lines are approved as one order, and its money is held. Nothing is asked for where one line is wrong',
  input: z.object({
    request_id: requestIdText,
    sub_wallet_id: idText,
    chain: z.string().max(64),
    symbol: z.string().max(32),
    lines: jsonField(z.array(batchLine).min(1).max(BATCH_LINES_MAX)),
    fee_tier: feeTier.default('normal'),
    max_fee: amountText.describe("The most that each transaction may cost, in the network's own coin"),
    remark: remarkText(200).default(''),
  }),
  output: z.object({ batch_id: z.string(), state: z.string(), intent_hash: z.string(), approval_url: z.string(), idempotent: z.boolean() }),
  tenantParameters: ['sub_wallet_id'],
  timeoutMs: 60_000,
  maxBodyBytes: 512 << 10,
})

export const openBatchIntent = intentAt('/open/v1/batches/intent', 'batch.create')
export const openSignBatch = signAt('/open/v1/batches/sign', 'batch.create')

const screened = z.object({ level: z.enum(SCREENING_LEVELS), provider: z.string(), at: z.int() })

export const openScreenings = defineEndpoint({
  method: 'GET',
  path: '/open/v1/screenings/waiting',
  permission: 'kyt.read',
  staleOn: [],
  summary: 'The orders that wait for what this screener says of them, the oldest first: a hundred at most, of the sub-wallets that its key may name',
  input: z.object({}),
  output: z.object({
    organisation: z.string().describe('The fingerprint of the organisation in hexadecimal, which the screener signs with each word'),
    list: z.array(
      z.object({
        order_hash: z.string().describe('What the screener signs: the hash of the order, or of the batch'),
        intent: z.string().describe('The bytes of the order in hexadecimal, whose hash it is'),
        order_id: z.string(),
        kind: z.string(),
        sub_wallet_id: z.string(),
        chain: z.string(),
        from: z.string(),
        asset: z.string().describe("The contract of the token; empty for the network's own coin"),
        symbol: z.string(),
        amount: z.string(),
        pays: z.array(z.object({ to: z.string(), amount: z.string(), memo: z.string().nullable() })).describe('Whom it pays, or the contract that it calls'),
        expire_at: z.int(),
        within_ms: z.int().describe('How old the word may be when it is signed'),
        levels: z.array(z.string()).describe('The levels that the rule names'),
        last: screened.nullable().describe('What the screener said of it last, which is too old by now'),
      }),
    ),
  }),
})

export const openScreen = defineEndpoint({
  method: 'POST',
  path: '/open/v1/screenings/submit',
  permission: 'kyt.write',
  changes: ['order.changed', 'batch.changed', 'todo.changed'],
  summary: 'Hands in what the screener says of an order, signed by its key. The same again answers the same; a later word takes the place of an earlier one',
  input: z.object({
    order_hash: z.string().regex(/^[0-9a-f]{64}$/, 'it must be the hash of an order: 64 hex digits'),
    provider: z.string().min(1).max(64).describe('The service or the list that was asked'),
    level: z.enum(SCREENING_LEVELS),
    screened_at: z.coerce.number().int().min(0).max(8_640_000_000_000_000).describe('When, in milliseconds since 1970'),
    report_hash: z.string().regex(/^[0-9a-f]{64}$/, 'it must be the SHA-256 of the report: 64 hex digits'),
    signature: z
      .string()
      .regex(/^[0-9a-f]{128}$/, 'it must be a signature of 64 bytes: 128 hex digits')
      .describe('Over the canonical encoding of holdfast/screening/v1; of P-256 with the lower s'),
  }),
  output: z.object({ order_id: z.string(), state: z.string() }),
})

export const openSwitchOff = defineEndpoint({
  method: 'POST',
  path: '/open/v1/key/off',
  permission: 'member',
  changes: ['machine.changed'],
  summary: 'Switches the key itself off, at once. Two people have to switch it on again',
  input: z.object({}),
  output: z.object({}),
})

/** What a call names: sub-wallets, an order, a batch, one of both by its hash, everything of the organisation, or nothing but the key itself. */
export type Names = 'sub_wallets' | 'order' | 'batch' | 'order_hash' | 'organisation' | 'key'

/** Calls of the console that programs make too, by the paths at their door. */
export const SHARED_CALLS = {
  openBalances: { of: listCoinAssets, at: atPath(listCoinAssets, '/open/v1/balances'), names: 'sub_wallets' },
  openDepositAddress: { of: getDepositAddress, at: atPath(getDepositAddress, '/open/v1/addresses/deposit'), names: 'sub_wallets' },
  openAddresses: { of: listUserAddresses, at: atPath(listUserAddresses, '/open/v1/addresses'), names: 'sub_wallets' },
  openCreateAddresses: { of: createAddresses, at: atPath(createAddresses, '/open/v1/addresses/create'), names: 'sub_wallets' },
  openFees: { of: estimateGas, at: atPath(estimateGas, '/open/v1/withdrawals/fees'), names: 'sub_wallets' },
  openCreateWithdrawal: { of: createWithdrawal, at: atPath(createWithdrawal, '/open/v1/withdrawals/create'), names: 'sub_wallets' },
  // A person who may ask may take back; of a key that is said by itself.
  openCancelWithdrawal: {
    of: cancelWithdrawal,
    at: { ...atPath(cancelWithdrawal, '/open/v1/withdrawals/cancel'), permission: 'withdraw.cancel' },
    names: 'order',
  },
  openWithdrawal: { of: getWithdrawal, at: atPath(getWithdrawal, '/open/v1/withdrawals/info'), names: 'order' },
  openCheckCall: { of: checkCall, at: { ...atPath(checkCall, '/open/v1/calls/check'), permission: 'web3.create' }, names: 'sub_wallets' },
  openCreateCall: { of: createCall, at: { ...atPath(createCall, '/open/v1/calls/create'), permission: 'web3.create' }, names: 'sub_wallets' },
  openCall: { of: getCall, at: atPath(getCall, '/open/v1/calls/info'), names: 'order' },
  openBatch: { of: getBatch, at: atPath(getBatch, '/open/v1/batches/info'), names: 'batch' },
  openBatchRows: { of: listBatchRows, at: atPath(listBatchRows, '/open/v1/batches/rows'), names: 'batch' },
  openCancelBatch: { of: cancelBatch, at: atPath(cancelBatch, '/open/v1/batches/cancel'), names: 'batch' },
  openTransactions: { of: listTransactions, at: atPath(listTransactions, '/open/v1/transactions'), names: 'sub_wallets' },
  openNotifications: { of: listNotifications, at: atPath(listNotifications, '/open/v1/notifications'), names: 'organisation' },
} as const satisfies Record<string, { of: object; at: object; names: Names }>

/** Calls that only programs make. */
export const OWN_CALLS = {
  openWallets: { at: openWallets, names: 'key' },
  openWithdrawalIntent: { at: openWithdrawalIntent, names: 'order' },
  openSignWithdrawal: { at: openSignWithdrawal, names: 'order' },
  openCallIntent: { at: openCallIntent, names: 'order' },
  openSignCall: { at: openSignCall, names: 'order' },
  openCreateBatch: { at: openCreateBatch, names: 'sub_wallets' },
  openBatchIntent: { at: openBatchIntent, names: 'batch' },
  openSignBatch: { at: openSignBatch, names: 'batch' },
  // It answers orders of the sub-wallets that the key may name.
  openScreenings: { at: openScreenings, names: 'key' },
  openScreen: { at: openScreen, names: 'order_hash' },
  openSwitchOff: { at: openSwitchOff, names: 'key' },
} as const satisfies Record<string, { at: object; names: Names }>
