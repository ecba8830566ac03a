import type { OrganisationTx } from '@holdfast/db'
import { watchedAddresses } from '@holdfast/features/tron-tools/server'
import type { Story } from '../story.ts'
import { toldRecords } from './told-records.ts'

/**
 * That a watched address has less than a threshold of it, and of what; and once that was told, that it is over: it has more again, or is watched no more. Like
 * a deposit it keeps no history here. Undefined where there was nothing to tell.
 */
export async function resourceStory(tx: OrganisationTx, targetId: string): Promise<Story | undefined> {
  const [target] = await watchedAddresses(tx, { id: targetId })
  if (!target) return undefined
  const { id, chain, address, walletId, subWalletId, low, lowSinceMs, changedMs } = target
  const isLow = low.length > 0
  if (!isLow && !(await toldRecords(tx, [id])).has(id)) return undefined
  const status = isLow ? 1 : 0
  const step = {
    sourceSeq: 0n,
    // Something else that runs out is news.
    marker: isLow ? `low/${low.join()}` : 'over',
    event: isLow ? 'resource.low' : 'resource.over',
    status,
    atMs: changedMs,
    fields: {
      ...{ id, request_id: null, wallet_id: walletId, sub_wallet_id: subWalletId, status, chain, address },
      ...{ low, low_since: lowSinceMs, updated_at: changedMs },
    },
  }
  return { side: 'energy', recordId: id, walletId, requestId: null, steps: [step], progress: null }
}
