import { AppError } from '@holdfast/contract'
import type { LedgerTransferKind, OrganisationTx } from '@holdfast/db'
import {
  type AssetAmount,
  hold,
  holdAlong,
  InsufficientBalanceError,
  LedgerError,
  lockSubWallets,
  type Payment,
  readTransfer,
  release,
  reverse,
  settle,
} from '@holdfast/ledger'
import type { Ports } from '@holdfast/ports'
import { newId } from '@holdfast/units'
import { transferErrors } from '../../errors.ts'
import { CPFP_KINDS, orderKind } from './kinds/index.ts'
import type { OrderRow } from './read-order.ts'

/*
 * The money side of an order. It has one open hold at a time, for its amount and its fee cap; a reorganisation reverses a
 * settlement and begins another hold. Holds are found by their references, numbered from 0.
 */

type MoneyPorts = Pick<Ports, 'clock' | 'random'>
type Amounts = Pick<
  OrderRow,
  'id' | 'sub_wallet_id' | 'chain' | 'contract' | 'amount' | 'postage' | 'fee_cap' | 'fee_paid' | 'address_from' | 'address_to' | 'replaces' | 'kind'
>

const assetOf = ({ chain, contract }: Amounts) => ({ chain, contract: contract === '' ? null : contract })
const coinOf = ({ chain }: Amounts) => ({ chain, contract: null })
/** What accompanies a BRC-20 token, in the network's own coin. */
export const postageOf = (order: Amounts): AssetAmount[] => (order.postage > 0n ? [{ asset: coinOf(order), amount: order.postage }] : [])
const holdsAmount = (order: Pick<Amounts, 'kind'>): boolean => orderKind(order).holds === 'amount and fee'
/** Whether the deposit that it speeds up pays its fee. */
const isCpfp = (order: Pick<Amounts, 'kind'>): boolean => orderKind(order).holds === 'fee once its deposit is credited'
/** Whether it costs nothing itself, so that nothing of it is ever posted. */
export const costsNothing = (order: Pick<Amounts, 'kind'>): boolean => orderKind(order).holds === 'nothing'
const wholeOf = (order: Amounts): AssetAmount[] => [
  ...(holdsAmount(order) ? [{ asset: assetOf(order), amount: order.amount }, ...postageOf(order)] : []),
  { asset: coinOf(order), amount: order.fee_cap },
]

/** The most that an order can cost in the chain's own coin. */
export const coinAtMost = (order: Pick<OrderRow, 'kind' | 'contract' | 'amount' | 'postage' | 'fee_cap'>): bigint =>
  (holdsAmount(order) ? (order.contract === '' ? order.amount : 0n) + order.postage : 0n) + order.fee_cap

/**
 * What an order holds. A payment and all orders about it take one slot, so only one of them happens: together they hold the most that any of them can cost, and
 * an order about a payment holds no more than what it can cost beyond those that were there before it.
 */
async function shareOf(tx: OrganisationTx, order: Amounts): Promise<AssetAmount[]> {
  if (order.replaces === null) return wholeOf(order)
  const others = await tx
    .selectFrom('transfer_order')
    .select(['kind', 'contract', 'amount', 'postage', 'fee_cap'])
    .where('org_id', '=', tx.orgId)
    .where('id', '<>', order.id)
    .where((row) => row.or([row('id', '=', order.replaces), row.and([row('replaces', '=', order.replaces), row('is_final', '=', false)])]))
    .execute()
  const held = others.map(coinAtMost).reduce((most, each) => (each > most ? each : most))
  const more = coinAtMost(order) - held
  return more > 0n ? [{ asset: coinOf(order), amount: more }] : []
}

/**
 * Holds amount and fee cap; for an order about a payment, only the additional cost. Locks the sub-wallet, also where nothing is held. Throws
 * `insufficient_balance`, and then nothing is held; what can, goes along with the transaction's next question, and then the whole transaction runs again before
 * this throws (`holdAlong`).
 */
