import { type OrganisationTx, patternOf } from '@holdfast/db'
import { sql } from 'kysely'
import { type NamedSubWallet, namedSubWallets } from './named-sub-wallets.ts'

/** Among so many sub-wallets a name is looked for, the newest first. */
const NEWEST_SUB_WALLETS = 10_000

export type FoundWallet = Pick<NamedSubWallet, 'wallet_id' | 'wallet_name'> & { sub_wallet: { id: string; name: string } | null }

/** Wallets and sub-wallets that are called by a word, as people call them: by their alias where they have one. */
export async function searchWallets(tx: OrganisationTx, word: string, most: number): Promise<FoundWallet[]> {
  const pattern = patternOf(word)
  const wallets = await tx
    .selectFrom('wallet')
    .select(({ fn, val }) => ['id as wallet_id', fn.coalesce('alias', 'name').as('wallet_name'), val(null).as('sub_wallet')])
    .where('org_id', '=', tx.orgId)
    .where(sql<boolean>`lower(concat_ws(' ', name, alias)) like lower(${pattern})`)
    .orderBy('created_at')
    .limit(most)
    .execute()
  const subWallets = await namedSubWallets(tx)
    .where('sub_wallet.id', 'in', (query) =>
      query.selectFrom('sub_wallet').select('id').where('org_id', '=', tx.orgId).orderBy('id', 'desc').limit(NEWEST_SUB_WALLETS),
    )
    .where('sub_wallet.hidden', '=', false)
    .where(sql<boolean>`lower(concat_ws(' ', sub_wallet.name, sub_wallet_alias.alias)) like lower(${pattern})`)
    .orderBy('wallet.created_at')
    .orderBy('sub_wallet.number')
    .limit(most)
    .execute()
  return [...wallets, ...subWallets.map(asFound)]
}

/** A sub-wallet as something that was found. */
export const asFound = ({ wallet_id, wallet_name, sub_wallet_id: id, sub_wallet_name: name }: NamedSubWallet): FoundWallet => ({
  wallet_id,
  wallet_name,
  sub_wallet: { id, name },
})
