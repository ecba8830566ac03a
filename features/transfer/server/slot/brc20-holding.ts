import { type Brc20Holding, networkOf, readScript, requireScript } from '@holdfast/chain-bitcoin/codec'
import { brc20Asset, readBrc20Asset } from '@holdfast/chain-core'
import type { Database, OrganisationTx, SystemTx } from '@holdfast/db'
import type { Network } from '@holdfast/features/network/server'
import type { OrderId, OrganisationId } from '@holdfast/units'
import { orderKindsAbout } from '../order/kinds/index.ts'
import { inscriptionReading } from './unchecked-coins.ts'

/** The amount of the coin for a new inscription: the least that nodes relay to an address of any kind (546 satoshi, P2PKH). */
export const NEW_POSTAGE = 546n

/** What a holder has of a token by the blocks that were read, or by those up to a height. */
export async function brc20Holding(tx: SystemTx, of: { chain: string; ticker: string; holder: string; upTo?: bigint }): Promise<Brc20Holding> {
  const row = await tx
    .selectFrom('brc20_entry')
    .select(['available', 'transferable'])
    .where('chain', '=', of.chain)
    .where('holder', '=', of.holder)
    .where('ticker', '=', of.ticker)
    .where((row) => row.and(of.upTo === undefined ? [] : [row('height', '<=', of.upTo)]))
    .orderBy('height', 'desc')
    .orderBy('place', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ?? { available: 0n, transferable: 0n }
}

/** Whether an address can make inscriptions: a taproot one, whose key signs for an inscription's leaf as it signs for its coins. */
export function makesInscriptions({ chain }: Pick<Network, 'chain'>, address: string): boolean {
  return readScript(requireScript(networkOf(chain), address))?.kind === 'p2tr'
}

/** An open order that has a token inscribed, and the inscription that its bytes make; null before they are made. */
export type Inscribing = { orderId: OrderId; address: string; contract: string; amount: bigint; inscription: string | null }

/** The open orders of the organisation on a network that have a token of BRC-20 inscribed. */
export async function openInscribing(tx: OrganisationTx, { chain, codec }: Pick<Network, 'chain' | 'codec'>): Promise<Inscribing[]> {
  const rows = await tx
    .selectFrom('transfer_order')
    .leftJoin('order_transaction', (join) =>
      join.onRef('order_transaction.org_id', '=', 'transfer_order.org_id').onRef('order_transaction.order_id', '=', 'transfer_order.id'),
    )
    .select(['transfer_order.id', 'address_from', 'contract', 'amount', 'order_transaction.unsigned_tx'])
    .where('transfer_order.org_id', '=', tx.orgId)
    .where('chain', '=', chain)
    .where('contract', 'like', brc20Asset('%'))
    .where('kind', 'in', orderKindsAbout('brc20Inscribe'))
    .where('is_final', '=', false)
    .execute()
  return rows.map(({ id: orderId, address_from: address, contract, amount, unsigned_tx: unsigned }) => {
    return { orderId, address, contract, amount, inscription: unsigned ? (codec.decode(unsigned).inscribes ?? null) : null }
  })
}

/**
 * What of a BRC-20 token of an address can be inscribed for another order than `orderId`: the available amount by our own index, less what open orders will
 * inscribe and no block that was read shows yet. Zero if the reading began too late to know. Amounts in parts of 10^-18.
 */
export async function inscribable(
  { db }: { db: Database },
  orgId: OrganisationId,
  network: Network,
  { address, contract, orderId }: { address: string; contract: string; orderId: OrderId | null },
): Promise<bigint> {
  const { chain } = network
  const ticker = readBrc20Asset(contract)
  if (ticker === undefined) return 0n
  const all = await db.asOrganisation(orgId, (tx) => openInscribing(tx, network))
  // If two orders wait for each other's part one goes first, mostly the older: any order of their ids will do, as long as both use it.
  const isBefore = (each: Inscribing) => orderId === null || each.orderId < orderId || (each.inscription !== null && each.orderId !== orderId)
  const open = all.filter((each) => each.address === address && each.contract === contract && isBefore(each))
  return db.asSystem(async (tx) => {
    if (!(await inscriptionReading(tx, chain))?.isWhole) return 0n
    const { available } = await brc20Holding(tx, { chain, ticker, holder: address })
    const shown = await inscribedIn(
      tx,
      chain,
      open.flatMap(({ inscription }) => inscription ?? []),
    )
    const set = new Set(open.filter(({ inscription }) => inscription !== null && shown.has(inscription)).map((each) => each.orderId))
    const waiting = new Map(open.filter((each) => !set.has(each.orderId)).map((each) => [each.orderId, each.amount]))
    return [...waiting.values()].reduce((left, amount) => left - amount, available)
  })
}

/** The inscriptions for which blocks that were read have set something aside. */
async function inscribedIn(tx: SystemTx, chain: string, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await tx
    .selectFrom('brc20_entry')
    .select('inscription_id')
    .where('chain', '=', chain)
    .where('kind', '=', 'inscribe')
    .where('inscription_id', 'in', [...ids])
    .execute()
  return new Set(rows.map((row) => row.inscription_id))
}
