import type { Family } from '@holdfast/chain-registry/families'
import { boolText, defineEndpoint, idListText, idText, labelText, pageNumber, pageSize, keywordText, requestIdText, wholeNumberText } from '@holdfast/contract'
import { fiatText } from '@holdfast/features/price/contract'
import * as z from 'zod'

export { FLOW_RANGES, listFlows } from './flow-contract.ts'
export { applyForToken, checkToken, listTokenApplications, openCoin, refuseToken } from './token-contract.ts'

/** What a token of a family's networks is called. */
export const TOKEN_STANDARDS = { evm: 'ERC20', tron: 'TRC20', ton: 'jetton', bitcoin: 'BRC20' } as const satisfies Record<Family, string>

const amount = z.string().describe('Decimal text, exact')
const chainText = z.string().max(64)
const symbolText = z.string().max(32)
const page = { page_no: pageNumber, page_size: pageSize }
/** A name, or an empty text that removes it. */
const labelOrNone = z.union([z.literal(''), labelText(50)])

const usd = z.string().nullable().describe('Decimal text in the currency that was asked for, US dollars where none was; null where no price is known')
const percent = z.string().nullable().describe('Change in 24 hours in percent, two decimals; null where it is not known')

const worth = {
  usd_balance: usd,
  usd_partial: z.boolean().describe('Something is held that no price is known for, so that the value is of the rest only'),
}

const keyKind = z.enum(['ecdsa', 'taproot', 'ed25519']).describe('The kind of signature a key makes; on which networks it has addresses follows')

const oneKey = z.object({
  state: z.enum(['generating', 'setting_up', 'backing_up', 'ready', 'failed']),
  steps: z.array(
    z.object({
      name: z.enum(['generate', 'setup_1_2', 'setup_1_3', 'setup_2_3', 'attest', 'kit']),
      state: z.enum(['waiting', 'running', 'done', 'failed']),
      at: z.int().nullable(),
    }),
  ),
})

/** How far the key is that is being made, the last one when all are, and in `keys` each of them. */
export const keyProgress = oneKey.extend({
  keys: z.array(oneKey.extend({ key_kind: keyKind })),
  reason: z.string().nullable(),
  /** Signers that it waits for, because they are not connected. */
  away: z.array(z.int()),
})

export const subWalletView = z.object({
  sub_wallet_id: z.string(),
  sub_wallet_num: z.int(),
  sub_wallet_name: z.string(),
  alias: z.string().nullable(),
  created_at: z.int(),
})

export const subWalletRow = subWalletView.extend({
  app_show_status: z.int().describe('1 shown, 2 hidden'),
  top: z.boolean().describe('Pinned by the person who asks'),
  coin_count: z.int(),
  ...worth,
})

export const walletView = z.object({
  wallet_id: z.string(),
  wallet_name: z.string(),
  alias: z.string().nullable(),
  wallet_type: z.int(),
  /** The kind of its first key. */
  key_kind: keyKind,
  key_kinds: z.array(keyKind).describe('The kinds of all its keys; where two serve a network, the first signs there'),
  addable_kinds: z.array(keyKind).describe('The kinds of keys that it can get beside those, because a network needs one'),
  added_key: z.enum(['making', 'failed']).nullable().describe('How a key stands that it is getting'),
  state: z.enum(['creating', 'active', 'failed']),
  /** All its keys are out of use: nothing is paid from the wallet, and it gets no new addresses. */
  retired: z.boolean(),
  /** Whether the recovery of each key in use, in its present epoch, is proven; deposits on the networks of a key are closed until it is. */
  recovery_verified: z.boolean(),
  deposits: z.enum(['open', 'part', 'closed']).describe('Whether they are open on each network on which a key in use signs'),
  closed_networks: z.array(z.string()).describe('Names of the networks on which a key in use signs whose recovery is not proven: deposits there are closed'),
  recovery_overdue: z.boolean(),
  next_drill_at: z.int().nullable(),
  /** Put away; it is in the lists all the same while it holds anything. */
  archived: z.boolean(),
  top: z.boolean().describe('Pinned by the person who asks'),
  ...worth,
  todo_count: z.int(),
  created_at: z.int(),
  sub_wallet_count: z.int(),
  hidden_count: z.int(),
  /** The first of those shown; all of them are read page by page. */
  sub_wallet_list: z.array(subWalletView),
})

