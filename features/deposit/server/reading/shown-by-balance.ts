import type { Block, ChainNode } from '@holdfast/chain-core'
import type { Database } from '@holdfast/db'

/** Coin that a contract moved to an address of ours, as reported by the source from which blocks are read. */
export type MovedInside = { org_id: string; chain: string; address: string; block_hash: string }

/**
 * Whether a source that does not show what contracts move confirms it all the same: at the end of the block the address has more by exactly the reported
 * receipts, less what it sent and what that cost. Throws ChainError if the source does not know the balances.
 */
export async function isShownByBalance(db: Database, source: ChainNode, { org_id, chain, address, block_hash }: MovedInside, block: Block): Promise<boolean> {
  const coin = { chain, contract: null }
  const { came, sent } = await db.asOrganisation(org_id, async (tx) => ({
    came: await tx
      .selectFrom('deposit')
      .select((of) => of.fn.sum<bigint>('amount').as('amount'))
      .where('org_id', '=', tx.orgId)
      .where('chain', '=', chain)
      .where('address', '=', address)
      .where('block_hash', '=', block_hash)
      .where('contract', '=', '')
      .executeTakeFirstOrThrow(),
    sent: await tx
      .selectFrom('transfer_order')
      .select('txid')
      .where('org_id', '=', tx.orgId)
      .where('chain', '=', chain)
      .where('address_from', '=', address)
      .where('block_hash', '=', block_hash)
      .where('replaces', 'is', null)
      .execute(),
  }))
  let spent = block.transfers.reduce(
    (sum, { asset, from, to, amount }) => (asset.contract === null && from === address && to !== from ? sum + amount : sum),
    0n,
  )
  for (const { txid } of sent) {
    const state = txid === null ? undefined : await source.transaction(txid)
    if (state?.state === 'included') spent += state.fee
  }
  const [now, before] = [await source.balance(address, coin, block.height), await source.balance(address, coin, block.height - 1n)]
  return now - before + spent >= BigInt(came.amount ?? 0n)
}
