import type { ChainCodec, ChainNode } from '@holdfast/chain-core'
import type { Family } from '@holdfast/chain-registry/codec'

/** A coin the server works with. `contract` is null for the network's own coin. */
export type NetworkAsset = { chain: string; contract: string | null; symbol: string; decimals: number }

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
  /** Blocks on top of the one that holds a transaction before it is final. */
  finalityBlocks: number
  /** A network of this machine for trying things out, never of value. */
  local: boolean
  faucetUrl: string | null
}

export type Networks = {
  list(): Network[]
  find(chain: string): Network | undefined
  /** The asset by its symbol on a chain. */
  asset(chain: string, symbol: string): NetworkAsset | undefined
}

/** Networks by their chain. */
export function openNetworks(networks: Network[]): Networks {
  const find = (chain: string) => networks.find((each) => each.chain === chain)
  return { list: () => networks, find, asset: (chain, symbol) => find(chain)?.assets.find((asset) => asset.symbol === symbol) }
}
