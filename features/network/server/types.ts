import type { ChainCodec, ChainNode } from '@holdfast/chain-core'
import type { Family } from '@holdfast/chain-registry/codec'
import type { Explorer } from '../explorers.ts'

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
  /** A network that must be there: what is stored of it came in through one. Throws if the server does not know it any more. */
  require(chain: string): Network
  /** The asset by its symbol on a chain; with a token's id, that token of the collection of this symbol. */
  asset(chain: string, symbol: string, tokenId?: bigint): NetworkAsset | undefined
  /** The collection by its symbol on a chain. */
  collection(chain: string, symbol: string): NetworkAsset | undefined
  /** The asset by the text that ledger and orders name it with: empty for the network's own coin. */
  byContract(chain: string, contract: string): NetworkAsset | undefined
}
