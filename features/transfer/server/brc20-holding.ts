import { type Brc20Holding, networkOf, readScript, requireScript } from '@holdfast/chain-bitcoin/codec'
import { readBrc20Asset } from '@holdfast/chain-core'
import type { Database, SystemTx } from '@holdfast/db'
import type { Network } from '@holdfast/features/network/server'
import { inscriptionReading } from './unchecked-coins.ts'

/** What the coin holds that goes along with a new inscription: the least that nodes relay to an address of any kind (546 satoshi, P2PKH). */
export const NEW_POSTAGE = 546n

/** The kind of orders that pay what somebody typed; of a token of BRC-20 it is inscribed first. Inscriptions that are there go by orders of another kind. */
export const WITHDRAW = 'withdraw'

/** What a holder has of a token by the blocks that were read, or by those up to a height. */
export async function brc20Holding(tx: SystemTx, of: { chain: string; ticker: string; holder: string; upTo?: bigint }): Promise<Brc20Holding> {
  const row = await tx
    .selectFrom('brc20_entry')
    .select(['available', 'transferable'])
    .where('chain', '=', of.chain)
    .where('holder', '=', of.holder)
    .where('ticker', '=', of.ticker)
    .$if(of.upTo !== undefined, (rows) => rows.where('height', '<=', of.upTo!))
    .orderBy('height', 'desc')
    .orderBy('place', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ?? { available: 0n, transferable: 0n }
}

/** Whether an address can make inscriptions: a taproot one, whose key signs for the leaf that holds one as it signs for its coins. */
export function makesInscriptions({ chain }: Pick<Network, 'chain'>, address: string): boolean {
  return readScript(requireScript(networkOf(chain), address))?.kind === 'p2tr'
}

type Asked = { address: string; contract: string; orderId: string | null }

/**
 * What of a BRC-20 token of an address can be inscribed for another order than `orderId`: what our own index says is available, less what open orders will have
 * inscribed and no block that was read shows yet. Nothing where the reading began too late to know. Amounts in parts of 10^-18.
 */
export async function inscribable({ db }: { db: Database }, orgId: string, { chain, codec }: Network, { address, contract, orderId }: Asked): Promise<bigint> {
  const ticker = readBrc20Asset(contract)
  if (ticker === undefined) return 0n
  const open = await db.asOrganisation(orgId, (tx) =>
    tx
      .selectFrom('transfer_order')
      .leftJoin('order_transaction', (join) =>
        join.onRef('order_transaction.org_id', '=', 'transfer_order.org_id').onRef('order_transaction.order_id', '=', 'transfer_order.id'),
      )
      .select(['transfer_order.id', 'amount', 'order_transaction.unsigned_tx'])
      .where('transfer_order.org_id', '=', tx.orgId)
      .where('chain', '=', chain)
      .where('address_from', '=', address)
      .where('contract', '=', contract)
      .where('kind', '=', WITHDRAW)
      .where('is_final', '=', false)
      .execute(),
  )
  return db.asSystem(async (tx) => {
    if (!(await inscriptionReading(tx, chain))?.isWhole) return 0n
    const { available } = await brc20Holding(tx, { chain, ticker, holder: address })
    const ids = open.map(({ id, amount, unsigned_tx: unsigned }) => ({ id, amount, inscription: unsigned ? (codec.decode(unsigned).inscribes ?? '') : '' }))
    const known = ids.map(({ inscription }) => inscription).filter((inscription) => inscription !== '')
    const entries =
      known.length === 0
        ? []
        : await tx
            .selectFrom('brc20_entry')
            .select('inscription_id')
            .where('chain', '=', chain)
            .where('kind', '=', 'inscribe')
            .where('inscription_id', 'in', known)
            .execute()
    const shown = new Set(entries.map((each) => each.inscription_id))
    const done = new Set(ids.filter(({ inscription }) => shown.has(inscription)).map(({ id }) => id))
    const waiting = new Map(ids.filter(({ id }) => id !== orderId && !done.has(id)).map(({ id, amount }) => [id, amount]))
    return [...waiting.values()].reduce((left, amount) => left - amount, available)
  })
}
