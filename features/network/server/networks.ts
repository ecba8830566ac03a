import { nftAsset, pinnedContract, readCollection, readNft } from '@holdfast/chain-core'
import { assetName, known } from '@holdfast/units'
import type { Network, NetworkAsset, Networks } from './types.ts'

/** Networks by their chain. */
export function openNetworks(networks: Network[]): Networks {
  const find = (chain: string) => networks.find((each) => each.chain === chain)
  const collectionOf = (chain: string, symbol: string) => find(chain)?.collections?.find((each) => each.symbol === symbol)
  return {
    list: () => networks,
    find,
    require: (chain) => known(find(chain), `the network ${chain}`),
    asset: (chain, symbol, tokenId) => {
      if (tokenId === undefined) return allAssets(find(chain)).find((asset) => asset.symbol === symbol)
      const collection = collectionOf(chain, symbol)
      const named = readCollection(collection?.contract ?? null)
      return collection && named && { ...collection, contract: nftAsset({ ...named, tokenId }) }
    },
    collection: collectionOf,
    byContract: (chain, contract) => {
      const network = find(chain)
      return network && assetByContract(network, contract)
    },
  }
}

/** The asset of a network by its contract text, empty for the own coin. A token counts where its collection is listed. */
export function assetByContract(network: Network, contract: string): NetworkAsset | undefined {
  const { collections = [] } = network
  if (!readNft(contract)) return allAssets(network).find((each) => (each.contract ?? '') === contract)
  const collection = collections.find((each) => each.contract === pinnedContract(contract))
  return collection && { ...collection, contract }
}

/** A network's own coin, which pays its fees. */
export function ownCoin({ assets, chain }: Pick<Network, 'assets' | 'chain'>): NetworkAsset {
  return known(
    assets.find(({ contract }) => contract === null),
    `the own coin of ${chain}`,
  )
}

/** The coins of a network that an organisation has: those that are listed, and those that it added. */
export function assetsOf({ assets, added = [] }: Network, orgId: string): NetworkAsset[] {
  return [...assets, ...added.filter(({ organisations }) => organisations.has(orgId))]
}

/** Whether a coin counts for an organisation. */
export function hasAsset({ added = [] }: Network, orgId: string, contract: string): boolean {
  const own = added.find((each) => each.contract === contract)
  return own === undefined || own.organisations.has(orgId)
}

const allAssets = (network: Network | undefined): NetworkAsset[] => (network ? [...network.assets, ...(network.added ?? [])] : [])

/** How an asset is called where it is told of: by its symbol, a token of a collection with its number. */
export function nameOfAsset({ symbol, contract }: Pick<NetworkAsset, 'symbol' | 'contract'>): string {
  return assetName(symbol, contractFields(contract ?? '').token_id)
}

/** How an asset's contract text is told outside: the contract's own address, and the token's id in decimal digits where it is one of a collection. */
export function contractFields(contract: string): { contract_address: string | null; token_id: string | null } {
  const tokenId = readNft(contract)?.tokenId
  const address = readCollection(contract)?.collection ?? contract
  return { contract_address: address === '' ? null : address, token_id: tokenId === undefined ? null : String(tokenId) }
}
