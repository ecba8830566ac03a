import type { OrganisationTx } from '@holdfast/db'
import type { SubWalletId } from '@holdfast/units'
import type { LedgerAsset } from './account.ts'
import { postAll, type Posted } from './post.ts'

/** What arrived for a sub-wallet. `reference` names it: it is posted once. `fromOwn`: it comes from an address of the organisation itself. `address`: the one that has it. */
export type Credit = {
  id: string
  reference: string
  nowMs: number
  subWalletId: SubWalletId
  asset: LedgerAsset
  amount: bigint
  fromOwn?: boolean
  address?: string
}

/** Credits what arrived from outside as available, once for each reference. Throws LedgerConflictError if one of several was posted before. */
export async function credit(tx: OrganisationTx, credits: readonly Credit[]): Promise<Posted[]> {
  return postAll(
    tx,
    credits.map(({ id, reference, nowMs, subWalletId, asset, amount, fromOwn = false, address }) => ({
      id,
      kind: 'credit',
      reference,
      nowMs,
      fromOwn,
      address,
      entries: [
        { account: { kind: 'external', asset }, amount: -amount },
        { account: { kind: 'available', subWalletId, asset }, amount },
      ],
    })),
  )
}
