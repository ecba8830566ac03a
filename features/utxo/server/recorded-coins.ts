import type { ChainCodec, Effects, UnspentCoin } from '@holdfast/chain-core'
import type { Database, OrganisationTx, SystemTx } from '@holdfast/db'
import { at, known } from '@holdfast/units'

/**
 * The coins that an address can have, as the ledger knows them: what deposits paid to it and what its own orders returned to it, less what those have spent
 * for good. Each may be gone all the same, so the node is asked for each before it is spent.
 */
export async function recordedCoins(db: Database, codec: ChainCodec, chain: string, address: string): Promise<UnspentCoin[]> {
  const recorded = await db.asSystem((tx) => readRecorded(tx, codec, { chain, address }))
  return recorded.map(({ outpoint, amount, height }) => ({ outpoint, address, amount, height }))
}

/**
 * The coins of an address by the books alone, without asking a node: what they say it has is what these hold. Beside them are deposits that are not final,
 * which have no height. What an order spends that is not final is still there, and what it gives back is not.
 */
export async function bookedCoins(tx: OrganisationTx, codec: ChainCodec, place: { chain: string; address: string }): Promise<UnspentCoin[]> {
  const recorded = await readRecorded(tx, codec, place)
  return recorded.flatMap(({ isBooked, isDeposit, ...coin }) => (isBooked ? [coin] : isDeposit ? [{ ...coin, height: null }] : []))
}

/** An order has its end in a block: it paid, it failed there, or it was cancelled by what stands for it. */
const BOOKED: ReadonlySet<string> = new Set(['completed', 'failed', 'replaced'])

type Recorded = UnspentCoin & { isDeposit: boolean; isBooked: boolean }

async function readRecorded(of: OrganisationTx | SystemTx, codec: ChainCodec, { chain, address }: { chain: string; address: string }): Promise<Recorded[]> {
  const tx = of as SystemTx
  const deposits = await tx
    .selectFrom('deposit')
    .select(['txid', 'tx_index', 'amount', 'height', 'state'])
    .where('chain', '=', chain)
    .where('address', '=', address)
    .where('contract', '=', '')
    .where('state', '<>', 'reversed')
    .execute()
  const orders = await tx
    .selectFrom('order_transaction')
    .innerJoin('transfer_order', (join) =>
      join.onRef('transfer_order.org_id', '=', 'order_transaction.org_id').onRef('transfer_order.id', '=', 'order_transaction.order_id'),
    )
    .select(['order_transaction.txid', 'order_transaction.unsigned_tx', 'transfer_order.txid as standing', 'block_height', 'state'])
    .where('chain', '=', chain)
    .where('address_from', '=', address)
    .where('order_transaction.txid', 'is not', null)
    .execute()
  const coins = deposits.map(({ txid, tx_index: index, amount, height, state }): Recorded => {
    return { outpoint: `${txid}:${index}`, address, amount, height, isDeposit: true, isBooked: state === 'credited' }
  })
  const spent = new Set<string>()
  for (const { txid, unsigned_tx: unsigned, standing, block_height, state } of orders) {
    const effects = codec.decode(known(unsigned, `the bytes of transaction ${txid}`))
    const height = txid === standing ? block_height : null
    const isBooked = BOOKED.has(state) && txid === standing && block_height !== null
    if (isBooked) for (const { outpoint } of effects.inputs ?? []) spent.add(outpoint)
    coins.push(
      ...givenBack(effects, address).map(({ index, amount }) => ({ outpoint: `${txid}:${index}`, address, amount, height, isDeposit: false, isBooked })),
    )
  }
  return coins.filter(({ outpoint }) => !spent.has(outpoint))
}

/** The outputs in which a transaction returns coin to an address: change, and payments to the address itself. */
function givenBack({ transfers, change = [] }: Effects, address: string): { index: number; amount: bigint }[] {
  const places = Array.from({ length: transfers.length + change.length }, (_, i) => i).filter((i) => !change.some(({ index }) => index === i))
  const paid = transfers.map(({ to, amount }, i) => ({ address: to, amount, index: at(places, i) }))
  return [...change, ...paid].filter((each) => each.address === address)
}
