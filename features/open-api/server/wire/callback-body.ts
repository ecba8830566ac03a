import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { readCallFields } from '@holdfast/features/contract-call/server'
import type { Step, Story } from '@holdfast/features/notification/server'
import type { OrderId } from '@holdfast/units'
import { nameIn, type WireCoin, wireCoins } from './coins.ts'
import { numbersWithin } from './numbers.ts'
import { BY_PERSON, BY_PROGRAM, KINDS } from './records.ts'

/** A story in the words of the wire, and the sub-wallet that it is of. */
export type CallbackStory = { story: Story; subWalletId: string }

type Order = { id: string; kind: string; isByPerson: boolean }
type Facts = { coins: readonly WireCoin[]; numbers: ReadonlyMap<string, number>; wallets: ReadonlyMap<string, number>; order: Order | undefined }

/**
 * The stories of which the wire tells: deposits, payments and calls of contracts, as its lists have them. An order about a payment is none of these: it is the
 * payment that comes to another state by it.
 */
export async function callbackStories(tx: OrganisationTx, { networks }: Pick<ServerContext, 'networks'>, stories: readonly Story[]): Promise<CallbackStory[]> {
  const orders = await ordersOf(
    tx,
    stories.filter(({ side }) => side !== 'deposit').map(({ recordId }) => recordId),
  )
  const told = stories.filter(({ side, recordId }) => side === 'deposit' || isListed(side, orders.get(recordId)))
  const coins = wireCoins({ networks }, tx.orgId)
  const idsOf = (isDeposit: boolean) => told.filter(({ side }) => (side === 'deposit') === isDeposit).map(({ recordId }) => recordId)
  const numbers = new Map([...(await numbersWithin(tx, 'deposit', idsOf(true))), ...(await numbersWithin(tx, 'order', idsOf(false)))])
  const subWallets = [...new Set(told.flatMap((story) => subWalletOf(story) ?? []))]
  const wallets = await numbersWithin(tx, 'sub_wallet', subWallets)
  const made: CallbackStory[] = []
  for (const story of told) {
    const subWalletId = subWalletOf(story)
    if (subWalletId === undefined) continue
    const order = orders.get(story.recordId)
    const call = order && story.side === 'web3-trans' ? await readCallFields(tx, story.recordId as OrderId) : undefined
    const facts = { coins, numbers, wallets, order }
    const steps = story.steps.map((step) => ({ ...step, fields: { ...bodyOf(story, step, facts), ...call } }))
    made.push({ story: { ...story, steps, progress: null }, subWalletId })
  }
  return made
}

const subWalletOf = ({ steps }: Story): string | undefined => textOf(steps[0]?.fields['sub_wallet_id']) || undefined

const isListed = (side: string, order: Order | undefined): boolean => {
  const kinds: readonly string[] = side === 'withdraw' ? KINDS.withdrawals : side === 'web3-trans' ? KINDS.calls : []
  return order !== undefined && kinds.includes(order.kind)
}

async function ordersOf(tx: OrganisationTx, ids: readonly string[]): Promise<Map<string, Order>> {
  if (ids.length === 0) return new Map()
  const rows = await tx
    .selectFrom('transfer_order as o')
    .leftJoin('person as p', (join) => join.onRef('p.org_id', '=', 'o.org_id').onRef('p.id', '=', 'o.initiator'))
    .select(['o.id', 'o.kind', 'p.id as person_id'])
    .where('o.org_id', '=', tx.orgId)
    .where('o.id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, kind, person_id: person }) => [id, { id, kind, isByPerson: person !== null }]))
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** What the field's clients are told of one state. Our own words beside (`event`, `seq` and so on) harm nobody who reads these. */
function bodyOf({ side, recordId }: Story, { fields }: Step, { coins, numbers, wallets, order }: Facts): Record<string, unknown> {
  const chain = textOf(fields['chain'])
  const base = nameIn(coins, { chain, symbol: textOf(fields['base_symbol']) })
  const source = order?.isByPerson ? BY_PERSON : BY_PROGRAM
  const paid = { request_id: textOf(fields['request_id']), fee_symbol: base, fee: textOf(fields['fee']) || '0', real_fee: textOf(fields['real_fee']) || '0' }
  return {
    id: numbers.get(recordId),
    sub_wallet_id: wallets.get(textOf(fields['sub_wallet_id'])),
    symbol: nameIn(coins, { chain, symbol: textOf(fields['symbol']) }),
    base_symbol: base,
    contract_address: textOf(fields['contract_address']),
    amount: textOf(fields['amount']),
    address_from: textOf(fields['address_from']),
    address_to: textOf(fields['address_to']),
    memo: textOf(fields['memo']),
    txid: textOf(fields['txid']),
    confirmations: fields['confirmations'],
    tx_height: Number(fields['tx_height'] ?? 0),
    status: fields['status'],
    sub_status: fields['sub_status'],
    created_at: fields['created_at'],
    updated_at: fields['updated_at'],
    ...(side === 'deposit' ? {} : paid),
    ...(side === 'withdraw' && { withdraw_source: source, transfer_source: source }),
    ...(side === 'web3-trans' && { trans_source: source }),
  }
}
