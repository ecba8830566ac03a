import { agreedAnswer, type FinalView, type Network, SourcesDisagreeError } from '@holdfast/features/network/server'
import type { Schema } from '@holdfast/db'
import type { Selectable } from 'kysely'
import { keepBlock, type ScanNeeds } from './advance.ts'
import { amend, agreedBlock } from './compare-blocks.ts'
import { readApart, type Watch } from './read-apart.ts'

/** Blocks read again at a time, so that the reading of new ones goes on beside. */
const BLOCKS_AT_ONCE = 50n

/**
 * Reads blocks again that somebody asked for. Payments that had not been written are written, and posted with everything else that is final. Throws
 * SourcesDisagreeError.
 */
export async function readAgain(needs: ScanNeeds, network: Network, final: FinalView, watch: Watch): Promise<void> {
  const open = await needs.db.readSystem((tx) =>
    tx.selectFrom('block_reading').selectAll().where('chain', '=', network.chain).where('done_at', 'is', null).execute(),
  )
  for (const row of open) await readApart(watch, { id: row.id, name: network.name }, () => readPart(needs, network, final, row))
}

async function readPart(needs: ScanNeeds, network: Network, final: FinalView, row: Selectable<Schema['block_reading']>): Promise<void> {
  const { org_id: orgId, id, from_height, to_height, read_height } = row
  const from = read_height === null ? from_height : read_height + 1n
  const last = [to_height, final.height, from + BLOCKS_AT_ONCE - 1n].reduce((least, each) => (each < least ? each : least))
  let found = 0
  for (let height = from; height <= last; height++) found += await readBlockAgain(needs, network, final, orgId, height)
  if (last < from) return
  await needs.db.asSystem((tx) =>
    tx
      .updateTable('block_reading')
      .set((each) => ({ read_height: last, found: each('found', '+', found), ...(last >= to_height && { done_at: needs.ports.clock.nowMs() }) }))
      .where('org_id', '=', orgId)
      .where('id', '=', id)
      .execute(),
  )
}

/** How many payments to an organisation were found that had not been written. */
async function readBlockAgain(needs: ScanNeeds, network: Network, final: FinalView, orgId: string, height: bigint): Promise<number> {
  const read = await network.node.readBlock(height)
  if (!read) throw new SourcesDisagreeError(`${network.name}: the source that blocks are read from has no block ${height}, which is final`)
  const agreed = await agreedAnswer(final, `block ${height}`, (source) => source.blockHash(height))
  if (agreed !== read.hash) throw new SourcesDisagreeError(`block ${height}: ${read.hash} was read, and the sources have ${agreed}`)
  const block = final.sources.length > 1 ? await agreedBlock(needs, network, final, read) : read
  return needs.db.asSystem(async (tx) => {
    // It is final and the sources agree on it, so it is a block of ours again, and its deposits are credited like any others.
    await keepBlock(tx, network, block)
    const missing = await amend(tx, needs, network, block)
    return missing.filter((each) => each.orgId === orgId).length
  })
}
