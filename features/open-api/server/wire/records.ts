import { AppError, type ReplyOf } from '@holdfast/contract'
import { getCall } from '@holdfast/features/contract-call/contract'
import { getDeposit, getWithdrawal } from '@holdfast/features/transaction/contract'
import { askConsole, type Asking, demandField, demandNumbers, fieldOf } from './asking.ts'
import { ordersAskedFor } from './asked-orders.ts'
import { nameIn, type WireCoin, wireCoins } from './coins.ts'
import { idsOf, numberAll, numbersOf } from './numbers.ts'

/** The kinds of orders that each list has. */
export const KINDS = { withdrawals: ['withdraw', 'brc20'], calls: ['web3'], collections: ['collect', 'consolidate', 'fuel'] } as const
type List = keyof typeof KINDS
type Found = { id: string; number: number; kind: string }
type Row = ReplyOf<typeof getWithdrawal>

export const LISTED = 100
/** Where an order was asked for, as the wire numbers it: by a program, or in a page. */
export const [BY_PROGRAM, BY_PERSON] = [2, 3]

/** Orders by the `request_id` that each was asked for with. */
export const ordersByRequest = (list: List) => async (asking: Asking) => {
  const { context, caller } = asking
  const given = demandField(asking, 'ids').split(',')
  if (given.length > LISTED) throw new AppError('invalid_parameters', { details: { field: 'ids', reason: 'at most 100 of them' } })
  const kinds: readonly string[] = KINDS[list]
  const rows = (await ordersAskedFor(asking, given)).filter(({ kind }) => kinds.includes(kind))
  const own = rows.filter((row) => mayName(asking, row.sub_wallet_id))
  const ids = own.map(({ id }) => id)
  const numbers = await numbersOf(context.db, caller.orgId, 'order', ids)
  const found = own.map(({ id, kind }) => ({ id, kind, number: numbers.get(id) ?? 0 }))
  return orderViews(asking, list, found)
}

/** Orders after `max_id`, the oldest first. Those of sub-wallets that the key may not name are left out. */
export const ordersAfter = (list: List) => async (asking: Asking) => {
  const { context, caller } = asking
  const { subWallets } = caller.requester
  const after = afterOf(asking)
  await numberAll(context.db, caller.orgId, 'order')
  if (subWallets?.length === 0) return []
  const rows = await context.db.readOrganisation(caller.orgId, (tx) => {
    const all = tx
      .selectFrom('wire_number as n')
      .innerJoin('transfer_order as o', (join) => join.onRef('o.org_id', '=', 'n.org_id').onRef('o.id', '=', 'n.subject_id'))
      .select(['o.id', 'o.kind', 'n.number'])
      .where('n.org_id', '=', tx.orgId)
      .where('n.kind', '=', 'order')
      .where('n.number', '>', after)
      .where('o.kind', 'in', KINDS[list])
    const own = subWallets === null ? all : all.where('o.sub_wallet_id', 'in', subWallets)
    return own.orderBy('n.number').limit(LISTED).execute()
  })
  return orderViews(
    asking,
    list,
    rows.map(({ id, kind, number }) => ({ id, kind, number: Number(number) })),
  )
}

/** Deposits by their numbers. */
export async function depositsByNumber(asking: Asking) {
  const { context, caller } = asking
  const found = await idsOf(context.db, caller.orgId, 'deposit', demandNumbers(asking, 'ids'))
  return depositViews(asking, found)
}

/** Deposits after `max_id`, the oldest first, also those that are not credited yet. */
export async function depositsAfter(asking: Asking) {
  const { context, caller } = asking
  const { subWallets } = caller.requester
  const after = afterOf(asking)
  await numberAll(context.db, caller.orgId, 'deposit')
  if (subWallets?.length === 0) return []
  const rows = await context.db.readOrganisation(caller.orgId, (tx) => {
    const all = tx
      .selectFrom('wire_number as n')
      .innerJoin('deposit as d', (join) => join.onRef('d.org_id', '=', 'n.org_id').onRef('d.id', '=', 'n.subject_id'))
      .select(['d.id', 'n.number'])
      .where('n.org_id', '=', tx.orgId)
      .where('n.kind', '=', 'deposit')
      .where('n.number', '>', after)
    const own = subWallets === null ? all : all.where('d.sub_wallet_id', 'in', subWallets)
    return own.orderBy('n.number').limit(LISTED).execute()
  })
  return depositViews(
    asking,
    rows.map(({ id, number }) => ({ id, number: Number(number) })),
  )
}

const mayName = ({ caller }: Asking, subWalletId: string): boolean => caller.requester.subWallets?.includes(subWalletId) ?? true

