import { collectingEvent } from '@holdfast/features/co-signer/contract'
import { SHORT_OF } from '@holdfast/features/tron-tools/contract'
import * as z from 'zod'

// What is sent to an organisation's own systems. README.md says what is in the headers and how often it is tried.

/** The states an order is told in, each as an event such as `withdraw.completed`. */
export const TOLD_ORDER_STATES = [
  'approving',
  'approved',
  'signing',
  'alarmed',
  'broadcasting',
  'pending',
  'confirming',
  'completed',
  'rejected',
  'refused',
  'timed_out',
  'cancelled',
  'expired',
  'dropped',
  'replaced',
  'failed',
] as const
const TOLD_DEPOSIT_STATES = ['unconfirmed', 'confirmed', 'credited', 'reversed'] as const
const REMINDERS = ['drill_first', 'drill_soon', 'drill_overdue', 'check_failed', 'check_late'] as const

const timeMs = z.int()
const amount = z.string().describe('Decimal text, exact')

const envelope = {
  notify_id: z.string().describe('The same at every try: drop one that you know'),
  seq: z.int().describe('1, 2, 3 within the record `id`: drop what is not above the last one'),
  sent_at: timeMs.describe('When the notification was made'),
  notify_time: z.string().describe('The same as text, YYYY-MM-DD HH:mm:ss in UTC'),
  attempt: z.int().describe('The number of this try, from 1'),
}

const asset = {
  symbol: z.string(),
  base_symbol: z.string().nullable().describe("The network's own coin"),
  chain: z.string(),
  contract_address: z.string().nullable(),
  token_id: z.string().nullable(),
  amount: amount.nullable().describe('Null where the server no longer knows the decimals of the coin'),
  amount_base_units: z.string(),
}

const movement = {
  id: z.string(),
  wallet_id: z.string(),
  sub_wallet_id: z.string(),
  status: z.int(),
  sub_status: z.string(),
  ...asset,
  memo: z.string().nullable(),
  txid: z.string().nullable(),
  tx_height: z.string().nullable(),
  confirmations: z.int(),
  need_confirmations: z.int(),
  created_at: timeMs,
  updated_at: timeMs,
}

const eventsOf = <const State extends string>(about: string, states: readonly State[]) =>
  z.enum([...states.map((state) => `${about}.${state}`), `${about}.confirmations`])

/** What the orders are for that are told: only `pay` pays somebody. */
export const PURPOSES = ['pay', 'consolidate', 'stake', 'authorize', 'deposit_lift', 'speed_up', 'cancel'] as const

const orderBody = (about: string, side: 'withdraw' | 'web3-trans' | 'collect' | 'fuel', purpose: (typeof PURPOSES)[number] = 'pay') =>
  z.object({
    ...envelope,
    event: eventsOf(about, TOLD_ORDER_STATES),
    side: z.literal(side),
    ...movement,
    request_id: z.string().nullable(),
    batch_id: z.string().nullable().describe('The batch of which it pays lines'),
    purpose: z.literal(purpose),
    replaces: z.string().nullable().describe('The payment that this order is about, where it is about one'),
    address_from: z.string(),
    address_to: z.string(),
    fee_symbol: z.string().nullable(),
    fee: amount.nullable().describe('The most the fee may reach'),
    real_fee: amount.nullable().describe('What the fee was, once the order is final'),
  })

const depositBody = z.object({
  ...envelope,
  event: eventsOf('deposit', TOLD_DEPOSIT_STATES),
  side: z.literal('deposit'),
  ...movement,
  request_id: z.null(),
  address_from: z.string().nullable(),
  address_to: z.string(),
  assigned_memo: z.string().nullable().describe('The comment that people said a held payment should have carried'),
  tx_index: z.int(),
})

/** What a batch is told in; a draft, which nobody was asked about, is not told. */
const TOLD_BATCH_STATES = ['approving', 'approved', 'finished', 'stopped', 'rejected', 'cancelled', 'expired', 'superseded'] as const

const batchBody = z.object({
  ...envelope,
  event: z.enum(TOLD_BATCH_STATES.map((state) => `batch.${state}` as const)),
  side: z.literal('batch'),
  id: z.string().describe('The batch; orders that pay its lines have it as `batch_id`'),
  request_id: z.null(),
  wallet_id: z.string(),
  sub_wallet_id: z.string(),
  status: z.int(),
  sub_status: z.enum(TOLD_BATCH_STATES),
  ...asset,
  address_from: z.string(),
  lines: z.int().describe('How many lines people were asked about; `amount` is what all of them pay'),
  paid: z.int().describe('Of these, how many were paid, once it has ended; so `failed` and `not_executed`'),
  failed: z.int(),
  not_executed: z.int(),
  paid_amount_base_units: z.string(),
  created_at: timeMs,
  updated_at: timeMs,
})

const collectionBody = z.object({
  ...envelope,
  event: z.enum(['collection.needs_attention', 'collection.in_order']),
  side: z.literal('collect'),
  id: z.string().describe('The standing order by which it is collected'),
  request_id: z.null(),
  wallet_id: z.string(),
  status: z.literal([0, 1]).describe('1 while there is something to do'),
  needs: z.array(collectingEvent).describe('What there is to do: coins for fees run out, transfers failed, one is under way for long, the approval ends'),
})

