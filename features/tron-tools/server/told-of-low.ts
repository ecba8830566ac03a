import type { OrganisationTx } from '@holdfast/db'
import type { SubWalletId } from '@holdfast/units'
import type { SHORT_OF } from '../contract.ts'

/** What is below its threshold of a watched address, and since when; nothing of one that is not watched any more. */
export type WatchedAddress = {
  id: string
  chain: string
  address: string
  walletId: string
  subWalletId: SubWalletId
  low: (typeof SHORT_OF)[number][]
  lowSinceMs: number | null
  changedMs: number
}

/** The watched addresses of which something is below its threshold since a time, the newest first; or one (`id`), whatever there is of it. */
export async function watchedAddresses(tx: OrganisationTx, which: { lowSinceMs: number; most: number } | { id: string }): Promise<WatchedAddress[]> {
  const targets = tx
    .selectFrom('tron_target')
    .innerJoin('sub_wallet', (join) => join.onRef('sub_wallet.org_id', '=', 'tron_target.org_id').onRef('sub_wallet.id', '=', 'tron_target.sub_wallet_id'))
    .selectAll('tron_target')
    .select('sub_wallet.wallet_id')
    .where('tron_target.org_id', '=', tx.orgId)
  const rows =
    'id' in which
      ? await targets.where('tron_target.id', '=', which.id).execute()
      : await targets.where('low_since', '>=', BigInt(which.lowSinceMs)).orderBy('low_since', 'desc').limit(which.most).execute()
  return rows.map(({ id, chain, address, wallet_id: walletId, sub_wallet_id: subWalletId, low, low_since: since, updated_at: at }) => ({
    ...{ id, chain, address, walletId, subWalletId: subWalletId as SubWalletId, low: low ?? [] },
    ...{ lowSinceMs: since === null ? null : Number(since), changedMs: Number(at) },
  }))
}
