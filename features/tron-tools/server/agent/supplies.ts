import type { OrganisationTx, Schema } from '@holdfast/db'
import { sql, type Selectable, type Updateable } from 'kysely'
import type { ServerContext } from '@holdfast/features/context'
import { announce } from '@holdfast/jobs'
import { known, newId, type OrderId, type SubWalletId } from '@holdfast/units'
import type { LenderAt } from './lend.ts'

export type Supply = Selectable<Schema['tron_supply']>
export type Agent = Selectable<Schema['tron_agent']>

const DAY_MS = 86_400_000

/** How energy is lent on a network; undefined if nobody has said so yet. */
export async function readAgent(tx: OrganisationTx, chain: string): Promise<Agent | undefined> {
  return tx.selectFrom('tron_agent').selectAll().where('org_id', '=', tx.orgId).where('chain', '=', chain).executeTakeFirst()
}

/** The addresses that lend, in the sequence in which they are asked. */
export async function readLenders(tx: OrganisationTx, { chain, sub_wallet_id: first, further_lenders: further }: Agent): Promise<LenderAt[]> {
  const found = await Promise.all([first, ...further].map((each) => readAddressOf(tx, chain, each as SubWalletId)))
  return found.filter((each) => each !== undefined)
}

/** The first address of a sub-wallet, which lends or pays for it; undefined where it has none on the network. */
export async function readAddressOf(tx: OrganisationTx, chain: string, subWalletId: SubWalletId): Promise<LenderAt | undefined> {
  const row = await tx
    .selectFrom('address')
    .select('address')
    .where('org_id', '=', tx.orgId)
    .where('chain', '=', chain)
    .where('sub_wallet_id', '=', subWalletId)
    .where('number', '=', 0)
    .executeTakeFirst()
  return row && { address: row.address, subWalletId }
}

/** The same by the address that lent; undefined if it is an own one no more. */
export async function lenderAt(tx: OrganisationTx, chain: string, address: string): Promise<LenderAt | undefined> {
  const row = await tx
    .selectFrom('address')
    .select('sub_wallet_id')
    .where('org_id', '=', tx.orgId)
    .where('chain', '=', chain)
    .where('address', '=', address)
    .executeTakeFirst()
  return row && { address, subWalletId: row.sub_wallet_id }
}

type Begun = Pick<Supply, 'chain' | 'address' | 'order_id' | 'needed' | 'lacked' | 'price'>

/** Begins what is to be lent for a payment, or because somebody asked for it; what was begun for a payment is begun once. */
export async function beginSupply(tx: OrganisationTx, { ports }: Pick<ServerContext, 'ports'>, begun: Begun, id?: string): Promise<Supply> {
  const nowMs = ports.clock.nowMs()
  const none = { reason: null, lender: null, stake: null, lend_order_id: null, return_order_id: null, used: null, covered: null, burned: null, burned_at: null }
  const rented = { rent_order_id: null, rental: null, rented: null, rent: null, rented_at: null, told_at: null, told_reason: null }
  await tx
    .insertInto('tron_supply')
    .values({ org_id: tx.orgId, id: id ?? newId(nowMs, ports.random), ...begun, state: 'waiting', ...none, ...rented, created_at: nowMs, updated_at: nowMs })
    .onConflict((conflict) => conflict.columns(['org_id', 'order_id']).where('order_id', 'is not', null).doNothing())
    .execute()
  const of = tx.selectFrom('tron_supply').selectAll().where('org_id', '=', tx.orgId)
  const found = await (begun.order_id === null ? of.where('id', '=', id ?? '') : of.where('order_id', '=', begun.order_id)).executeTakeFirst()
  return known(found, 'what was begun to be lent')
}

