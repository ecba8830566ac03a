import { ChainError } from '@holdfast/chain-core'
import type { ServerContext } from '@holdfast/features/context'
import { agreedAnswer, haltsAll, type Network, SourcesSilentError } from '@holdfast/features/network/server'
import { reopenTransfers } from '@holdfast/features/transfer/server'
import { forgetInscriptions } from '@holdfast/features/utxo/server'
import { known } from '@holdfast/units'
import { sql } from 'kysely'
import { BLOCKS_KEPT, type Cursor, type KeptCursor, readCursor, type ScanNeeds } from './advance.ts'
import { reverseAllowanceSpends } from './allowance-spends.ts'
import { hashAt } from './final-now.ts'
import { reverseDeposits } from '../crediting/reverse-deposits.ts'
import { reopenPending } from './settle-pending.ts'

type Report = (cause: unknown) => void

/** Reading a chain cannot go on without a person. The message says what to do. */
export class ScanHaltedError extends Error {
  override name = 'ScanHaltedError'
}

/**
 * Goes back to the last block that we and the chain have in common. Final blocks are given up if two sources have replaced them; by the word of
 * one of several it throws SourcesDisagreeError or SourcesSilentError. What is given up is written down first: a server that dies on the way goes on there.
 */
export async function rewind(needs: ScanNeeds, network: Network, cursor: Cursor, report: Report = () => {}): Promise<Cursor> {
  const { chain } = network
  const ancestor = await commonAncestor(needs, network, cursor)
  if (ancestor.height < cursor.height - BigInt(network.finalityBlocks)) await assertReplaced(network, ancestor.height + 1n)
  const isOurs = await needs.db.asSystem(async (tx) => {
    const begun = tx.updateTable('chain_cursor').set({ rewinding_to: ancestor.height }).where('chain', '=', chain)
    return (await begun.where('height', '=', cursor.height).where('hash', '=', cursor.hash).executeTakeFirst()).numUpdatedRows > 0n
  })
  return isOurs ? giveUp(needs, chain, cursor, ancestor, report) : known(await readCursor(needs, chain), `where ${chain} is read`)
}

/**
 * Ends a rewind that a server began and did not end, although the chain may have the blocks again: some of their effects are taken back already. The cursor
 * itself if there is none.
 */
export async function goOnRewinding(needs: ScanNeeds, chain: string, cursor: KeptCursor, report: Report): Promise<Cursor> {
  const height = cursor.rewinding_to
  if (height === null) return cursor
  const hash = known(await hashAt(needs, chain, height), `block ${height} of ${chain}, down to which blocks are given up`)
  return giveUp(needs, chain, cursor, { height, hash }, report)
}

/** Takes back whatever was posted for the blocks above, and only then deletes them. */
async function giveUp(needs: ScanNeeds, chain: string, cursor: Cursor, ancestor: Cursor, report: Report): Promise<Cursor> {
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
      .set({
        ...{ ...ancestor, rewinding_to: null, updated_at: needs.ports.clock.nowMs() },
        booked_height: sql<bigint>`least(booked_height, ${ancestor.height}::int8)`,
      })
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
