import { AppError, looksLikeName } from '@holdfast/contract'
import { lockNames, type OrganisationTx } from '@holdfast/db'

type Named = { id: string; name: string; alias: string | null }

/** A thing may look like itself: a name that differs from its own by a capital letter misleads nobody. */
function refuseTaken(name: string, named: readonly Named[], own: string | undefined): void {
  const others = named.filter(({ id }) => id !== own).flatMap((each) => [each.name, each.alias ?? ''])
  const other = others.find((each) => each !== '' && looksLikeName(each, name))
  if (other !== undefined) throw new AppError('name_taken', { details: { name: other } })
}

/** Throws AppError `name_taken` if another wallet has this name or alias, or a similar one. Nobody else names a wallet until the transaction ends. */
export async function refuseNameOfWallet(tx: OrganisationTx, name: string, own?: string): Promise<void> {
  await lockNames(tx, 'wallet')
  refuseTaken(name, await tx.selectFrom('wallet').select(['id', 'name', 'alias']).where('org_id', '=', tx.orgId).where('state', '!=', 'failed').execute(), own)
}

/** The same for a sub-wallet, among those of its wallet, whose row keeps others waiting. */
export async function refuseNameOfSubWallet(tx: OrganisationTx, walletId: string, name: string, own?: string): Promise<void> {
  await tx.selectFrom('wallet').select('id').where('org_id', '=', tx.orgId).where('id', '=', walletId).forNoKeyUpdate().execute()
  const named = await tx
    .selectFrom('sub_wallet')
    .leftJoin('sub_wallet_alias', (join) =>
      join.onRef('sub_wallet_alias.org_id', '=', 'sub_wallet.org_id').onRef('sub_wallet_alias.sub_wallet_id', '=', 'sub_wallet.id'),
    )
    .select(['sub_wallet.id', 'sub_wallet.name', 'sub_wallet_alias.alias'])
    .where('sub_wallet.org_id', '=', tx.orgId)
    .where('sub_wallet.wallet_id', '=', walletId)
    .execute()
  refuseTaken(name, named, own)
}
