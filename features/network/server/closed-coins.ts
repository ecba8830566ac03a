import { type OrganisationTx, writtenOnce } from '@holdfast/db'

const askClosed = writtenOnce((db, { orgId, walletId }: { orgId: string; walletId: string }) =>
  db.selectFrom('wallet_coin').select(['chain', 'contract']).where('org_id', '=', orgId).where('wallet_id', '=', walletId).where('is_open', '=', false),
)

/** The coins that a wallet does not offer, each as `chain|contract`. All others of the installation it does. */
export async function closedCoins(tx: OrganisationTx, walletId: string): Promise<Set<string>> {
  const rows = await askClosed(tx, { orgId: tx.orgId, walletId })
  return new Set(rows.map(({ chain, contract }) => `${chain}|${contract}`))
}
