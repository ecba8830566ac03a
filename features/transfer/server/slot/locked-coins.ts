import { type ChainCodec, ChainError, type Coin, POSTAGE_MAX } from '@holdfast/chain-core'
import type { OrganisationTx } from '@holdfast/db'
import type { Network } from '@holdfast/features/network/server'
import type { OrderId } from '@holdfast/units'
import { CPFP_KINDS } from '../order/kinds/index.ts'
import type { OrderRow } from '../order/read-order.ts'
import { uncheckedCoins } from './unchecked-coins.ts'

/**
 * The payer whose coins are read; `id` is that of the order that may have its own. One that `inscribes` also takes no coin with an inscription without effect:
 * a new inscription on the same satoshi counts for nothing. One under a standing order, which nobody looks at, takes no coin so small that it may carry an
 * inscription: signers refuse that.
 */
type Payer = Pick<OrderRow, 'chain' | 'address_from'> & { id: string | null; inscribes?: boolean; standing_order_id?: string | null }

/**
 * The coins of the paying address that an order may not spend: those that other orders have, those that people have locked or that carry an inscription or
 * may, pending ones, and those of blocks that are not final yet, unless an order of ours made them. Empty if the chain has no coins. Throws
 * ChainError if the node does not list them.
 */
export async function lockedCoins(
  asOrganisation: <T>(act: (tx: OrganisationTx) => Promise<T>) => Promise<T>,
  { node, codec, finalityBlocks }: Network,
  order: Payer,
): Promise<string[]> {
  if (!node.coins) return []
  const [coins, head] = await Promise.all([node.coins.unspent(order.address_from), node.head()])
  const { taken, made, kept } = await asOrganisation(async (tx) => ({ ...(await coinsOfOrders(tx, codec, order)), kept: await keptCoins(tx, order) }))
  const finalHeight = head.height - BigInt(finalityBlocks)
  const isSmall = ({ amount }: Coin) => typeof order.standing_order_id === 'string' && amount <= POSTAGE_MAX
  const isLocked = (coin: Coin) => taken.has(coin.outpoint) || kept.has(coin.outpoint) || isSmall(coin)
  return coins.filter((coin) => isLocked(coin) || !isSettled(coin, finalHeight, made)).map(({ outpoint }) => outpoint)
}

/** Whether a coin is certain: its block is final, or a transaction of our own made it, which nobody else can take back once it is in a block. */
export function isSettled({ outpoint, height }: { outpoint: string; height: bigint | null }, finalHeight: bigint, made: ReadonlySet<string>): boolean {
  return height !== null && (height <= finalHeight || made.has(outpoint.slice(0, outpoint.indexOf(':'))))
}

/**
 * Locks the paying address until the transaction ends, and throws ChainError if another order has taken one of the coins since they were chosen, or a person
 * has locked it. Orders that are not final have the coins of their stored bytes, and those they named when they were requested.
 */
export async function refuseTakenCoins(tx: OrganisationTx, codec: ChainCodec, order: Payer, inputs: readonly Pick<Coin, 'outpoint'>[]): Promise<void> {
  await holdAddress(tx, { chain: order.chain, address: order.address_from })
  const [{ taken }, kept] = [await coinsOfOrders(tx, codec, order), await keptCoins(tx, order)]
  const lost = inputs.find(({ outpoint }) => taken.has(outpoint) || kept.has(outpoint))
  if (lost) throw new ChainError(`${taken.has(lost.outpoint) ? 'another order has taken' : 'a lock keeps'} the coin ${lost.outpoint} meanwhile`)
}

/** Locks an address until the transaction ends: only one transaction at a time takes or locks its coins, or leases its slots. */
export async function holdAddress(tx: OrganisationTx, { chain, address }: { chain: string; address: string }): Promise<void> {
  await tx
    .selectFrom('address')
    .select('address')
    .where('org_id', '=', tx.orgId)
    .where('chain', '=', chain)
    .where('address', '=', address)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
}

/**
 * What other orders of the address spend and have not finished, and the transactions that its orders made; except those that speed up a stranger's transaction,
 * which exist as long as that does.
 */
