import { readBrc20, readInscriptions } from '@holdfast/chain-bitcoin/codec'
import { type ChainNode, readBrc20Asset } from '@holdfast/chain-core'
import type { Database } from '@holdfast/db'
import { known } from '@holdfast/units'

/** A payment in a token of BRC-20 as it was read. */
export type TokenPayment = { chain: string; contract: string; height: bigint; block_hash: string; txid: string; address: string; amount: bigint }

/**
 * Whether a source has what a payment in a token rests on, in the very blocks: the inscription that says so, and the transaction by which it came to the
 * address. A block's hash does not say what its witnesses are, so a source could tell of another inscription than there is.
 */
export async function tokenSeenBy(db: Database, source: ChainNode, payment: TokenPayment): Promise<boolean> {
  const told = await inscriptionOf(db, payment)
  if (!told) return false
  const { id, spent, revealHeight } = told
  const revealing = (await source.readBlock(revealHeight))?.transactions?.find(({ txid }) => id === `${txid}i0`)
  const [inscription] = readInscriptions(revealing?.inputs[0]?.witness ?? [])
  const operation = inscription && readBrc20(inscription)
  const isSame = operation !== undefined && operation.op !== 'deploy' && operation.ticker === readBrc20Asset(payment.contract)
  // A mint may have given less than it asked for, where the supply ended.
  if (
    !isSame ||
    (spent === null ? operation.op !== 'mint' || operation.amount < payment.amount : operation.op !== 'transfer' || operation.amount !== payment.amount)
  )
    return false
  const block = await source.readBlock(payment.height)
  const paying = block?.hash === payment.block_hash ? block.transactions?.find(({ txid }) => txid === payment.txid) : undefined
  const isSpent = spent === null || (paying?.inputs.some(({ outpoint }) => outpoint === spent) ?? false)
  return isSpent && (paying?.outputs.some(({ address }) => address === payment.address) ?? false)
}

/** The inscription by which a payment was made, the block that revealed it, and the coin it came from; null if it was revealed to the address. */
async function inscriptionOf(db: Database, { chain, contract, height, txid, address, amount }: TokenPayment) {
  return db.asSystem(async (tx) => {
    const rows = await tx
      .selectFrom('brc20_entry')
      .innerJoin('inscribed', (join) =>
        join.onRef('inscribed.chain', '=', 'brc20_entry.chain').onRef('inscribed.inscription_id', '=', 'brc20_entry.inscription_id'),
      )
      .select(['brc20_entry.inscription_id', 'kind', 'outpoint'])
      .where('brc20_entry.chain', '=', chain)
      .where('brc20_entry.height', '=', height)
      .where('ticker', '=', known(readBrc20Asset(contract), `the ticker of ${contract}`))
      .where('holder', '=', address)
      .where('amount', '=', amount)
      .where('kind', 'in', ['mint', 'send'])
      .where('outpoint', 'like', `${txid}:%`)
      .execute()
    const [row] = rows
    if (!row) return undefined
    if (row.kind === 'mint') return { id: row.inscription_id, spent: null, revealHeight: height }
    const revealed = await tx
      .selectFrom('inscribed')
      .select(['outpoint', 'height'])
      .where('chain', '=', chain)
      .where('inscription_id', '=', row.inscription_id)
      .where('outpoint', 'like', `${row.inscription_id.slice(0, 64)}:%`)
      .executeTakeFirst()
    return revealed && { id: row.inscription_id, spent: revealed.outpoint, revealHeight: revealed.height }
  })
}
