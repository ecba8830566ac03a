import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import type { DepositChildIntent } from '@holdfast/intent'
import { CHILD, holdForChild, releaseOrder } from './order-money.ts'
import type { OrderRow } from './read-order.ts'

/** A deposit's coin: the output of its transaction. */
type Coin = { chain: string; txid: string; tx_index: number }

/**
 * The orders that lift a deposit and are not final, locked until the transaction ends. To be asked for before the deposit is booked; afterwards it may not
 * wait for any, and gets those that nobody has.
 */
export async function lockChildren(
  tx: OrganisationTx,
  { chain, txid, tx_index: index }: Coin,
  wanted: 'all' | 'those that nobody has' = 'all',
): Promise<OrderRow[]> {
  const locked = tx
    .selectFrom('transfer_order')
    .innerJoin('order_coin', (join) => join.onRef('order_coin.org_id', '=', 'transfer_order.org_id').onRef('order_coin.order_id', '=', 'transfer_order.id'))
    .selectAll('transfer_order')
    .where('transfer_order.org_id', '=', tx.orgId)
    .where('chain', '=', chain)
    .where('kind', '=', CHILD)
    .where('is_final', '=', false)
    .where('outpoint', '=', `${txid}:${index}`)
    .orderBy('transfer_order.id')
    .forNoKeyUpdate('transfer_order')
  return (wanted === 'all' ? locked : locked.skipLocked()).execute()
}

/** Holds what the orders that lifted a deposit can cost, in the transaction that credits it: nobody else can have that of it. */
export async function holdForChildren(tx: OrganisationTx, { ports }: Pick<ServerContext, 'ports'>, children: readonly OrderRow[]): Promise<void> {
  for (const order of children) await holdForChild(tx, ports, order)
}

/** Gives back what they hold, so that a deposit whose block is gone can be taken back whole. They hold it again when it is credited again. */
export async function releaseChildren(tx: OrganisationTx, { ports }: Pick<ServerContext, 'ports'>, children: readonly OrderRow[]): Promise<void> {
  for (const order of children) await releaseOrder(tx, ports, order)
}

/** Whether the deposit that an order lifts still waits for a block, as far as the pool was read. */
export async function isDepositWaiting(tx: OrganisationTx, chain: string, { deposit }: Pick<DepositChildIntent, 'deposit'>): Promise<boolean> {
  const [txid, index] = deposit.split(':')
  const row = await tx
    .selectFrom('waiting_deposit')
    .select('id')
    .where('org_id', '=', tx.orgId)
    .where('chain', '=', chain)
    .where('txid', '=', txid!)
    .where('tx_index', '=', Number(index))
    .where('state', '=', 'waiting')
    .executeTakeFirst()
  return row !== undefined
}
