import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { requireSubWallet } from './list-sub-wallets.ts'
import { refuseNameOfSubWallet, refuseNameOfWallet } from './refuse-name.ts'

/** Gives a wallet or a sub-wallet an alias; an empty one removes it. Its first name stays. Throws AppError `name_taken` if another name is similar. */
export async function updateAlias(
  tx: OrganisationTx,
  asked: { walletId: string; subWalletId: string | undefined; alias: string; nowMs: number },
): Promise<void> {
  const { walletId, subWalletId, alias, nowMs } = asked
  if (subWalletId !== undefined) {
    await requireSubWallet(tx, subWalletId, walletId)
    if (alias !== '') await refuseNameOfSubWallet(tx, walletId, alias, subWalletId)
    await tx
      .insertInto('sub_wallet_alias')
      .values({ org_id: tx.orgId, sub_wallet_id: subWalletId, alias, updated_at: nowMs })
      .onConflict((conflict) => conflict.columns(['org_id', 'sub_wallet_id']).doUpdateSet({ alias, updated_at: nowMs }))
      .execute()
    return
  }
  if (alias !== '') await refuseNameOfWallet(tx, alias, walletId)
  const changed = await tx
    .updateTable('wallet')
    .set({ alias: alias === '' ? null : alias, updated_at: nowMs })
    .where('org_id', '=', tx.orgId)
    .where('id', '=', walletId)
    .executeTakeFirst()
  if (changed.numUpdatedRows === 0n) throw new AppError('wallet_not_found')
}
