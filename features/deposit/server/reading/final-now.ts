import { type FinalView, finalView, type Network } from '@holdfast/features/network/server'
import type { Cursor, ScanNeeds } from './advance.ts'

/** The final height for a reader at the cursor; undefined if the chain is too short. Throws SourcesDisagreeError and SourcesSilentError. */
export async function finalAt(needs: Pick<ScanNeeds, 'db'>, network: Network, { height }: Cursor): Promise<FinalView | undefined> {
  const finalHeight = height - BigInt(network.finalityBlocks)
  const read = finalHeight < 0n ? undefined : await hashAt(needs, network.chain, finalHeight)
  // Before the first block that was read nothing is posted, so nothing can be final there.
  return read === undefined ? undefined : finalView(network, finalHeight, read)
}

/** The hash of the block that was read at a height, while it is kept. */
export async function hashAt({ db }: Pick<ScanNeeds, 'db'>, chain: string, height: bigint): Promise<string | undefined> {
  return (await db.readSystem((tx) => tx.selectFrom('chain_block').select('hash').where('chain', '=', chain).where('height', '=', height).executeTakeFirst()))
    ?.hash
}
