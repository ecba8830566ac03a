import type { OrganisationTx } from '@holdfast/db'
import { signsOn, type WalletKeyRow } from '@holdfast/features/key/server'

/** How many orders that this key would sign for have not ended yet. */
export async function unfinishedPayments(tx: OrganisationTx, key: Pick<WalletKeyRow, 'walletId' | 'protocol' | 'walletProtocols'>): Promise<number> {
  const rows = await tx
    .selectFrom('transfer_order')
    .select(['chain', (row) => row.fn.countAll<bigint>().as('count')])
    .where('org_id', '=', tx.orgId)
    .where('wallet_id', '=', key.walletId)
    .where('is_final', '=', false)
    .groupBy('chain')
    .execute()
  return rows.filter(({ chain }) => signsOn(key, chain)).reduce((sum, { count }) => sum + Number(count), 0)
}
