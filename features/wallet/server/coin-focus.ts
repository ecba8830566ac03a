import { AppError } from '@holdfast/contract'
import { type OrganisationTx, writtenOnce } from '@holdfast/db'
import { networkErrors } from '@holdfast/features/network/errors'
import type { Networks } from '@holdfast/features/network/server'
import { sql } from 'kysely'
import { requireSubWallet } from './list-sub-wallets.ts'
import { assetOf } from './read-holdings.ts'

/** The most coins that can be marked in a sub-wallet: a list of everything is no favourite. */
export const FOCUS_LIMIT = 50

type Who = { personId: string; subWalletId: string }

/** The coins a person marked, each as `chain|contract`. */
async function focusedCoins(tx: OrganisationTx, personId: string, subWalletId: string): Promise<Set<string>> {
  return new Set((await rowsOf(tx, { personId, subWalletId })).map(({ chain, contract }) => `${chain}|${contract}`))
}

export async function listFocusCoins(tx: OrganisationTx, networks: Networks, who: Who) {
  await requireSubWallet(tx, who.subWalletId)
  return (await rowsOf(tx, who)).flatMap(({ chain, contract }) => {
    const asset = assetOf(networks, chain, contract)
    return asset ? [{ chain, symbol: asset.symbol }] : []
  })
}

export async function focusLimit(tx: OrganisationTx, who: Who): Promise<{ limit: number; used: number }> {
  await requireSubWallet(tx, who.subWalletId)
  return { limit: FOCUS_LIMIT, used: (await rowsOf(tx, who)).length }
}

/** Marks a coin or removes the mark; a repeated call changes nothing. Throws `invalid_parameters` if the limit is reached. */
export async function focusSymbol(
  tx: OrganisationTx,
  networks: Networks,
  asked: Who & { chain: string; symbol: string; focus: boolean; nowMs: number },
): Promise<{ focus: boolean }> {
  const { personId, subWalletId, chain, symbol, focus, nowMs } = asked
  await requireSubWallet(tx, subWalletId)
  const asset = networks.asset(chain, symbol)
  if (!asset) throw new AppError(networkErrors.unsupported_coin)
  const marked = await focusedCoins(tx, personId, subWalletId)
  if (focus && !marked.has(`${chain}|${asset.contract ?? ''}`) && marked.size >= FOCUS_LIMIT) {
    throw new AppError('invalid_parameters', { details: { field: 'focus', reason: `at most ${FOCUS_LIMIT} coins can be marked` } })
  }
  await tx
    .insertInto('coin_focus')
    .values({ org_id: tx.orgId, person_id: personId, sub_wallet_id: subWalletId, chain, contract: asset.contract ?? '', focused: focus, updated_at: nowMs })
    .onConflict((conflict) =>
      conflict.columns(['org_id', 'person_id', 'sub_wallet_id', 'chain', 'contract']).doUpdateSet({ focused: focus, updated_at: nowMs }),
    )
    .execute()
  return { focus }
}

const rowsOf = (tx: OrganisationTx, { personId, subWalletId }: Who) => askFocused(tx, { orgId: tx.orgId, personId, subWalletId })

/** The coins that a person marked, for a longer question. */
export const selectFocused = (orgId: string, { personId, subWalletId }: { personId: string | null; subWalletId: string }) =>
  sql<{ chain: string; contract: string }>`select chain, contract from coin_focus
    where org_id = ${orgId} and person_id = ${personId}::uuid and sub_wallet_id = ${subWalletId} and focused`

const askFocused = writtenOnce(
  (_, { orgId, personId, subWalletId }: Who & { orgId: string }) =>
    sql<{ chain: string; contract: string }>`${selectFocused(orgId, { personId, subWalletId })} order by updated_at`,
)