export const coinShare = z.object({
  symbol: z.string(),
  chain: z.string(),
  network: z.string(),
  contract_address: z.string().nullable().describe("Null of the network's own coin"),
  amount,
  usd,
  price: usd,
  price_change: percent,
  pct: z.string().nullable().describe('Share of the whole value in percent, two decimals'),
})

export const listWallets = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/wallets/asset',
  permission: 'wallet.read',
  staleOn: ['wallet.changed', 'balance.changed', 'todo.changed'],
  keptForMs: 10_000,
  summary: 'The wallets with what they hold',
  input: z.object({
    type: wholeNumberText(0, 2).default(0),
    need_stat: wholeNumberText(0, 1).default(0),
    archived: boolText.optional().describe('The archived wallets alone; they are in no other list'),
    fiat: fiatText,
  }),
  output: z.object({
    top_wallet: z.array(walletView),
    wallet_list: z.array(walletView),
    archived_count: z.int().describe('How many archived wallets are left out'),
    stat: z
      .object({
        ...worth,
        usd_24h_change: usd.describe('What prices did to what is held now, in 24 hours'),
        usd_24h_change_pct: percent,
        coin_count: z.int(),
        wallet_count: z.int(),
        by_coin: z.array(coinShare),
        price_source: z.string().nullable().describe('Who says the prices'),
      })
      .nullable(),
  }),
})

export const createWallet = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/wallet/create',
  permission: 'wallet.create',
  changes: ['wallet.changed'],
  summary: 'Makes a wallet: the three signers generate its keys',
  input: z.object({
    request_id: requestIdText,
    wallet_name: labelText(50),
    key_kind: keyKind.optional().describe('If absent it gets a key of each kind that the networks of this installation need'),
  }),
  output: z.object({ wallet_id: z.string(), idempotent: z.boolean() }),
})

export const addWalletKey = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/wallet/key/add',
  permission: 'wallet.create',
  changes: ['wallet.changed'],
  summary: 'Gives a wallet a key of a further kind, for networks on which none of its keys signs: the three signers generate it',
  input: z.object({ wallet_id: idText, key_kind: keyKind }),
  output: z.object({}),
  tenantParameters: ['wallet_id'],
})

export const getWalletProgress = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/wallet/create/progress',
  permission: 'wallet.read',
  staleOn: ['wallet.changed'],
  summary: 'How far the keys of a wallet have come',
  input: z.object({ wallet_id: idText }),
  output: keyProgress,
  tenantParameters: ['wallet_id'],
})

export const updateAlias = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/wallet/update/alias',
  permission: 'wallet.create',
  changes: ['wallet.changed'],
  summary: 'Gives a wallet or a sub-wallet a second name, or takes it away',
  input: z.object({ wallet_id: idText, sub_wallet_id: idText.optional(), alias: labelOrNone }),
  output: z.object({}),
  tenantParameters: ['wallet_id', 'sub_wallet_id'],
})

export const updateTop = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/wallet/update/top',
  permission: 'wallet.read',
  changes: ['wallet.changed'],
  summary: 'Keeps a wallet or a sub-wallet at the top of the lists of the person who asks',
  input: z.object({ wallet_id: idText, sub_wallet_id: idText.optional(), top: boolText }),
  output: z.object({}),
  tenantParameters: ['wallet_id', 'sub_wallet_id'],
})

export const archiveWallet = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/wallet/update/archive',
  permission: 'wallet.update',
  changes: ['wallet.changed'],
  summary: 'Keeps a wallet out of lists and selectors, or puts it back; never one that holds value or has open orders',
  input: z.object({ wallet_id: idText, archived: boolText }),
  output: z.object({}),
  tenantParameters: ['wallet_id'],
})

