import { ChainError } from '@holdfast/chain-core'
import type { ServerContext } from '@holdfast/features/context'
import { agreedAnswer, haltsAll, type Network, SourcesSilentError } from '@holdfast/features/network/server'
import { reopenTransfers } from '@holdfast/features/transfer/server'
import { forgetInscriptions } from '@holdfast/features/utxo/server'
import { sql } from 'kysely'
import { BLOCKS_KEPT, type Cursor, type ScanNeeds } from './advance.ts'
import { reverseAllowanceSpends } from './allowance-spends.ts'
import { reverseDeposits } from '../crediting/reverse-deposits.ts'
import { reopenPending } from './settle-pending.ts'

/** Reading a chain cannot go on without a person. The message says what to do. */
export class ScanHaltedError extends Error {
  override name = 'ScanHaltedError'
}

/**
 * Goes back to the last block that we and the chain have in common. Final blocks are given up if two sources have replaced them; by the word of
 * one of several it throws SourcesDisagreeError or SourcesSilentError. Whatever was posted for the blocks above is reversed first,
 * and only then are they deleted: a server that dies in between finds the same disagreement again and goes on.
 */
export async function rewind(needs: ScanNeeds, network: Network, cursor: Cursor, report: (cause: unknown) => void = () => {}): Promise<Cursor> {
  const { chain } = network
  const ancestor = await commonAncestor(needs, network, cursor)
  if (ancestor.height < cursor.height - BigInt(network.finalityBlocks)) await assertReplaced(network, ancestor.height + 1n)
  await reopenTransfers(needs, chain, ancestor.height, report)
  await reverseAllowanceSpends(needs, chain, ancestor.height)
  await reverseDeposits(needs, chain, ancestor.height)
  await needs.db.asSystem(async (tx) => {
    const present = await tx.selectFrom('chain_cursor').select(['height', 'hash']).where('chain', '=', chain).forUpdate().executeTakeFirst()
    if (present?.height !== cursor.height || present.hash !== cursor.hash) return
    await tx.deleteFrom('chain_charge').where('chain', '=', chain).where('height', '>', ancestor.height).where('booked_at', 'is', null).execute()
    await tx.deleteFrom('unverified_arrival').where('chain', '=', chain).where('height', '>', ancestor.height).execute()
    await forgetInscriptions(tx, chain, ancestor.height)
    await reopenPending(tx, needs, chain, ancestor.height)
    await tx.deleteFrom('chain_block').where('chain', '=', chain).where('height', '>', ancestor.height).execute()
    await tx
      .updateTable('chain_cursor')
      .set({ ...ancestor, booked_height: sql<bigint>`least(booked_height, ${ancestor.height}::int8)`, updated_at: needs.ports.clock.nowMs() })
      .where('chain', '=', chain)
      .execute()
  })
  return ancestor
}

/** Final deposits were credited by the word of two sources, and one of them does not take that back. */
async function assertReplaced({ name, node, witnesses = [] }: Network, height: bigint): Promise<void> {
  if (witnesses.length === 0) return
  try {
    await agreedAnswer({ height, sources: [node, ...witnesses] }, `${name}, block ${height}, which was final`, (source) => source.blockHash(height))
  } catch (cause) {
    if (!(cause instanceof ChainError) || haltsAll(cause)) throw cause
    throw new SourcesSilentError(`${name}: no second source says that block ${height}, which was final, is replaced`, { cause })
  }
}

async function commonAncestor({ db }: Pick<ServerContext, 'db'>, { chain, name, node }: Network, cursor: Cursor): Promise<Cursor> {
  for (let height = cursor.height - 1n; height >= 0n; height--) {
    const ours = await db.asSystem((tx) =>
      tx.selectFrom('chain_block').select('hash').where('chain', '=', chain).where('height', '=', height).executeTakeFirst(),
    )
    if (!ours) break
    const theirs = await node.readBlock(height)
    if (theirs?.hash === ours.hash) return { height, hash: ours.hash }
  }
  throw new ScanHaltedError(
    `${name} and this server have no block in common among the last ${BLOCKS_KEPT}: the node serves another chain, or the chain was replaced. Nothing is booked until somebody has looked.`,
  )
}
