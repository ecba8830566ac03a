import type { OrganisationTx } from '@holdfast/db'
import type { SubWalletId } from '@holdfast/units'
import type { LedgerAsset } from './account.ts'
import { post, type Posted } from './post.ts'

/** Books what arrived from outside as available, once for each reference. */
export async function credit(
  tx: OrganisationTx,
  order: { id: string; reference: string; nowMs: number; subWalletId: SubWalletId; asset: LedgerAsset; amount: bigint },
): Promise<Posted> {
  const { id, reference, nowMs, subWalletId, asset, amount } = order
  return post(tx, {
    id,
    kind: 'credit',
    reference,
    nowMs,
    entries: [
      { account: { kind: 'external', asset }, amount: -amount },
      { account: { kind: 'available', subWalletId, asset }, amount },
    ],
  })
}