export async function holdForOrder(tx: OrganisationTx, ports: MoneyPorts, order: Amounts): Promise<void> {
  const holdsNow = !isCpfp(order) && !costsNothing(order)
  // A posting locks by itself. What is held beyond other orders is read under the lock.
  if (!holdsNow || order.replaces !== null) await lockSubWallets(tx, [order.sub_wallet_id])
  if (!holdsNow) return
  try {
    const child = order.replaces === null ? undefined : await childOf(tx, order)
    if (child) return await holdMore(tx, ports, child)
    const share = order.replaces === null ? wholeOf(order) : await shareOf(tx, order)
    if (share.length > 0) await holdAlong(tx, newHold(ports, order, 0, share))
  } catch (cause) {
    if (cause instanceof InsufficientBalanceError) throw new AppError(transferErrors.insufficient_balance, { cause })
    throw cause
  }
}

/** Holds the fee of an order that sped a deposit up, once the deposit is credited. Does nothing if it is held already. */
export async function holdForCpfp(tx: OrganisationTx, ports: MoneyPorts, order: Amounts): Promise<void> {
  const last = await findLastHold(tx, order)
  if (last && !last.closing) return
  await beginHold(tx, ports, order, (last?.number ?? -1) + 1, await mostOf(tx, order))
}

/** Once the deposit is credited, its child holds what an order to speed it up can cost; before that there is nothing to hold. */
async function holdMore(tx: OrganisationTx, ports: MoneyPorts, child: Amounts): Promise<void> {
  const last = await findLastHold(tx, child)
  if (!last || last.closing) return
  const most = await mostOf(tx, child)
  if (covers(await heldBy(tx, last.holdId), most)) return
  await release(tx, { id: idOf(ports), holdId: last.holdId, nowMs: ports.clock.nowMs() })
  await beginHold(tx, ports, child, last.number + 1, most)
}

/** The order to speed a deposit up that another order is about, if any. */
async function childOf(tx: OrganisationTx, { replaces }: Amounts): Promise<Amounts | undefined> {
  if (replaces === null) return undefined
  return tx
    .selectFrom('transfer_order')
    .selectAll()
    .where('org_id', '=', tx.orgId)
    .where('id', '=', replaces)
    .where('kind', 'in', CPFP_KINDS)
    .executeTakeFirst()
}

/** The most that an order can cost; for one that speeds a deposit up, including its replacements, requested or made. */
async function mostOf(tx: OrganisationTx, order: Amounts): Promise<AssetAmount[]> {
  if (!isCpfp(order)) return wholeOf(order)
  const asked = await tx
    .selectFrom('transfer_order')
    .select('fee_cap')
    .where('org_id', '=', tx.orgId)
    .where('replaces', '=', order.id)
    .where('is_final', '=', false)
    .execute()
  const made = await tx.selectFrom('order_transaction').select('fee_cap').where('org_id', '=', tx.orgId).where('order_id', '=', order.id).execute()
  const most = [...asked, ...made].reduce((top, { fee_cap: cap }) => (cap > top ? cap : top), order.fee_cap)
  return [{ asset: coinOf(order), amount: most }]
}

/**
 * Everything the order held is available again. An order about another payment may hold nothing: if it costs no more, and if too little was left
 * after a reorganisation; so may one that speeds a deposit up, while that is not credited.
 */
export async function releaseOrder(tx: OrganisationTx, ports: MoneyPorts, order: Amounts): Promise<void> {
  const last = await findLastHold(tx, order)
  if ((order.replaces !== null || isCpfp(order)) && (!last || last.closing)) return
  const { holdId } = openOf(order, last)
  await release(tx, { id: idOf(ports), holdId, nowMs: ports.clock.nowMs() })
}

/**
 * The payment has left and the chain took its fee; the rest of the fee cap is available again. `left` is what the chain says the transaction took from the
 * sub-wallet, unless that is simply the order's amount. What an address paid itself never left. Staked coin stays the sub-wallet's; `unstaked` is what came
 * back from stake.
 */
export async function settleOrder(tx: OrganisationTx, ports: MoneyPorts, order: Amounts, left?: readonly AssetAmount[], unstaked?: AssetAmount): Promise<void> {
  const { goes } = orderKind(order)
  const ordered = [{ asset: assetOf(order), amount: order.amount }, ...postageOf(order)]
  const isOwn = goes === 'external' && order.address_to === order.address_from
  const gone = left ?? (isOwn || goes === 'nowhere' ? [] : ordered)
  const paid = gone.map((each): Payment => ({ to: goes === 'staked' ? goes : 'external', ...each }))
  await pay(tx, ports, order, [...paid, { to: 'fee', asset: coinOf(order), amount: feeOf(order) }], unstaked && [unstaked])
}

