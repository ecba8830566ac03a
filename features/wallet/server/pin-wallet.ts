import type { OrganisationTx } from '@holdfast/db'
import { requireSubWallet, requireWallet } from './list-sub-wallets.ts'

/** Pins a wallet or a sub-wallet at the top of the lists of one person, or unpins it. */
export async function pinWallet(
  tx: OrganisationTx,
  asked: { personId: string; walletId: string; subWalletId: string | undefined; pinned: boolean; nowMs: number },
): Promise<void> {
  const { personId, walletId, subWalletId, pinned, nowMs } = asked
  const values = { org_id: tx.orgId, person_id: personId, pinned, updated_at: nowMs }
  const change = { pinned, updated_at: nowMs }
  if (subWalletId === undefined) {
    await requireWallet(tx, walletId)
    await tx
      .insertInto('wallet_pin')
      .values({ ...values, wallet_id: walletId })
      .onConflict((conflict) => conflict.columns(['org_id', 'person_id', 'wallet_id']).doUpdateSet(change))
      .execute()
    return
  }
  await requireSubWallet(tx, subWalletId, walletId)
  await tx
    .insertInto('sub_wallet_pin')
    .values({ ...values, sub_wallet_id: subWalletId })
    .onConflict((conflict) => conflict.columns(['org_id', 'person_id', 'sub_wallet_id']).doUpdateSet(change))
    .execute()
}