const TOLD_OF_ENERGY = ['waiting', 'stopped', 'not_delivered', 'gone_on'] as const

const energyBody = z.object({
  ...envelope,
  event: z.enum(TOLD_OF_ENERGY.map((state) => `energy.${state}` as const)),
  side: z.literal('energy'),
  id: z.string().describe('What was to be lent or rented for one payment, or because somebody asked for it'),
  request_id: z.null(),
  wallet_id: z.string(),
  sub_wallet_id: z.string(),
  status: z.literal([0, 1]).describe('1 while there is something to do'),
  sub_status: z.string(),
  reason: z.string().describe('Why nothing was lent or rented, as the record of the agent has it; after it went on, why it had waited'),
  code: z.string().nullable().describe('The code with which a call would refuse for this reason, such as 200164'),
  chain: z.string(),
  address: z.string().describe('Whose energy it is'),
  withdraw_id: z.string().nullable().describe('The payment it is for'),
  rent_withdraw_id: z.string().nullable().describe('The order that paid for rented energy'),
  rent_base_units: z.string().nullable().describe("What it paid, of the network's own coin"),
  created_at: timeMs,
  updated_at: timeMs,
})

const resourceBody = z.object({
  ...envelope,
  event: z.enum(['resource.low', 'resource.over']),
  side: z.literal('energy'),
  id: z.string().describe('What is watched: one address'),
  request_id: z.null(),
  wallet_id: z.string(),
  sub_wallet_id: z.string(),
  status: z.literal([0, 1]).describe('1 while something is below its threshold'),
  chain: z.string(),
  address: z.string(),
  low: z.array(z.enum(SHORT_OF)).describe("What is below its threshold: energy, bandwidth (net), the network's own coin (trx)"),
  low_since: timeMs.nullable(),
  updated_at: timeMs,
})

const keyBody = z.object({
  ...envelope,
  event: z.enum(['key.needs_attention', 'key.in_order']),
  side: z.literal('key'),
  id: z.string().describe('The wallet of the key'),
  wallet_id: z.string(),
  request_id: z.null(),
  status: z.literal([0, 1]).describe('1 while there is something to do'),
  reminders: z.array(z.object({ kind: z.enum(REMINDERS), at: timeMs.nullable(), party: z.int().nullable().describe('The signer it is about') })),
})

/** Every webhook, by what its events are about, with the body that is sent. */
export const webhooks = [
  { event: 'deposit', summary: 'A deposit came to a state, or was confirmed further', body: depositBody },
  { event: 'withdraw', summary: 'A payment came to a state, or was confirmed further', body: orderBody('withdraw', 'withdraw') },
  { event: 'speed_up', summary: 'An order that raises the fee of a payment came to a state', body: orderBody('speed_up', 'withdraw', 'speed_up') },
  { event: 'cancellation', summary: 'An order that cancels a payment on the chain came to a state', body: orderBody('cancellation', 'withdraw', 'cancel') },
  {
    event: 'consolidation',
    summary: 'An order that joins coins of an address at that address came to a state, or was confirmed further',
    body: orderBody('consolidation', 'withdraw', 'consolidate'),
  },
  {
    event: 'stake',
    summary: 'An order that stakes, unstakes, or lends resources or takes them back came to a state, or was confirmed further',
    body: orderBody('stake', 'withdraw', 'stake'),
  },
  {
    event: 'authorization',
    summary: 'An order that lets the code of a contract run in the name of an address, or none any more, came to a state, or was confirmed further',
    body: orderBody('authorization', 'withdraw', 'authorize'),
  },
  {
    event: 'deposit_lift',
    summary: 'An order that speeds a deposit up, by a payment of it to the same address, came to a state, or was confirmed further',
    body: orderBody('deposit_lift', 'withdraw', 'deposit_lift'),
  },
  { event: 'web3_trans', summary: 'A contract call came to a state, or was confirmed further', body: orderBody('web3_trans', 'web3-trans') },
  { event: 'batch', summary: 'People are asked about a batch, its lines are being paid, or it has ended', body: batchBody },
  { event: 'collect', summary: 'A transfer that collects came to a state, or was confirmed further', body: orderBody('collect', 'collect') },
  {
    event: 'fuel',
    summary: 'A transfer of coins for fees, or the rent for energy, came to a state, or was confirmed further',
    body: orderBody('fuel', 'fuel'),
  },
  { event: 'collection', summary: 'The collection of a wallet needs somebody, or no longer', body: collectionBody },
  {
    event: 'energy',
    summary: 'A payment waits for energy on TRON or was stopped for the want of it, rented energy did not come, or it went on',
    body: energyBody,
  },
  { event: 'resource', summary: 'A watched address on TRON has less than a threshold of it, or no longer', body: resourceBody },
  { event: 'key', summary: 'There is something to do about a key, or no longer', body: keyBody },
  { event: 'test', summary: 'Somebody asked for a test event', body: z.object({ ...envelope, event: z.literal('test'), side: z.literal('test') }) },
] as const
