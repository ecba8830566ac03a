import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { collectingNeeds } from '@holdfast/features/co-signer/server'
import type { Story } from '../story.ts'
import { toldRecords } from './told-records.ts'

const IN_ORDER = 'in_order'

/**
 * What the collection of each wallet needs of somebody, and that one of which something was told before needs nothing any more. Its record is the standing
 * order under which it runs, since that of a wallet is its key. Like a deposit it keeps no history here: what is to be done now is its story.
 */
export async function collectingStories(tx: OrganisationTx, needs: Pick<ServerContext, 'ports' | 'settings'>): Promise<Story[]> {
  const collecting = await collectingNeeds(tx, needs)
  const told = await toldRecords(
    tx,
    collecting.map((each) => each.standingOrderId),
  )
  const nowMs = needs.ports.clock.nowMs()
  return collecting
    .filter((each) => each.needs.length > 0 || told.has(each.standingOrderId))
    .map(({ standingOrderId: id, walletId, needs: wanted }): Story => {
      const isInOrder = wanted.length === 0
      const status = isInOrder ? 0 : 1
      const step = {
        sourceSeq: 0n,
        marker: isInOrder ? IN_ORDER : wanted.join(' '),
        event: isInOrder ? `collection.${IN_ORDER}` : 'collection.needs_attention',
        status,
        atMs: nowMs,
        fields: { id, request_id: null, wallet_id: walletId, status, needs: wanted },
      }
      return { side: 'collect', recordId: id, walletId, requestId: null, steps: [step], progress: null }
    })
}
