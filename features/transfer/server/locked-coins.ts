import { type ChainCodec, ChainError, type Coin } from '@holdfast/chain-core'
import type { OrganisationTx } from '@holdfast/db'
import type { Network } from '@holdfast/features/network/server'
import type { OrderRow } from './read-order.ts'

type Payer = Pick<OrderRow, 'id' | 'chain' | 'address_from'>

/**
 * The coins of the paying address that an order may not spend: those that other orders have, those that wait for a block, and those of blocks that are not
 * final yet, unless an order of ours made them. Empty where the chain has no coins. Throws ChainError where the node does not list them.
 */
export async function lockedCoins(
  asOrganisation: <T>(act: (tx: OrganisationTx) => Promise<T>) => Promise<T>,
  { node, codec, finalityBlocks }: Network,
  order: Payer,
): Promise<string[]> {
  if (!node.unspent) return []
  const [coins, head] = await Promise.all([node.unspent(order.address_from), node.head()])
  const { taken, made } = await asOrganisation((tx) => coinsOfOrders(tx, codec, order))
  const finalHeight = head.height - BigInt(finalityBlocks)
  const isLocked = ({ outpoint, height }: { outpoint: string; height: bigint | null }) =>
    taken.has(outpoint) || height === null || (height > finalHeight && !made.has(outpoint.slice(0, outpoint.indexOf(':'))))
  return coins.filter(isLocked).map(({ outpoint }) => outpoint)
}

/**
 * Holds the paying address until the transaction ends, and throws ChainError where another order has taken one of the coins since they were chosen. Orders
 * that are not final have their coins by their stored bytes: nothing else is written down that could differ from these.
 */
export async function refuseTakenCoins(tx: OrganisationTx, codec: ChainCodec, order: Payer, inputs: readonly Coin[]): Promise<void> {
  await tx
    .selectFrom('address')
    .select('address')
    .where('org_id', '=', tx.orgId)
    .where('chain', '=', order.chain)
    .where('address', '=', order.address_from)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  const { taken } = await coinsOfOrders(tx, codec, order)
  const lost = inputs.find(({ outpoint }) => taken.has(outpoint))
  if (lost) throw new ChainError(`another order has taken the coin ${lost.outpoint} meanwhile`)
}

/** What other orders of the address spend and have not finished, and the transactions that orders of it made. */
async function coinsOfOrders(tx: OrganisationTx, codec: ChainCodec, order: Payer): Promise<{ taken: Set<string>; made: Set<string> }> {
  const ofAddress = tx
    .selectFrom('order_transaction')
    .innerJoin('transfer_order', (join) =>
      join.onRef('transfer_order.org_id', '=', 'order_transaction.org_id').onRef('transfer_order.id', '=', 'order_transaction.order_id'),
    )
    .where('order_transaction.org_id', '=', tx.orgId)
    .where('transfer_order.chain', '=', order.chain)
    .where('transfer_order.address_from', '=', order.address_from)
    .where('transfer_order.id', '<>', order.id)
  const open = await ofAddress
    .select('order_transaction.unsigned_tx')
    .where('is_final', '=', false)
    .where('order_transaction.unsigned_tx', 'is not', null)
    .execute()
  const sent = await ofAddress.select('order_transaction.txid').where('order_transaction.txid', 'is not', null).execute()
  const spent = open.flatMap((row) => codec.decode(row.unsigned_tx!).inputs ?? [])
  return { taken: new Set(spent.map(({ outpoint }) => outpoint)), made: new Set(sent.map(({ txid }) => txid!)) }
}
