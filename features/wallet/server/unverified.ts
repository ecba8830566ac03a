import type { OrganisationTx } from '@holdfast/db'
import { contractFields, type Networks } from '@holdfast/features/network/server'
import { known } from '@holdfast/units'
import { sql } from 'kysely'
import { requireSubWallet } from './list-sub-wallets.ts'

/** Nobody reads more than these; a flood of tokens fills no page. */
const SHOWN_MAX = 200

/**
 * Tokens that arrived and that no network here lists, each once, the newest first. Neither their names nor their amounts are shown: both are
 * the token's own claim, and a name is how such a token leads people to a false page.
 */
export async function listUnverified(tx: OrganisationTx, networks: Networks, subWalletId: string) {
  await requireSubWallet(tx, subWalletId)
  const { rows } = await sql<{ chain: string; contract: string; arrivals: bigint; last_in: bigint; last_from: string }>`
    select chain, contract, count(*) as arrivals, max(arrived_at) as last_in, (array_agg(from_address order by arrived_at desc))[1] as last_from
    from unverified_arrival where org_id = ${tx.orgId} and sub_wallet_id = ${subWalletId}
    group by chain, contract order by last_in desc limit ${SHOWN_MAX}`.execute(tx)
  return rows
    .filter((row) => !isKnown(networks, row))
    .map(({ chain, contract, arrivals, last_in, last_from }) => ({
      chain,
      network: networks.find(chain)?.name ?? chain,
      contract_address: known(contractFields(contract).contract_address, 'the contract of a token that arrived'),
      arrivals: Number(arrivals),
      last_in_at: Number(last_in),
      last_from,
    }))
}

/** How many there are, for a longer question. */
export const selectUnverifiedCount = (orgId: string, subWalletId: string) =>
  sql<{ count: bigint }>`select count(distinct (chain, contract)) as count from unverified_arrival where org_id = ${orgId} and sub_wallet_id = ${subWalletId}`

/** A network may have listed it since it arrived. */
function isKnown(networks: Networks, { chain, contract }: { chain: string; contract: string }): boolean {
  const network = networks.find(chain)
  return [...(network?.assets ?? []), ...(network?.collections ?? [])].some((asset) => asset.contract === contract)
}
