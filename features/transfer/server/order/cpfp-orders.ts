import type { OrganisationTx, Schema } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { known } from '@holdfast/units'
import { type Selectable, sql } from 'kysely'
import { CPFP_KINDS } from './kinds/index.ts'
import { holdForCpfp, releaseOrder } from './order-money.ts'
import type { OrderRow } from './read-order.ts'

/** A pending deposit, as far as the pool was read. */
export type PendingDeposit = Selectable<Schema['waiting_deposit']>

/** A deposit's coin: the output of its transaction. */
type Coin = { txid: string; tx_index: number }

/**
 * The orders that speed up one of some deposits of a chain and are not final, locked until the transaction ends. Call it before a deposit is credited;
 * afterwards the transaction may not wait for any, and gets those that nobody has locked.
 */
export async function lockCpfpOrders(
  tx: OrganisationTx,
  chain: string,
  coins: readonly Coin[],
  wanted: 'all' | 'those that nobody has' = 'all',
): Promise<OrderRow[]> {
  const locked = openOrders(tx, chain, coins).orderBy('transfer_order.id').forNoKeyUpdate('transfer_order')
  return (wanted === 'all' ? locked : locked.skipLocked()).execute()
}

/** Whether an order that is not final speeds a deposit up. */
export async function hasCpfpOrder(tx: OrganisationTx, chain: string, coin: Coin): Promise<boolean> {
  return (await openOrders(tx, chain, [coin]).limit(1).execute()).length > 0
}

function openOrders(tx: OrganisationTx, chain: string, coins: readonly Coin[]) {
  return tx
    .selectFrom('transfer_order')
    .innerJoin('order_coin', (join) => join.onRef('order_coin.org_id', '=', 'transfer_order.org_id').onRef('order_coin.order_id', '=', 'transfer_order.id'))
    .selectAll('transfer_order')
    .where('transfer_order.org_id', '=', tx.orgId)
    .where('chain', '=', chain)
    .where('kind', 'in', CPFP_KINDS)
    .where('is_final', '=', false)
    .where(sql<boolean>`outpoint = any(${coins.map(({ txid, tx_index: index }) => `${txid}:${index}`)}::text[])`)
}

/** The output that a coin is, by its name `<txid>:<index>`. */
export function outputOf(coin: string): { txid: string; index: number } {
  const [txid, index] = coin.split(':')
  return { txid: known(txid, `the transaction of the coin ${coin}`), index: Number(index) }
}

/** Holds what the orders that sped a deposit up can cost, in the transaction that credits it: nobody else can take that part. */
export async function holdForCpfpOrders(tx: OrganisationTx, { ports }: Pick<ServerContext, 'ports'>, orders: readonly OrderRow[]): Promise<void> {
  for (const order of orders) await holdForCpfp(tx, ports, order)
}

/** Releases what they hold, so that a deposit whose block is gone can be reversed whole. They hold it again when it is credited again. */
export async function releaseCpfpOrders(tx: OrganisationTx, { ports }: Pick<ServerContext, 'ports'>, orders: readonly OrderRow[]): Promise<void> {
  for (const order of orders) await releaseOrder(tx, ports, order)
}

/** Whether the deposit that an order speeds up is still pending, as far as the pool was read; `coin` is its `<txid>:<index>`. */
export async function isDepositPending(tx: OrganisationTx, chain: string, coin: string): Promise<boolean> {
  const { txid, index } = outputOf(coin)
  const row = await tx
    .selectFrom('waiting_deposit')
    .select('id')
    .where('org_id', '=', tx.orgId)
    .where('chain', '=', chain)
    .where('txid', '=', txid)
    .where('tx_index', '=', index)
    .where('state', '=', 'waiting')
    .executeTakeFirst()
  return row !== undefined
}
