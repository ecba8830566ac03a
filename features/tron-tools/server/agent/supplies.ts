import type { OrganisationTx, Schema } from '@holdfast/db'
import type { Selectable, Updateable } from 'kysely'
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

/** The address that lends: the first one of a sub-wallet; undefined where it has none on the network. */
export async function readLender(tx: OrganisationTx, chain: string, subWalletId: SubWalletId): Promise<LenderAt | undefined> {
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
  const none = { reason: null, lender: null, stake: null, lend_order_id: null, return_order_id: null, used: null, covered: null, burned: null }
  await tx
    .insertInto('tron_supply')
    .values({ org_id: tx.orgId, id: id ?? newId(nowMs, ports.random), ...begun, state: 'waiting', ...none, created_at: nowMs, updated_at: nowMs })
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
  await announce(tx, ports, 'tron.changed', {})
}

/** Energy of an address that other payments of it will use, which are about to be signed or sent. */
export async function promisedTo(tx: OrganisationTx, { chain, address }: { chain: string; address: string }, except: OrderId): Promise<bigint> {
  const rows = await tx
    .selectFrom('tron_supply')
    .innerJoin('transfer_order', (join) =>
      join.onRef('transfer_order.org_id', '=', 'tron_supply.org_id').onRef('transfer_order.id', '=', 'tron_supply.order_id'),
    )
    .select('tron_supply.needed')
    .where('tron_supply.org_id', '=', tx.orgId)
    .where('tron_supply.chain', '=', chain)
    .where('tron_supply.address', '=', address)
    .where('tron_supply.order_id', '<>', except)
    .where('tron_supply.state', '=', 'ready')
    .where('transfer_order.state', 'in', ['approved', 'signing', 'broadcasting', 'pending'])
    .execute()
  return rows.reduce((sum, { needed }) => sum + needed, 0n)
}

/** Coin that was burned without asking in the last 24 hours, and what payments that are on their way may burn. */
export async function burnedToday(tx: OrganisationTx, chain: string, nowMs: number): Promise<bigint> {
  const rows = await tx
    .selectFrom('tron_supply')
    .select(['state', 'burned', 'lacked', 'price'])
    .where('org_id', '=', tx.orgId)
    .where('chain', '=', chain)
    .where('created_at', '>', BigInt(nowMs - DAY_MS))
    .where((row) => row.or([row('state', '=', 'burning'), row('burned', 'is not', null)]))
    .execute()
  return rows.reduce((sum, { burned, lacked, price }) => sum + (burned ?? lacked * price), 0n)
}
