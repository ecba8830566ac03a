import { type OrganisationTx, patternOf } from '@holdfast/db'
import { sql } from 'kysely'

/** Among so many sub-wallets a name is looked for, the newest first. */
const NEWEST_SUB_WALLETS = 10_000

export type FoundWallet = { walletId: string; walletName: string; subWallet: { id: string; name: string } | null }

/** Wallets and sub-wallets that are called by a word, as people call them: by their alias where they have one. */
export async function searchWallets(tx: OrganisationTx, word: string, most: number): Promise<FoundWallet[]> {
  const pattern = patternOf(word)
  const wallets = await sql<FoundWallet>`select id as "walletId", coalesce(alias, name) as "walletName", null as "subWallet" from wallet
    where org_id = ${tx.orgId} and lower(concat_ws(' ', name, alias)) like lower(${pattern}) order by created_at limit ${most}`.execute(tx)
  const subWallets = await sql<FoundWallet>`
    select w.id as "walletId", coalesce(w.alias, w.name) as "walletName", json_build_object('id', s.id, 'name', coalesce(nullif(a.alias, ''), s.name)) as "subWallet"
    from (select * from sub_wallet where org_id = ${tx.orgId} order by id desc limit ${NEWEST_SUB_WALLETS}) s
    join wallet w on w.org_id = s.org_id and w.id = s.wallet_id
    left join sub_wallet_alias a on a.org_id = s.org_id and a.sub_wallet_id = s.id
    where not s.hidden and lower(concat_ws(' ', s.name, a.alias)) like lower(${pattern}) order by w.created_at, s.number limit ${most}`.execute(tx)
  return [...wallets.rows, ...subWallets.rows]
}

/** What people call some sub-wallets and their wallets, by sub-wallet. */
export async function placesOf(tx: OrganisationTx, subWalletIds: readonly string[]): Promise<Map<string, FoundWallet>> {
  if (subWalletIds.length === 0) return new Map()
  const { rows } = await sql<FoundWallet & { id: string }>`
    select s.id, w.id as "walletId", coalesce(w.alias, w.name) as "walletName", json_build_object('id', s.id, 'name', coalesce(nullif(a.alias, ''), s.name)) as "subWallet"
    from sub_wallet s join wallet w on w.org_id = s.org_id and w.id = s.wallet_id
    left join sub_wallet_alias a on a.org_id = s.org_id and a.sub_wallet_id = s.id
    where s.org_id = ${tx.orgId} and s.id = any(${[...subWalletIds]}::uuid[])`.execute(tx)
  return new Map(rows.map(({ id, ...place }) => [id, place]))
}
