import { BRC20_DECIMALS, type ChainCodec, collectionAsset, readBrc20Asset } from '@holdfast/chain-core'
import { type Family, familyOf } from '@holdfast/chain-registry/codec'
import { openNode } from '@holdfast/chain-registry/node'
import type { Database } from '@holdfast/db'
import { publicKeyOf } from '@holdfast/features/key/server'
import type { Network } from '@holdfast/features/network/server'
import { recordedCoins } from '@holdfast/features/utxo/server'
import type { Ports } from '@holdfast/ports'
import { known } from '@holdfast/units'
import { ConfigurationError, type NetworkConfiguration } from './read-configuration.ts'

type Known = { family: Family; codec: ChainCodec }

/** A network as it is configured, with a node for each of its sources. Throws ConfigurationError. */
export function readNetwork(ports: Ports, db: Database, configured: NetworkConfiguration): Network {
  const { chain } = configured
  const found = familyOf(chain)
  if (!found) throw new ConfigurationError(`SERVER_NETWORKS: ${chain} is not a chain this server knows`)
  const { family, codec } = found
  const { tokens, collections } = readAssets(found, configured)
  const [node, ...witnesses] = configured.rpc_urls.map((rpcUrl) =>
    openNode(family, {
      chain,
      rpcUrl,
      tokens: [...tokens, ...collections].map((token) => token.contract),
      fetch: ports.fetch,
      timer: ports.timer,
      coinsOf: (address) => recordedCoins(db, codec, chain, address),
      publicKeyOf: (address) => publicKeyOf(db, chain, address),
    }),
  )
  return {
    chain,
    name: configured.name,
    family,
    codec,
    node: known(node, `a source of ${chain}`),
    witnesses,
    assets: [{ chain, contract: null, ...configured.native }, ...tokens],
    collections,
    finalityBlocks: configured.finality_blocks,
    ...(configured.read_from !== undefined && { readFrom: BigInt(configured.read_from) }),
    local: configured.local,
    faucetUrl: configured.faucet_url,
    explorers: configured.explorers,
  }
}

/** The tokens and collections of a network, each by its one canonical text. */
function readAssets({ family, codec }: Known, { chain, native, ...configured }: NetworkConfiguration) {
  const addressOf = ({ contract }: { contract: string }) => {
    const canonical = codec.canonicalAddress(contract)
    if (!canonical) throw new ConfigurationError(`SERVER_NETWORKS: ${contract} is not an address of ${chain}`)
    return canonical
  }
  const tokens = configured.tokens.map((token) => {
    const { contract, symbol, decimals } = token
    if (family !== 'bitcoin') return { chain, contract: addressOf(token), symbol, decimals }
    if (readBrc20Asset(contract) === undefined || decimals !== BRC20_DECIMALS)
      throw new ConfigurationError(
        `SERVER_NETWORKS: ${contract} is no token of ${chain}: give brc20: and a ticker of four bytes in small letters, and 18 decimals`,
      )
    return { chain, contract, symbol, decimals }
  })
  const collections = configured.collections.map((each) => {
    const contract = collectionAsset({ standard: each.standard, collection: addressOf(each) })
    return { chain, contract, symbol: each.symbol, decimals: 0 }
  })
  const symbols = [native, ...tokens, ...collections].map(({ symbol }) => symbol)
  if (new Set(symbols).size < symbols.length) throw new ConfigurationError(`SERVER_NETWORKS: two coins of ${chain} have one symbol: give each its own`)
  return { tokens, collections }
}