/** Writes what has become of a loan. The one writer of its state, which the payment waits for. */
export async function changeSupply(
  tx: OrganisationTx,
  { ports }: Pick<ServerContext, 'ports'>,
  id: string,
  set: Updateable<Schema['tron_supply']>,
): Promise<void> {
  await tx
    .updateTable('tron_supply')
    .set({ ...set, updated_at: ports.clock.nowMs() })
    .where('org_id', '=', tx.orgId)
    .where('id', '=', id)
    .execute()
  await announce(tx, ports, 'tron.changed', { supply_id: id })
}

/** Coin that was paid for rented energy in the last 24 hours, with what is about to be. */
export async function rentedToday(tx: OrganisationTx, chain: string, nowMs: number): Promise<bigint> {
  const rows = await tx
    .selectFrom('tron_supply')
    .select('rent')
    .where('org_id', '=', tx.orgId)
    .where('chain', '=', chain)
    .where('rented_at', '>', BigInt(nowMs - DAY_MS))
    .where('rent', 'is not', null)
    .execute()
  return rows.reduce((sum, { rent }) => sum + (rent ?? 0n), 0n)
}

/**
 * Energy of an address that other payments of it will use: those that are about to be signed or sent, and those for which some is on its way, unless it was
 * begun to be lent or rented for this one before (`own`). Without these, what is rented for one would be taken by another that waits. A payment that burns what
 * it lacks uses what is there as well.
 */
export async function promisedTo(
  tx: OrganisationTx,
  { chain, address }: { chain: string; address: string },
  except: OrderId,
  own: Pick<Supply, 'id' | 'state' | 'created_at'> | undefined,
): Promise<bigint> {
  const rows = await tx
    .selectFrom('tron_supply')
    .innerJoin('transfer_order', (join) =>
      join.onRef('transfer_order.org_id', '=', 'tron_supply.org_id').onRef('transfer_order.id', '=', 'tron_supply.order_id'),
    )
    .select(['tron_supply.id', 'tron_supply.state', 'tron_supply.created_at', 'tron_supply.needed', 'tron_supply.lacked'])
    .where('tron_supply.org_id', '=', tx.orgId)
    .where('tron_supply.chain', '=', chain)
    .where('tron_supply.address', '=', address)
    .where('tron_supply.order_id', '<>', except)
    .where('tron_supply.state', 'in', ['lending', 'renting', 'ready', 'burning'])
    .where('transfer_order.state', 'in', ['approved', 'signing', 'broadcasting', 'pending'])
    .execute()
  const isOnItsWay = own?.state === 'lending' || own?.state === 'renting'
  const isBefore = (each: (typeof rows)[number]) =>
    own !== undefined && (each.created_at === own.created_at ? each.id < own.id : each.created_at < own.created_at)
  const isAsItIs = ({ state }: (typeof rows)[number]) => state === 'ready' || state === 'burning'
  const usedOf = ({ state, needed, lacked }: (typeof rows)[number]) => {
    if (state !== 'burning') return needed
    // What it lacks is read later than what it uses, and may be more by then.
    return needed > lacked ? needed - lacked : 0n
  }
  return rows.filter((each) => isAsItIs(each) || !isOnItsWay || isBefore(each)).reduce((sum, each) => sum + usedOf(each), 0n)
}

/**
 * Coin that was burned without asking in the last 24 hours, and what payments that are on their way may burn, however long that takes. What was burned counts
 * from when that was read, and not from when its payment began to wait.
 */
export async function burnedToday(tx: OrganisationTx, chain: string, nowMs: number): Promise<bigint> {
  const rows = await tx
    .selectFrom('tron_supply')
    .select(['state', 'burned', 'lacked', 'price'])
    .where('org_id', '=', tx.orgId)
    .where('chain', '=', chain)
    .where((row) =>
      row.or([row('burned_at', '>', BigInt(nowMs - DAY_MS)), row.and([row('state', '=', sql.lit('burning' as const)), row('burned', 'is', null)])]),
    )
    .execute()
  return rows.reduce((sum, { burned, lacked, price }) => sum + (burned ?? lacked * price), 0n)
}
