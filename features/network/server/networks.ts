import { type ChainCodec, type ChainNode, nftAsset, pinnedContract, readCollection, readNft } from '@holdfast/chain-core'
import type { Family } from '@holdfast/chain-registry/codec'
import type { Explorer } from '../explorers.ts'
import { assetName, known } from '@holdfast/units'

/** A coin the server works with. `contract` is null for the network's own coin. */
export type NetworkAsset = { chain: string; contract: string | null; symbol: string; decimals: number }

/** A token that organisations asked for, beside what whoever runs the server lists. It counts for these organisations alone. */
export type AddedAsset = NetworkAsset & { contract: string; organisations: Set<string> }

/** A network the server reads and sends on. */
export type Network = {
  chain: string
  name: string
  family: Family
  codec: ChainCodec
  /** The source that blocks are read from and transactions are sent to. */
  node: ChainNode
  /** Further sources: where there are any, one of them has to say the same as `node` before anything is final. */
  witnesses?: ChainNode[]
  assets: NetworkAsset[]
  /**
   * Tokens that count for some organisations alone (`assetsOf`); looked up like others by their contract and by their symbol, which no other coin of the
   * network has.
   */
  added?: AddedAsset[]
  /** The collections whose tokens count, each by `collectionAsset` and in whole pieces. */
  collections?: NetworkAsset[]
  /** Blocks on top of the one that holds a transaction before it is final. */
  finalityBlocks: number
  /**
   * The block after which it is read where it was not read yet; without it a little behind the head. BRC-20 is known only where it begins before the first
   * inscription.
   */
  readFrom?: bigint
  /** A network of this machine for trying things out, never of value. */
  local: boolean
  faucetUrl: string | null
  /** Where people may look its transactions and addresses up, outside; none unless configured. */
  explorers?: Explorer[]
}

export type Networks = {
  list(): Network[]
  find(chain: string): Network | undefined
  /** A network that must be there: what is stored of it came in through one. Throws where the server does not know it any more. */
  require(chain: string): Network
  /** The asset by its symbol on a chain; with a token's id, that token of the collection of this symbol. */
  asset(chain: string, symbol: string, tokenId?: bigint): NetworkAsset | undefined
  /** The collection by its symbol on a chain. */
  collection(chain: string, symbol: string): NetworkAsset | undefined
  /** The asset by the text that books and orders name it with: empty for the network's own coin. */
  byContract(chain: string, contract: string): NetworkAsset | undefined
}

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
      return collection && { ...collection, contract: nftAsset({ ...readCollection(collection.contract)!, tokenId }) }
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
