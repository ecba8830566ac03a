import { type OrganisationTx, writtenOnce } from '@holdfast/db'
import { type RawBuilder, sql } from 'kysely'

type Coin = { chain: string; contract: string }

/** The coins that a wallet does not offer, for a longer question. */
export const selectClosed = (orgId: string, walletId: string | RawBuilder<unknown>) =>
  sql<Coin>`select chain, contract from wallet_coin where org_id = ${orgId} and wallet_id = ${walletId} and not is_open`

const askClosed = writtenOnce((_, { orgId, walletId }: { orgId: string; walletId: string }) => selectClosed(orgId, walletId))

/** The coins that a wallet does not offer, each as `chain|contract`. All others of the installation it does. */
export async function closedCoins(tx: OrganisationTx, walletId: string): Promise<Set<string>> {
  const rows = await askClosed(tx, { orgId: tx.orgId, walletId })
  return new Set(rows.map(({ chain, contract }) => `${chain}|${contract}`))
}
