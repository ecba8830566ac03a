import { type ChainId, ChainError } from '@holdfast/chain-core'
import { known } from '@holdfast/units'

/** The facts of a network of the Bitcoin kind that addresses and nodes depend on. */
export type Network = {
  /** CAIP-2: `bip122:` and the first 32 digits of the hash of the first block. */
  chain: ChainId
  name: 'mainnet' | 'testnet' | 'testnet4' | 'signet' | 'regtest'
  genesisHash: string
  /** The first part of a segwit address (BIP173). */
  bech32: string
  /** The version bytes of base58 addresses. */
  pubKeyHash: number
  scriptHash: number
}

const TEST = { bech32: 'tb', pubKeyHash: 0x6f, scriptHash: 0xc4 }

/** The networks, as Bitcoin Core's chainparams.cpp has them. */
export const NETWORKS: readonly Network[] = [
  named('mainnet', '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f', { bech32: 'bc', pubKeyHash: 0x00, scriptHash: 0x05 }),
  named('testnet', '000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943', TEST),
  named('testnet4', '00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043', TEST),
  named('signet', '00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6', TEST),
  named('regtest', '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206', { ...TEST, bech32: 'bcrt' }),
]

function named(name: Network['name'], genesisHash: string, addresses: Pick<Network, 'bech32' | 'pubKeyHash' | 'scriptHash'>): Network {
  return { chain: `bip122:${genesisHash.slice(0, 32)}`, name, genesisHash, ...addresses }
}

/** The network of a CAIP-2 name. Throws ChainError if it names none of the Bitcoin kind. */
export function networkOf(chain: ChainId): Network {
  const network = NETWORKS.find((each) => each.chain === chain)
  if (!network) throw new ChainError(`not a Bitcoin network: ${JSON.stringify(chain.slice(0, 60))}; known are ${NETWORKS.map((each) => each.chain).join(', ')}`)
  return network
}

/** The CAIP-2 name of a network by its usual name, such as `regtest`. */
export function bitcoinChain(name: Network['name']): ChainId {
  const network = NETWORKS.find((each) => each.name === name)
  return known(network, `the network ${name}`).chain
}
