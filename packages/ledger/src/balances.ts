import { type OrganisationTx, writtenOnce } from '@holdfast/db'
import type { SubWalletId } from '@holdfast/units'
import { accountOfRow, type LedgerAsset } from './account.ts'

export type Balance = { asset: LedgerAsset; available: bigint; held: bigint; staked: bigint }

const askAccounts = writtenOnce((db, { orgId, subWalletId }: { orgId: string; subWalletId: string }) =>
  db.selectFrom('ledger_account').selectAll().where('org_id', '=', orgId).where('sub_wallet_id', '=', subWalletId).orderBy('chain').orderBy('contract'),
)

/** What a sub-wallet has of each asset it ever had, in base units, ordered by chain and contract. */
export async function balances(tx: OrganisationTx, subWalletId: SubWalletId): Promise<Balance[]> {
  const rows = await askAccounts(tx, { orgId: tx.orgId, subWalletId })
  const byAsset = new Map<string, Balance>()
  for (const row of rows) {
    const { kind, asset } = accountOfRow(row)
    const key = JSON.stringify([row.chain, row.contract])
    const balance = byAsset.get(key) ?? { asset, available: 0n, held: 0n, staked: 0n }
    if (kind !== 'external' && kind !== 'fee') balance[kind] = row.balance ?? 0n
    byAsset.set(key, balance)
  }
  return [...byAsset.values()]
}
