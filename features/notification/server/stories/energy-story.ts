import type { OrganisationTx } from '@holdfast/db'
import { codeOfReason, toldOfEnergy } from '@holdfast/features/tron-tools/server'
import type { Story } from '../story.ts'

/**
 * That a payment waits for energy, was stopped for the want of it, or that energy was paid for and did not come; and once that is over, that it went on. Like a
 * deposit it keeps no history here: what people were told last is its story. Undefined where there was nothing to tell.
 */
export async function energyStory(tx: OrganisationTx, supplyId: string): Promise<Story | undefined> {
  const [told] = await toldOfEnergy(tx, { id: supplyId })
  if (!told) return undefined
  const { supply, walletId, subWalletId, reason, atMs, needs } = told
  const event = needs ?? 'gone_on'
  const status = needs === null ? 0 : 1
  const step = {
    sourceSeq: 0n,
    // The same need for another reason is news.
    marker: needs === null ? event : `${event}/${reason}`,
    event: `energy.${event}`,
    status,
    atMs: needs === null ? Number(supply.updated_at) : atMs,
    fields: {
      ...{ id: supply.id, request_id: null, wallet_id: walletId, sub_wallet_id: subWalletId, status, sub_status: supply.state },
      ...{ reason, code: codeOfReason(reason), chain: supply.chain, address: supply.address },
      ...{ withdraw_id: supply.order_id, rent_withdraw_id: supply.rent_order_id, rent_base_units: supply.rent === null ? null : String(supply.rent) },
      ...{ created_at: Number(supply.created_at), updated_at: Number(supply.updated_at) },
    },
  }
  return { side: 'energy', recordId: supply.id, walletId, requestId: null, steps: [step], progress: null }
}