export async function coinsOfOrders(tx: OrganisationTx, codec: ChainCodec, order: Payer): Promise<{ taken: Map<string, string>; made: Set<string> }> {
  const ofAddress = tx
    .selectFrom('transfer_order')
    .where('transfer_order.org_id', '=', tx.orgId)
    .where('transfer_order.chain', '=', order.chain)
    .where('transfer_order.address_from', '=', order.address_from)
    .$if(order.id !== null, (rows) => rows.where('transfer_order.id', '<>', order.id))
  const transactions = ofAddress
    .innerJoin('order_transaction', (join) =>
      join.onRef('order_transaction.org_id', '=', 'transfer_order.org_id').onRef('order_transaction.order_id', '=', 'transfer_order.id'),
    )
    .select(['transfer_order.id', 'order_transaction.unsigned_tx', 'order_transaction.txid'])
  const prepared = await transactions.where('is_final', '=', false).where('order_transaction.unsigned_tx', 'is not', null).execute()
  const named = await ofAddress
    .where('is_final', '=', false)
    .innerJoin('order_coin', (join) => join.onRef('order_coin.org_id', '=', 'transfer_order.org_id').onRef('order_coin.order_id', '=', 'transfer_order.id'))
    .select(['transfer_order.id', 'order_coin.outpoint'])
    .execute()
  const sent = await transactions.where('order_transaction.txid', 'is not', null).where('kind', 'not in', CPFP_KINDS).execute()
  const spent = prepared.flatMap(({ id, unsigned_tx: unsigned }) => inputsOf(codec, unsigned).map(({ outpoint }) => ({ id, outpoint })))
  return { taken: new Map([...named, ...spent].map(({ id, outpoint }) => [outpoint, id])), made: new Set(sent.flatMap(({ txid }) => txid ?? [])) }
}

const inputsOf = (codec: ChainCodec, unsigned: Uint8Array | null) => (unsigned && codec.decode(unsigned).inputs) ?? []

/** The coins of the address that a person has locked or that may carry an inscription, except those that the order named when it was requested. */
async function keptCoins(tx: OrganisationTx, order: Payer): Promise<Set<string>> {
  const own = await coinsOfOrder(tx, order.id)
  const kept = await locksOf(tx, { chain: order.chain, address: order.address_from })
  const marked = order.inscribes ? kept.used : []
  return new Set([...kept.people.keys(), ...kept.inscriptions.keys(), ...kept.unchecked, ...marked].filter((outpoint) => !own.includes(outpoint)))
}

/** The coins that an order named when it was requested, in their order. */
export async function coinsOfOrder(tx: OrganisationTx, orderId: OrderId | null): Promise<string[]> {
  if (orderId === null) return []
  const rows = await tx.selectFrom('order_coin').select('outpoint').where('org_id', '=', tx.orgId).where('order_id', '=', orderId).orderBy('place').execute()
  return rows.map(({ outpoint }) => outpoint)
}

export type PersonLock = { reason: string; lockedBy: string; lockedAtMs: number }

/**
 * What keeps coins of an address from being spent, besides orders: people's locks, inscriptions by their ids, and coins of unknown content. Coins with
 * inscriptions that are `used` are spent like any other.
 */
export async function locksOf(
  tx: OrganisationTx,
  { chain, address }: { chain: string; address: string },
): Promise<{ people: Map<string, PersonLock>; inscriptions: Map<string, string[]>; used: Set<string>; unchecked: Set<string> }> {
  const locks = await tx
    .selectFrom('coin_lock')
    .select(['outpoint', 'reason', 'locked_by', 'locked_at'])
    .where('org_id', '=', tx.orgId)
    .where('chain', '=', chain)
    .where('address', '=', address)
    .where('unlocked_at', 'is', null)
    .execute()
  const inscribed = await tx
    .selectFrom('inscription')
    .select(['outpoint', 'inscription_id', 'is_used'])
    .where('org_id', '=', tx.orgId)
    .where('chain', '=', chain)
    .where('address', '=', address)
    .where('gone_height', 'is', null)
    .orderBy('inscription_id')
    .execute()
  const inscriptions = new Map<string, string[]>()
  const used = new Set(inscribed.filter((each) => each.is_used).map(({ outpoint }) => outpoint))
  for (const { outpoint, inscription_id: id, is_used } of inscribed) if (!is_used) inscriptions.set(outpoint, [...(inscriptions.get(outpoint) ?? []), id])
  const people = locks.map(({ outpoint, reason, locked_by, locked_at }) => [outpoint, { reason, lockedBy: locked_by, lockedAtMs: Number(locked_at) }] as const)
  return { people: new Map(people), inscriptions, used, unchecked: await uncheckedCoins(tx, { chain, address }) }
}