/** The number after which a list begins. Throws AppError `invalid_parameters`. */
export function afterOf(asking: Asking): bigint {
  const given = fieldOf(asking, 'max_id') ?? '0'
  if (!/^\d{1,18}$/.test(given)) throw new AppError('invalid_parameters', { details: { field: 'max_id', reason: 'it must be a whole number' } })
  return BigInt(given)
}

async function orderViews(asking: Asking, list: List, found: readonly Found[]) {
  const rows: { number: number; kind: string; row: Row }[] = []
  for (const { id, number, kind } of found)
    rows.push({ number, kind, row: await askConsole(asking, list === 'calls' ? getCall : getWithdrawal, { id }, 'key') })
  const { context, caller } = asking
  const wallets = await walletNumbers(
    asking,
    rows.map(({ row }) => row),
  )
  const coins = wireCoins(context, caller.orgId)
  const people = await peopleOf(asking)
  const isByPerson = ({ initiator }: Row) => people.has(initiator?.person_id ?? '')
  return rows.map(({ number, kind, row }) => ({
    ...common(row, number, { wallets, coins }),
    ...ofOrder(list, { kind, row, coins, isByPerson: isByPerson(row) }),
  }))
}

async function peopleOf({ context, caller }: Asking): Promise<ReadonlySet<string>> {
  const rows = await context.db.readOrganisation(caller.orgId, (tx) => tx.selectFrom('person').select('id').where('org_id', '=', tx.orgId).execute())
  return new Set(rows.map(({ id }) => id))
}

async function depositViews(asking: Asking, found: readonly Omit<Found, 'kind'>[]) {
  const rows: { number: number; row: ReplyOf<typeof getDeposit> }[] = []
  for (const { id, number } of found) rows.push({ number, row: await askConsole(asking, getDeposit, { id }, 'key') })
  const own = rows.filter(({ row }) => mayName(asking, row.sub_wallet_id))
  const wallets = await walletNumbers(
    asking,
    own.map(({ row }) => row),
  )
  const coins = wireCoins(asking.context, asking.caller.orgId)
  return own.map(({ number, row }) => ({
    ...common(row, number, { wallets, coins }),
    deposit_type: row.token_id === null ? 1 : 2,
    token_id: row.token_id ?? '',
  }))
}

const walletNumbers = ({ context, caller }: Asking, rows: readonly { sub_wallet_id: string }[]) =>
  numbersOf(context.db, caller.orgId, 'sub_wallet', [...new Set(rows.map((row) => row.sub_wallet_id))])

type Common = Pick<
  Row,
  | 'sub_wallet_id'
  | 'symbol'
  | 'base_symbol'
  | 'chain'
  | 'contract_address'
  | 'amount'
  | 'address_from'
  | 'address_to'
  | 'memo'
  | 'txid'
  | 'confirmations'
  | 'status'
  | 'sub_status'
  | 'tx_height'
  | 'created_at'
  | 'updated_at'
>
type Named = { wallets: ReadonlyMap<string, number>; coins: readonly WireCoin[] }

/** What every record says. `sub_status` is more than the wire knows, and harms nobody who reads it. */
function common(row: Common, id: number, { wallets, coins }: Named) {
  return {
    id,
    sub_wallet_id: wallets.get(row.sub_wallet_id),
    symbol: nameIn(coins, row),
    base_symbol: nameIn(coins, { chain: row.chain, symbol: row.base_symbol }),
    contract_address: row.contract_address ?? '',
    amount: row.amount,
    address_from: row.address_from ?? '',
    address_to: row.address_to,
    memo: row.memo ?? '',
    txid: row.txid ?? '',
    confirmations: row.confirmations,
    status: row.status,
    sub_status: row.sub_status,
    tx_height: Number(row.tx_height ?? 0),
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}

type OrderOf = { kind: string; row: Row; coins: readonly WireCoin[]; isByPerson: boolean }

function ofOrder(list: List, { kind, row, coins, isByPerson }: OrderOf) {
  const source = isByPerson ? BY_PERSON : BY_PROGRAM
  const base = nameIn(coins, { chain: row.chain, symbol: row.base_symbol })
  const paid = { request_id: row.request_id ?? '', fee_symbol: base, fee: row.fee ?? '0', real_fee: row.real_fee ?? '0' }
  if (list === 'collections') return { ...paid, trans_type: kind === 'fuel' ? 11 : 10 }
  if (list === 'withdrawals') return { ...paid, withdraw_source: source, transfer_source: source, remark: row.remark }
  const call = row as ReplyOf<typeof getCall>
  return { ...paid, main_chain_symbol: base, interactive_contract: call.interactive_contract, input_data: call.input_data, trans_source: source }
}