export const updateShowStatus = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/sub_wallet/update/show_status',
  permission: 'wallet.update',
  changes: ['wallet.changed'],
  summary: 'Hides sub-wallets from lists and pickers, or shows them again. What they hold still counts',
  input: z.object({ wallet_id: idText, sub_wallet_ids: idListText(), app_show_status: wholeNumberText(1, 2) }),
  output: z.object({ changed: z.int() }),
  tenantParameters: ['wallet_id', 'sub_wallet_ids'],
})

export const BALANCE_RANGES = ['24h', '7d', '30d', '90d'] as const

export const getBalanceHistory = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/wallets/balance_history',
  permission: 'wallet.read',
  staleOn: ['balance.changed'],
  summary: 'What was held was worth, over time: of all wallets, one wallet or one sub-wallet',
  input: z.object({ wallet_id: idText.optional(), sub_wallet_id: idText.optional(), range: z.enum(BALANCE_RANGES).default('7d'), fiat: fiatText }),
  output: z.object({ points: z.array(z.object({ at: z.int(), usd })), price_source: z.string().nullable() }),
  tenantParameters: ['wallet_id', 'sub_wallet_id'],
})

export const listSubWallets = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/sub_wallets',
  permission: 'wallet.read',
  staleOn: ['wallet.changed', 'balance.changed'],
  keptForMs: 10_000,
  summary: 'The sub-wallets of a wallet, a page at a time',
  input: z.object({ wallet_id: idText, ...page, keyword: keywordText.optional(), app_show_status: wholeNumberText(1, 2).optional(), fiat: fiatText }),
  output: z.object({
    top_sub_wallet_list: z.array(subWalletRow).describe('The pinned ones, with the first page'),
    sub_wallet_list: z.array(subWalletRow),
    pageTotal: z.int().describe('Of those that are not pinned'),
  }),
  tenantParameters: ['wallet_id'],
})

export const listAllSubWallets = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/sub_wallets/all',
  permission: 'wallet.read',
  staleOn: ['wallet.changed'],
  summary: 'Every sub-wallet of a wallet that is not hidden, for pickers',
  input: z.object({ wallet_id: idText }),
  output: z.array(subWalletView),
  tenantParameters: ['wallet_id'],
})

export const listSubWalletBalances = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/sub_wallets_balance',
  permission: 'wallet.read',
  staleOn: ['wallet.changed', 'balance.changed'],
  summary: 'What sub-wallets of a wallet are worth: those named, or the first 200',
  input: z.object({ wallet_id: idText, sub_wallet_ids: idListText().optional(), fiat: fiatText }),
  output: z.array(z.object({ sub_wallet_id: z.string(), ...worth, updated_at: z.int() })),
  tenantParameters: ['wallet_id', 'sub_wallet_ids'],
})

export const createSubWallet = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/sub_wallet/create',
  permission: 'wallet.create',
  changes: ['wallet.changed'],
  summary: 'Adds a sub-wallet',
  input: z.object({ request_id: requestIdText, wallet_id: idText, sub_wallet_name: labelText(50) }),
  output: z.object({ sub_wallet_id: z.string(), idempotent: z.boolean() }),
  tenantParameters: ['wallet_id'],
})

export const coinAsset = z.object({
  symbol: z.string(),
  base_symbol: z.string(),
  chain: z.string(),
  network: z.string(),
  contract_address: z.string().nullable(),
  decimals: z.int(),
  token_standard: z.enum(['native', ...Object.values(TOKEN_STANDARDS)]),
  normal_balance: amount.describe('Available'),
  lock_balance: amount.describe('Held for orders'),
  stake_balance: amount.describe('Staked: owned, and not to be paid with'),
  collecting_balance: amount.describe('Of the held: on its way to a collection wallet'),
  pending_balance: amount.describe('Seen on the chain, not yet final'),
  usd: usd.describe('What is available, held and staked is worth'),
  price: usd,
  price_change: percent,
  focus: z.boolean().describe('Marked by the person who asks'),
  verified: z.boolean(),
  uneven: z.boolean().describe('Marked as a token whose balances differ from what it logs: what arrives of it is held'),
  enable_deposit: z.boolean(),
  enable_withdraw: z.boolean(),
})

