import { defineEndpoint, idText, pageNumber, pageSize, positiveAmountText, remarkText, requestIdText, wholeNumberText } from '@holdfast/contract'
import { openedOrder } from '@holdfast/features/transfer/contract'
import * as z from 'zod'

const amount = z.string().describe('Decimal text, exact')
const chainText = z.string().max(64)
const place = { sub_wallet_id: idText, chain: chainText }
const coin = { ...place, txid: z.string().regex(/^[0-9a-f]{64}$/, 'it must be 64 hexadecimal digits'), vout: wholeNumberText(0, 0xffff_ffff) }

/** What an address has in coins, by what collecting can do with them. */
export const COIN_PARTS = ['deposited', 'change', 'waiting', 'kept', 'small', 'dust'] as const

export const COIN_STATES = ['free', 'person', 'order', 'inscription', 'unchecked', 'immature', 'dust'] as const
const coinState = z
  .enum(COIN_STATES)
  .describe(
    'free; locked by a person; an order has it; it carries an inscription; it may carry one that was made before this server read the chain, and somebody has to look; its block is not final; spending it would cost more than it is worth',
  )

export const listCoins = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/utxo/list',
  permission: 'wallet.read',
  staleOn: ['order.changed', 'deposit.changed', 'coin.changed'],
  summary: 'The coins (UTXO) of a sub-wallet on a network that has them, each with what keeps it from being spent',
  input: z.object({ ...place, state: z.enum(COIN_STATES).optional(), page_no: pageNumber, page_size: pageSize }),
  output: z.object({
    pageTotal: z.int(),
    symbol: z.string(),
    list: z.array(
      z.object({
        txid: z.string(),
        vout: z.int(),
        amount,
        height: z.string().nullable().describe('Null while it waits for a block'),
        state: coinState,
        lock: z.object({ reason: z.string(), by: z.string(), at: z.int() }).nullable().describe("A person's lock, whatever else keeps the coin"),
        order_id: z.string().nullable(),
        inscription_ids: z.array(z.string()),
      }),
    ),
  }),
  tenantParameters: ['sub_wallet_id'],
})

export const getCoinSettings = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/utxo/config',
  permission: 'wallet.read',
  staleOn: ['order.changed', 'deposit.changed', 'coin.changed'],
  summary: 'How many coins a sub-wallet has and what they come to, what is locked, and whether to join them',
  input: z.object(place),
  output: z.object({
    symbol: z.string(),
    address: z.string(),
    count: z.int(),
    dust_threshold: amount.describe('A coin of less costs more to spend, at a usual rate, than it is worth'),
    consolidate_hint: z.int().describe('From how many coins on joining them is advised'),
    frozen: z.array(z.object({ txid: z.string(), vout: z.int(), amount, reason: z.string() })).describe('Coins that people have locked'),
    inscriptions_locked: z.int().describe('Coins that carry inscriptions'),
    change_address: z.string(),
    totals: z.object({
      all: amount.describe('Everything that the chain shows at the address'),
      free: amount,
      kept: amount.describe('Locked by people or by inscriptions: a part of the balance that no payment spends'),
      under_way: amount.describe('Orders have it, or its block is not final'),
    }),
    consolidation: z
      .object({ coins: z.int(), amount, fee: amount })
      .nullable()
      .describe('What joining the smallest coins would take now; null where there is nothing to join'),
  }),
  tenantParameters: ['sub_wallet_id'],
})

export const lockCoin = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/utxo/lock',
  permission: 'withdraw.create',
  changes: ['coin.changed'],
  summary: 'Keeps a coin from being spent until somebody unlocks it; who and why stands in the log',
  input: z.object({ ...coin, reason: remarkText(200).refine((text) => text.trim() !== '', 'it must say why') }),
  output: z.object({}),
  tenantParameters: ['sub_wallet_id'],
})