/** The chain took its fee, and the order failed, apart from what `left` all the same; the rest is available again. */
export async function chargeFee(tx: OrganisationTx, ports: MoneyPorts, order: Amounts, left: readonly AssetAmount[] = []): Promise<void> {
  await pay(tx, ports, order, [...left.map((each): Payment => ({ to: 'external', ...each })), { to: 'fee', asset: coinOf(order), amount: feeOf(order) }])
}

/**
 * Reverses a settlement, and holds amount and fee cap again. If less is available by now, holds what the
 * settlement had taken; the shortfall is requested when the order is settled again.
 */
export async function restoreHold(tx: OrganisationTx, ports: MoneyPorts, order: Amounts): Promise<void> {
  if (order.replaces !== null) {
    if (await childOf(tx, order)) return
    const share = await shareOf(tx, order)
    if (share.length === 0) return
    const number = ((await findLastHold(tx, order))?.number ?? -1) + 1
    await beginHold(tx, ports, order, number, share).catch((cause: unknown) => {
      if (!(cause instanceof InsufficientBalanceError)) throw cause
    })
    return
  }
  const { number, closing: settlement } = (await findLastHold(tx, order)) ?? missingHold(order)
  // The chain took nothing, so there is nothing to reverse.
  if (settlement?.kind === 'release') {
    await beginHold(tx, ports, order, number + 1, await mostOf(tx, order))
    return
  }
  if (settlement?.kind !== 'settle') throw new Error(`order ${order.id} has no settlement to take back`)
  const nowMs = ports.clock.nowMs()
  const reversal = await reverse(tx, { id: idOf(ports), transferId: settlement.id, nowMs })
  const taken = await heldBy(tx, reversal.id)
  await release(tx, { id: idOf(ports), holdId: reversal.id, nowMs })
  try {
    await beginHold(tx, ports, order, number + 1, await mostOf(tx, order))
  } catch (cause) {
    if (!(cause instanceof InsufficientBalanceError)) throw cause
    await beginHold(tx, ports, order, number + 1, taken)
  }
}

/** What an order's settlement in force paid to others by the ledger, without its fee. Zero if there is none. */
export async function leftBy(tx: OrganisationTx, order: Pick<Amounts, 'id'>): Promise<AssetAmount[]> {
  const last = await findLastHold(tx, order)
  const closing = last?.closing
  if (closing?.kind !== 'settle' || (await closingOf(tx, closing.id))) return []
  const { entries } = await readTransfer(tx, closing.id)
  return entries.flatMap(({ account, amount }) => (account.kind === 'external' ? [{ asset: account.asset, amount }] : []))
}

async function pay(tx: OrganisationTx, ports: MoneyPorts, order: Amounts, payments: Payment[], unstaked: AssetAmount[] = []): Promise<void> {
  const { holdId, number } = openOf(order, await findLastHold(tx, order))
  // What others' resources paid for cost nothing: then nothing leaves the hold.
  if ([...payments, ...unstaked].every(({ amount }) => amount === 0n)) {
    await release(tx, { id: idOf(ports), holdId, nowMs: ports.clock.nowMs() })
    return
  }
  let paidFrom = holdId
  if (!covers(await heldBy(tx, holdId), payments)) {
    await release(tx, { id: idOf(ports), holdId, nowMs: ports.clock.nowMs() })
    paidFrom = await beginHold(tx, ports, order, number + 1, payments)
  }
  await settle(tx, { id: idOf(ports), holdId: paidFrom, nowMs: ports.clock.nowMs(), payments, unstaked })
}

function covers(held: AssetAmount[], payments: readonly AssetAmount[]): boolean {
  const sum = (list: readonly AssetAmount[], contract: string | null) =>
    list.filter((each) => each.asset.contract === contract).reduce((total, each) => total + each.amount, 0n)
  return payments.every(({ asset }) => sum(payments, asset.contract) <= sum(held, asset.contract))
}

