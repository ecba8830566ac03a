import type { OrganisationTx } from '@holdfast/db'
import type { SubWalletId } from '@holdfast/units'
import type { LedgerAsset } from './account.ts'
import { postAll, type Posted } from './post.ts'

/** What arrived from outside for a sub-wallet. `reference` names it: it is posted once. */
export type Credit = { id: string; reference: string; nowMs: number; subWalletId: SubWalletId; asset: LedgerAsset; amount: bigint }

/** Credits what arrived from outside as available, once for each reference. Throws LedgerConflictError if one of several was posted before. */
export async function credit(tx: OrganisationTx, credits: readonly Credit[]): Promise<Posted[]> {
  return postAll(
    tx,
    credits.map(({ id, reference, nowMs, subWalletId, asset, amount }) => ({
      id,
      kind: 'credit',
      reference,
      nowMs,
      entries: [
        { account: { kind: 'external', asset }, amount: -amount },
        { account: { kind: 'available', subWalletId, asset }, amount },
      ],
    })),
  )
}