export const unlockCoin = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/utxo/unlock',
  permission: 'withdraw.create',
  changes: ['coin.changed'],
  summary: "Takes a person's lock off a coin, or says of an unchecked one that somebody has looked; a lock for another reason stays",
  input: z.object({ ...coin, reason: remarkText(200).default('') }),
  output: z.object({}),
  tenantParameters: ['sub_wallet_id'],
})

export const consolidateCoins = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/utxo/consolidate',
  permission: 'withdraw.create',
  changes: ['order.changed', 'balance.changed', 'todo.changed'],
  summary: 'Asks for the smallest coins of a sub-wallet to be joined into one at its own address: an order like any other, which costs its fee alone',
  input: z.object({
    request_id: requestIdText,
    ...place,
    max_fee: positiveAmountText.describe('The most the fee may be'),
    remark: remarkText(200).default(''),
    expire_hours: wholeNumberText(1, 168).default(168),
  }),
  output: openedOrder,
  tenantParameters: ['sub_wallet_id'],
})

export const listTokens = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/inscription/brc20',
  permission: 'wallet.read',
  staleOn: ['order.changed', 'deposit.changed'],
  summary: 'Balances of BRC-20 tokens of a sub-wallet, by an index of our own over the blocks that this server has read',
  input: z.object({ sub_wallet_id: idText }),
  output: z.object({
    readings: z
      .array(z.object({ chain: z.string(), network: z.string(), from_height: z.string(), to_height: z.string(), whole: z.boolean() }))
      .describe('Which blocks were read for inscriptions; not whole where the first inscriptions came before, and then no balance is known'),
    list: z.array(
      z.object({
        chain: z.string(),
        network: z.string(),
        address: z.string(),
        tick: z.string(),
        available: amount,
        transferable: amount.describe('In transfer inscriptions that were not sent yet'),
        counted: z.boolean().describe('Whether the token is one of those configured here, so that it is in the books'),
        send_symbol: z.string().nullable().describe('The symbol by which any part of what is available can be sent, where the token is in the books'),
        inscribes: z.boolean().describe('Whether the address can make the inscriptions by which it is sent: a taproot one'),
      }),
    ),
  }),
  tenantParameters: ['sub_wallet_id'],
})

export const listInscriptions = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/inscription/list',
  permission: 'wallet.read',
  staleOn: ['order.changed', 'deposit.changed'],
  summary: 'The inscriptions on coins of a sub-wallet, as far as the blocks that this server has read show them',
  input: z.object({
    sub_wallet_id: idText,
    chain: chainText.optional(),
    kind: z.enum(['brc20', 'ordinal']).optional(),
    page_no: pageNumber,
    page_size: pageSize,
  }),
  output: z.object({
    pageTotal: z.int(),
    list: z.array(
      z.object({
        inscription_id: z.string(),
        chain: z.string(),
        network: z.string(),
        symbol: z.string().describe("Of the network's own coin, in which `value` is"),
        kind: z.enum(['brc20', 'ordinal']),
        content_type: z.string().nullable().describe('What the inscription says of itself'),
        size: z.string().describe('Bytes'),
        preview: z.string().nullable().describe("The beginning of a text, a stranger's words; null for everything else, which is never loaded"),
        preview_url: z.null().describe('There is none: content of strangers is not served'),
        operation: z.enum(['deploy', 'mint', 'transfer']).nullable().describe('Of BRC-20'),
        tick: z.string().nullable(),
        amount: amount.nullable(),
        txid: z.string(),
        vout: z.int(),
        value: amount.describe('What the coin that carries it is worth as coin'),
        locked: z.literal(true).describe('No payment spends the coin but an order for the inscription itself'),
        transferable: z.boolean().describe('A BRC-20 transfer that counts by our own index and was not sent yet'),
        send_symbol: z.string().nullable().describe('The symbol of the token under which a transferable one can be sent, where it is configured here'),
        order_id: z.string().nullable().describe('The order that has it'),
      }),
    ),
  }),
  tenantParameters: ['sub_wallet_id'],
})