async function beginHold(tx: OrganisationTx, ports: MoneyPorts, order: Amounts, number: number, amounts: AssetAmount[]): Promise<string> {
  const { id } = await hold(tx, newHold(ports, order, number, amounts))
  return id
}

const newHold = (ports: MoneyPorts, order: Amounts, number: number, amounts: AssetAmount[]) => ({
  id: idOf(ports),
  reference: referenceOf(order, number),
  nowMs: ports.clock.nowMs(),
  subWalletId: order.sub_wallet_id,
  address: order.address_from,
  amounts: amounts.map(({ asset, amount }) => ({ asset, amount })),
})

/** A hold of an order, and what closed it, if anything. */
type Numbered = { holdId: string; number: number; closing: Closing | undefined }
type Closing = { id: string; kind: LedgerTransferKind }

/** The number of holds of an order that one query reads. Few orders ever have a second one. */
const HOLDS_AT_ONCE = 4

async function findLastHold(tx: OrganisationTx, order: Pick<Amounts, 'id'>): Promise<Numbered | undefined> {
  let last: Numbered | undefined
  for (let from = 0; ; from += HOLDS_AT_ONCE) {
    const references = Array.from({ length: HOLDS_AT_ONCE }, (_, i) => referenceOf(order, from + i))
    const rows = await tx
      .selectFrom('ledger_transfer as hold')
      .leftJoin('ledger_transfer as closing', (join) => join.onRef('closing.org_id', '=', 'hold.org_id').onRef('closing.closes', '=', 'hold.id'))
      .select(['hold.id', 'hold.reference', 'closing.id as closing_id', 'closing.kind as closing_kind'])
      .where('hold.org_id', '=', tx.orgId)
      .where('hold.kind', '=', 'hold')
      .where('hold.reference', 'in', references)
      .execute()
    const newest = rows.toSorted((a, b) => references.indexOf(a.reference) - references.indexOf(b.reference)).at(-1)
    if (!newest) return last
    const { id, reference, closing_id: closingId, closing_kind: kind } = newest
    last = { holdId: id, number: from + references.indexOf(reference), closing: closingId === null || kind === null ? undefined : { id: closingId, kind } }
    if (rows.length < HOLDS_AT_ONCE) return last
  }
}

function missingHold(order: Amounts): never {
  if (isCpfp(order)) throw new LedgerError(`the deposit that order ${order.id} sped up is not credited yet`)
  throw new Error(`order ${order.id} never held anything`)
}

/** The hold of an order that is still open. Throws if it has none. */
function openOf(order: Amounts, last: Numbered | undefined): Numbered {
  if (!last) return missingHold(order)
  const { closing } = last
  if (closing && isCpfp(order)) missingHold(order)
  if (closing) throw new Error(`the hold of order ${order.id} is closed by ${closing.kind} ${closing.id}`)
  return last
}

async function closingOf(tx: OrganisationTx, transferId: string): Promise<Closing | undefined> {
  return tx.selectFrom('ledger_transfer').select(['id', 'kind']).where('org_id', '=', tx.orgId).where('closes', '=', transferId).executeTakeFirst()
}

async function heldBy(tx: OrganisationTx, transferId: string): Promise<AssetAmount[]> {
  const rows = await tx
    .selectFrom('ledger_entry')
    .innerJoin('ledger_account', (join) =>
      join.onRef('ledger_account.org_id', '=', 'ledger_entry.org_id').onRef('ledger_account.id', '=', 'ledger_entry.account_id'),
    )
    .select(['ledger_account.chain', 'ledger_account.contract', 'ledger_entry.amount'])
    .where('ledger_entry.org_id', '=', tx.orgId)
    .where('ledger_entry.transfer_id', '=', transferId)
    .where('ledger_account.kind', '=', 'held')
    .where('ledger_entry.amount', '>', 0n)
    .execute()
  return rows.map(({ chain, contract, amount }) => ({ asset: { chain, contract: contract === '' ? null : contract }, amount }))
}

function feeOf(order: Amounts): bigint {
  if (order.fee_paid === null) throw new Error(`the fee of order ${order.id} is not known`)
  return order.fee_paid
}

const referenceOf = (order: Pick<Amounts, 'id'>, number: number) => `order:${order.id}:${number}`
const idOf = ({ clock, random }: MoneyPorts) => newId(clock.nowMs(), random)
