import type { OrganisationTx } from '@holdfast/db'
import type { SubWalletId } from '@holdfast/units'
import type { LedgerAsset } from './account.ts'
import { postAll, type Posted } from './post.ts'

/** What arrived from outside for a sub-wallet. `reference` names it: it is booked once. */
export type Credit = { id: string; reference: string; nowMs: number; subWalletId: SubWalletId; asset: LedgerAsset; amount: bigint }

/** Books what arrived from outside as available, once for each reference. Where one of several was booked before, throws LedgerConflictError. */
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
