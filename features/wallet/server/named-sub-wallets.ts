import { type OrganisationTx, type Tx, writtenOnce } from '@holdfast/db'
import { sql } from 'kysely'

/** A sub-wallet by the names that people use. */
export type NamedSubWallet = { sub_wallet_id: string; wallet_id: string; wallet_name: string; sub_wallet_name: string }

/** The sub-wallets of the organisation by the names that people use: the alias where there is one, else the first name, of each and of its wallet. */
export const namedSubWallets = (tx: OrganisationTx) => namedSubWalletsOf(tx, tx.orgId)

/** The same for a question that is written once. */
export function namedSubWalletsOf(db: Pick<Tx, 'selectFrom'>, orgId: string) {
  return db
    .selectFrom('sub_wallet')
    .innerJoin('wallet', (join) => join.onRef('wallet.org_id', '=', 'sub_wallet.org_id').onRef('wallet.id', '=', 'sub_wallet.wallet_id'))
    .leftJoin('sub_wallet_alias', (join) =>
      join.onRef('sub_wallet_alias.org_id', '=', 'sub_wallet.org_id').onRef('sub_wallet_alias.sub_wallet_id', '=', 'sub_wallet.id'),
    )
    .where('sub_wallet.org_id', '=', orgId)
    .select(({ fn, ref, val }) => [
      'sub_wallet.id as sub_wallet_id',
      'sub_wallet.wallet_id',
      fn.coalesce('wallet.alias', 'wallet.name').as('wallet_name'),
      fn.coalesce(fn<string | null>('nullif', [ref('sub_wallet_alias.alias'), val('')]), 'sub_wallet.name').as('sub_wallet_name'),
    ])
}

// One text however many ids there are, so that the database knows it again.
const askNamed = writtenOnce((db, { orgId, ids }: { orgId: string; ids: readonly string[] }) =>
  namedSubWalletsOf(db, orgId).where(sql<boolean>`sub_wallet.id = any(${ids}::uuid[])`),
)

/** Some sub-wallets by the names that people use, by their ids. */
export async function readNamedSubWallets(tx: OrganisationTx, ids: readonly string[]): Promise<Map<string, NamedSubWallet>> {
  if (ids.length === 0) return new Map()
  const rows = await askNamed(tx, { orgId: tx.orgId, ids: [...new Set(ids)] })
  return new Map(rows.map((row) => [row.sub_wallet_id, row]))
}
