import { type OrganisationTx, writtenOnce } from '@holdfast/db'
import type { SubWalletId } from '@holdfast/units'
import { sql } from 'kysely'
import type { LedgerAsset } from './account.ts'

export type Balance = { asset: LedgerAsset; available: bigint; held: bigint; staked: bigint }

type Owner = { orgId: string; subWalletId: string }
type AccountRow = { kind: 'available' | 'held' | 'staked'; chain: string; contract: string; balance: bigint | null }

/** The accounts of a sub-wallet, for a longer question. */
export const selectBalances = ({ orgId, subWalletId }: Owner) =>
  sql<AccountRow>`select kind, chain, contract, balance from ledger_account where org_id = ${orgId} and sub_wallet_id = ${subWalletId}`

const askAccounts = writtenOnce((_, owner: Owner) => sql<AccountRow>`${selectBalances(owner)} order by chain, contract`)

/** What a sub-wallet has of each asset it ever had, in base units, ordered by chain and contract. */
export async function balances(tx: OrganisationTx, subWalletId: SubWalletId): Promise<Balance[]> {
  const rows = await askAccounts(tx, { orgId: tx.orgId, subWalletId })
  const byAsset = new Map<string, Balance>()
  for (const { kind, chain, contract, balance } of rows) {
    const key = `${chain} ${contract}`
    const of = byAsset.get(key) ?? { asset: { chain, contract: contract === '' ? null : contract }, available: 0n, held: 0n, staked: 0n }
    of[kind] = balance ?? 0n
    byAsset.set(key, of)
  }
  return [...byAsset.values()]
}
