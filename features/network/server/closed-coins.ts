import type { OrganisationTx } from '@holdfast/db'

/** The coins that a wallet does not offer, each as `chain|contract`. All others of the installation it does. */
export async function closedCoins(tx: OrganisationTx, walletId: string): Promise<Set<string>> {
  const rows = await tx
    .selectFrom('wallet_coin')
    .select(['chain', 'contract'])
    .where('org_id', '=', tx.orgId)
    .where('wallet_id', '=', walletId)
    .where('is_open', '=', false)
    .execute()
  return new Set(rows.map(({ chain, contract }) => `${chain}|${contract}`))
}
