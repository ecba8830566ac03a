import type { OrganisationTx } from '@holdfast/db'
import type { NetworkAsset, Networks } from '@holdfast/features/network/server'
import { walletSums } from '@holdfast/ledger'
import { type RawBuilder, sql } from 'kysely'

/** A holding of a coin, in base units: available, held for orders and staked together. */
export type Holding = { asset: NetworkAsset; amount: bigint }
export type HoldingsBy = Map<string, Holding[]>

/** The holdings of each wallet of the organisation, by wallet id. Leaves out coins of networks that are not configured any more. */
export async function holdingsByWallet(tx: OrganisationTx, networks: Networks): Promise<HoldingsBy> {
  const sums = await walletSums(tx)
  const rows = sums.map(({ walletId, ...held }) => ({ owner: walletId, ...held }))
  return groupSums(rows, networks)
}

/** The holdings of sub-wallets, by their ids. */
export async function holdingsBySubWallet(tx: OrganisationTx, networks: Networks, ids: readonly string[]): Promise<HoldingsBy> {
  if (ids.length === 0) return new Map()
  const rows = await tx
    .selectFrom('ledger_account')
    .select(['sub_wallet_id as owner', 'chain', 'contract', (row) => row.fn.sum<bigint>('balance').as('amount')])
    .where('org_id', '=', tx.orgId)
    .where('kind', 'in', ['available', 'held', 'staked'])
    .where(sql<boolean>`sub_wallet_id = any(${[...ids]}::uuid[])`)
    .groupBy(['sub_wallet_id', 'chain', 'contract'])
    .execute()
  return groupSums(rows, networks)
}

/** What `sumsOfRow` reads of each coin. */
export type RowSums = { chain: string; contract: string; amount: string }[] | null

/** What a sub-wallet holds of each coin, asked along with its row. */
export const sumsOfRow = (orgId: string, id: string): RawBuilder<RowSums> =>
  sql`(select json_agg(json_build_object('chain', chain, 'contract', contract, 'amount', amount::text)) from (
    select chain, contract, sum(balance) as amount from ledger_account
    where org_id = ${orgId} and sub_wallet_id = ${sql.ref(id)} and kind in ('available', 'held', 'staked') group by chain, contract) sums)`

/** How many tokens of each collection a wallet holds, in pieces, by the collection's name here; by its contract if it is not configured any more. */
export async function tokensOfWallet(tx: OrganisationTx, networks: Networks, walletId: string): Promise<{ name: string; chain: string; pieces: bigint }[]> {
  const { rows } = await sql<{ chain: string; collection: string; pieces: bigint }>`
    select account.chain, split_part(account.contract, '/', 1) as collection, sum(account.balance) as pieces
    from ledger_account as account join sub_wallet as sub on sub.org_id = account.org_id and sub.id = account.sub_wallet_id
    where account.org_id = ${tx.orgId} and sub.wallet_id = ${walletId} and account.contract like 'erc%/%' and account.balance > 0
    group by 1, 2 order by 1, 2`.execute(tx)
  const nameOf = (chain: string, collection: string) => networks.find(chain)?.collections?.find((each) => each.contract === collection)?.symbol ?? collection
  return rows.map(({ chain, collection, pieces }) => ({ name: nameOf(chain, collection), chain, pieces }))
}

/** The same coins of several owners added up, ordered as the networks name them. */
export function addUp(holdings: Iterable<readonly Holding[]>, networks: Networks): Holding[] {
  const sums = new Map<NetworkAsset, bigint>()
  for (const { asset, amount } of [...holdings].flat()) sums.set(asset, (sums.get(asset) ?? 0n) + amount)
  return networks
    .list()
    .flatMap((network) => [...network.assets, ...(network.added ?? [])])
    .flatMap((asset) => {
      const amount = sums.get(asset)
      return amount === undefined ? [] : [{ asset, amount }]
    })
}

/** The configured coin of a row, by its chain and contract. Tokens of collections are no coins: they are counted apart. */
export function assetOf(networks: Networks, chain: string, contract: string): NetworkAsset | undefined {
  return contract.includes(':') ? undefined : networks.byContract(chain, contract)
}

type Sum = { owner: string | null; chain: string; contract: string; amount: bigint | null }

/** Sums by their owner. Leaves out coins of networks that are not configured any more. */
export function groupSums(rows: readonly Sum[], networks: Networks): HoldingsBy {
  const found: HoldingsBy = new Map()
  for (const { owner, chain, contract, amount } of rows) {
    const asset = assetOf(networks, chain, contract)
    if (owner === null || !asset || !amount) continue
    found.set(owner, [...(found.get(owner) ?? []), { asset, amount }])
  }
  return found
}