export const listCoinAssets = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/sub_wallet/coins/asset',
  permission: 'wallet.read',
  staleOn: ['deposit.changed', 'wallet.changed', 'balance.changed', 'policy.changed', 'token.changed', 'focus.changed'],
  keptForMs: 10_000,
  summary: 'What a sub-wallet holds, coin by coin',
  input: z.object({ sub_wallet_id: idText, base_symbol: symbolText.optional(), fiat: fiatText }),
  output: z.object({
    ...worth,
    price_source: z.string().nullable(),
    list: z.array(coinAsset),
    unverified_count: z.int().describe('Tokens that arrived and that nobody here knows'),
  }),
  tenantParameters: ['sub_wallet_id'],
})

export const listUnverified = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/sub_wallet/coins/unverified',
  permission: 'wallet.read',
  staleOn: ['deposit.changed'],
  summary: 'Tokens that arrived without anybody here knowing them. They count nowhere and can be sent nowhere',
  input: z.object({ sub_wallet_id: idText }),
  output: z.array(
    z.object({ chain: z.string(), network: z.string(), contract_address: z.string(), arrivals: z.int(), last_in_at: z.int(), last_from: z.string() }),
  ),
  tenantParameters: ['sub_wallet_id'],
})

export const getSymbolBalance = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/sub_wallet/symbol/balance',
  permission: 'wallet.read',
  staleOn: ['balance.changed'],
  summary: 'What a sub-wallet holds of one coin, and of the coin that pays its fees',
  input: z.object({ sub_wallet_id: idText, chain: chainText, symbol: symbolText }),
  output: z.object({ normal_balance: amount, lock_balance: amount, collecting_balance: amount, fee_symbol: z.string(), fee_balance: amount }),
  tenantParameters: ['sub_wallet_id'],
})

const coinName = z.object({ chain: z.string(), symbol: z.string() })

export const listFocusCoins = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/sub_wallet/focus/coin',
  permission: 'wallet.read',
  staleOn: ['focus.changed'],
  summary: 'The coins the person has marked in a sub-wallet',
  input: z.object({ sub_wallet_id: idText }),
  output: z.array(coinName),
  tenantParameters: ['sub_wallet_id'],
})

export const focusSymbol = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/sub_wallet/focus/symbol',
  permission: 'wallet.read',
  changes: ['focus.changed'],
  summary: 'Marks a coin, or takes the mark away',
  input: z.object({ sub_wallet_id: idText, chain: chainText, symbol: symbolText, focus: wholeNumberText(0, 1) }),
  output: z.object({ focus: z.boolean() }),
  hasEffect: true,
  tenantParameters: ['sub_wallet_id'],
})

export const checkFocusLimit = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/sub_wallet/focus/limit_check',
  permission: 'wallet.read',
  staleOn: ['focus.changed'],
  summary: 'How many coins the person may mark in a sub-wallet, and has marked',
  input: z.object({ sub_wallet_id: idText }),
  output: z.object({ limit: z.int(), used: z.int() }),
  tenantParameters: ['sub_wallet_id'],
})

export const searchCoins = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/sub_wallet/coin/search',
  permission: 'wallet.read',
  staleOn: ['wallet.changed'],
  summary: 'Coins of this installation by symbol or contract, and whether the wallet offers them',
  input: z.object({ wallet_id: idText, keyword: keywordText.default(''), base_symbol: symbolText.optional() }),
  output: z.array(
    z.object({
      symbol: z.string(),
      base_symbol: z.string(),
      chain: z.string(),
      network: z.string(),
      contract_address: z.string().nullable(),
      verified: z.boolean(),
      exists: z.boolean().describe('The wallet offers it'),
      can_close: z.boolean().describe('It can be taken off the list: a token of which nothing is held'),
    }),
  ),
  tenantParameters: ['wallet_id'],
})
