import { nftAsset, type NftStandard, readCollection, readNft } from '@holdfast/chain-core'
import { AppError, type InputOf } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { contractFields, type Network, type NetworkAsset, type Networks } from '@holdfast/features/network/server'
import { namedSubWallets, requireSubWallet } from '@holdfast/features/wallet/server'
import { assetName, at, known } from '@holdfast/units'
import { sql } from 'kysely'
import { networkErrors } from '@holdfast/features/network/errors'
import type { getNft as infoEndpoint, listNftTokens as tokensEndpoint } from '../contract.ts'

/** More collections that nobody knows are not told: whoever floods a wallet with them fills no page. */
const UNKNOWN_MAX = 200
const NAMES: Record<NftStandard, 'ERC-721' | 'ERC-1155'> = { erc721: 'ERC-721', erc1155: 'ERC-1155' }
/** Nothing is loaded that a token names: whoever serves it would learn who looks, and what it is could be anything. */
const NO_PICTURE = { image: null, image_type: null, is_video: false } as const

type Listed = { network: Network; collection: NetworkAsset }

/** The collections that count, with how many different tokens a sub-wallet holds of each; after them those that sent it something unasked. */
export async function listNftAssets(tx: OrganisationTx, networks: Networks, { subWalletId, chain }: { subWalletId: string; chain: string | undefined }) {
  await requireSubWallet(tx, subWalletId)
  const listed = networks.list().flatMap((network) => (network.collections ?? []).map((collection) => ({ network, collection })))
  const { rows: held } = await sql<{ chain: string; collection: string; count: bigint }>`
    select chain, split_part(contract, '/', 1) as collection, count(distinct contract) as count from ledger_account
    where org_id = ${tx.orgId} and sub_wallet_id = ${subWalletId} and contract like 'erc%/%' and balance > 0 group by 1, 2`.execute(tx)
  const countOf = ({ collection }: Listed) => Number(held.find((row) => row.chain === collection.chain && row.collection === collection.contract)?.count ?? 0n)
  const known = listed.map((each) => ({
    ...described(each.network, each.collection.contract),
    name: each.collection.symbol,
    count: countOf(each),
    spam: false,
  }))
  const unknown = await unknownCollections(tx, networks, subWalletId)
  return { nft_list: [...known, ...unknown].filter((each) => chain === undefined || each.chain === chain) }
}

async function unknownCollections(tx: OrganisationTx, networks: Networks, subWalletId: string) {
  const { rows } = await sql<{ chain: string; contract: string }>`
    select chain, contract from unverified_arrival
    where org_id = ${tx.orgId} and sub_wallet_id = ${subWalletId} and contract like 'erc%:%'
    group by chain, contract order by max(arrived_at) desc limit ${UNKNOWN_MAX}`.execute(tx)
  return rows.flatMap((row) => {
    const network = networks.find(row.chain)
    // It may have been listed since it arrived.
    const isListed = network?.collections?.some((each) => each.contract === row.contract) ?? true
    return network && !isListed ? [{ ...described(network, row.contract), name: null, count: null, spam: true }] : []
  })
}

/** A collection as assets name it, which is how it is listed and how its arrivals are kept. */
const collectionAt = (contract: string | null) => known(readCollection(contract), `the collection ${contract}`)

function described(network: Network, contract: string | null) {
  const { collection, standard } = collectionAt(contract)
  return { contract_address: collection, chain: network.chain, network: network.name, standard: NAMES[standard], image: NO_PICTURE.image }
}

/** A page of the tokens that a sub-wallet holds of a collection, by their number. */
export async function listNftTokens(tx: OrganisationTx, networks: Networks, asked: InputOf<typeof tokensEndpoint>) {
  await requireSubWallet(tx, asked.sub_wallet_id)
  const { collection } = findCollection(networks, asked)
  const ofCollection = sql`from ledger_account where org_id = ${tx.orgId} and sub_wallet_id = ${asked.sub_wallet_id} and chain = ${collection.chain}
    and split_part(contract, '/', 1) = ${collection.contract} and balance > 0`
  const { rows: totals } = await sql<{ count: bigint }>`select count(distinct contract) as count ${ofCollection}`.execute(tx)
  const { rows } = await sql<{ contract: string; available: bigint; held: bigint }>`
    select contract, coalesce(sum(balance) filter (where kind = 'available'), 0) as available, coalesce(sum(balance) filter (where kind = 'held'), 0) as held
    ${ofCollection} group by contract order by length(contract), contract
    limit ${asked.page_size} offset ${(asked.page_no - 1) * asked.page_size}`.execute(tx)
  return {
    pageTotal: Number(at(totals, 0).count),
    nft_token_list: rows.map(({ contract, available, held }) => ({
      ...tokenView(collection, known(readNft(contract), `the token ${contract}`)),
      amount: String(available),
      held: String(held),
    })),
  }
}

/** One token, and who of the organisation holds it. */
export async function nftInfo(tx: OrganisationTx, networks: Networks, asked: InputOf<typeof infoEndpoint>) {
  const { network, collection } = findCollection(networks, asked)
  const { standard, collection: address } = collectionAt(collection.contract)
  const nft = { standard, collection: address, tokenId: BigInt(asked.token_id) }
  const owners = await tx
    .selectFrom('ledger_account')
    .innerJoin(namedSubWallets(tx).as('named'), 'named.sub_wallet_id', 'ledger_account.sub_wallet_id')
    .select(['named.sub_wallet_id', 'named.wallet_name', 'named.sub_wallet_name', (row) => row.fn.sum<bigint>('ledger_account.balance').as('amount')])
    .where('ledger_account.org_id', '=', tx.orgId)
    .where('ledger_account.chain', '=', collection.chain)
    .where('ledger_account.contract', '=', nftAsset(nft))
    .where('ledger_account.balance', '>', 0n)
    .groupBy(['named.sub_wallet_id', 'named.wallet_name', 'named.sub_wallet_name'])
    .orderBy('named.wallet_name')
    .orderBy('named.sub_wallet_name')
    .execute()
  return {
    base_symbol: asked.base_symbol,
    chain: network.chain,
    contract_address: address,
    ...tokenView(collection, nft),
    owners: owners.map(({ amount, ...owner }) => ({ ...owner, amount: String(amount) })),
  }
}

/** A token by the name of its collection here and its number, never by what its contract says. */
function tokenView(collection: NetworkAsset, nft: { standard: NftStandard; tokenId: bigint }) {
  return { token_id: String(nft.tokenId), nft_name: assetName(collection.symbol, String(nft.tokenId)), standard: NAMES[nft.standard], ...NO_PICTURE }
}

/** A listed collection by its contract, in any accepted spelling. Throws `unsupported_coin` if none is. */
function findCollection(networks: Networks, asked: { chain?: string | undefined; base_symbol?: string; contract_address: string }): Listed {
  for (const network of networks.list()) {
    const address = network.codec.canonicalAddress(asked.contract_address)
    const base = network.assets.find((each) => each.contract === null)?.symbol
    const isAsked = (asked.chain ?? network.chain) === network.chain && (asked.base_symbol ?? base) === base
    const collection = isAsked ? network.collections?.find((each) => contractFields(each.contract ?? '').contract_address === address) : undefined
    if (collection) return { network, collection }
  }
  throw new AppError(networkErrors.unsupported_coin)
}
