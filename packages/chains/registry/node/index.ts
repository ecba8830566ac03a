import { bitcoinNode } from '@holdfast/chain-bitcoin/node'
import type { ChainNode, UnspentCoin } from '@holdfast/chain-core'
import { evmNode } from '@holdfast/chain-evm/node'
import { tonNode } from '@holdfast/chain-ton/node'
import { tronNode } from '@holdfast/chain-tron/node'
import type { Ports } from '@holdfast/ports'
import type { Family } from '../codec/families.ts'

export type NodeConfig = Pick<Ports, 'fetch'> & {
  /** CAIP-2. */
  chain: string
  /** One source is one node: give every further URL its own, so that their answers can be compared. */
  rpcUrl: string
  /** The tokens whose transfers are read, by their contracts in canonical text. */
  tokens: readonly string[]
  timer: Pick<Ports['timer'], 'after'>
  /** The coins of an address by the ledger, for chains whose nodes would look through all the coins there are. Each is asked for at the node. */
  coinsOf?: (address: string) => Promise<readonly UnspentCoin[]>
  /** The public key of a paying address, for chains that learn it with the address's first order; undefined if it is not known. */
  publicKeyOf(address: string): Promise<Uint8Array | undefined>
}

const NODES: Record<Family, (config: NodeConfig) => ChainNode> = { bitcoin: bitcoinNode, evm: evmNode, ton: tonNode, tron: tronNode }

/** Opens one node of a chain of a family. */
export function openNode(family: Family, config: NodeConfig): ChainNode {
  return NODES[family](config)
}
