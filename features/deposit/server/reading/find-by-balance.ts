import type { OrganisationTx } from '@holdfast/db'
import { type Network, ownCoin } from '@holdfast/features/network/server'
import { newId } from '@holdfast/units'
import { type Cursor, readCursor, type ScanNeeds } from './advance.ts'
import { creditDeposits } from '../crediting/credit-deposits.ts'

/** Coin that an address has at a final block by the word of the sources, and that no transaction brought. */
export type FoundCoin = { orgId: string; subWalletId: string; address: string; amount: bigint; at: { height: bigint; hash: string } }

/**
 * Whether a contract may have moved coin that no transaction brought: a source that was read could not show that for some block.
 */
export async function hasUnseenBlocks({ db }: Pick<ScanNeeds, 'db'>, chain: string): Promise<boolean> {
  const cursor = await db.asSystem((tx) => tx.selectFrom('chain_cursor').select('unseen_height').where('chain', '=', chain).executeTakeFirst())
  return typeof cursor?.unseen_height === 'bigint'
}

/**
 * Credits coin that was found by balance, as a deposit without a transaction. `readAt` is the reader's block before the ledger was asked what it
 * expects: while it is still there, nothing that blocks above the compared one did can be in the ledger. False if it has gone on.
 */
export async function creditByBalance(needs: ScanNeeds, network: Network, found: FoundCoin, readAt: Cursor): Promise<boolean> {
  const now = await readCursor(needs, network.chain)
  if (now?.hash !== readAt.hash) return false
  return needs.db.asOrganisation(found.orgId, async (tx) => creditDeposits(tx, needs, network, [await insertFound(tx, needs, network, found)]))
}

async function insertFound(tx: OrganisationTx, { ports }: ScanNeeds, { chain, assets, finalityBlocks }: Network, found: FoundCoin): Promise<string> {
  const nowMs = ports.clock.nowMs()
  const id = newId(nowMs, ports.random)
  await tx
    .insertInto('deposit')
    .values({
      org_id: tx.orgId,
      id,
      chain,
      // The same block proves one difference of an address: a second one would be posted twice.
      txid: `balance:${found.address}`,
      tx_index: 0,
      block_hash: found.at.hash,
      height: found.at.height,
      sub_wallet_id: found.subWalletId,
      address: found.address,
      contract: '',
      symbol: ownCoin({ assets, chain }).symbol,
      amount: found.amount,
      from_address: '',
      memo: null,
      found_in: 'balance',
      state: 'confirmed',
      sub_status: null,
      confirmations: BigInt(finalityBlocks),
      credited_at: null,
      reversed_at: null,
      created_at: nowMs,
      updated_at: nowMs,
    })
    .execute()
  return id
}
