import { known } from '@holdfast/units'
import devCollectible from '@holdfast/chain-evm/artifacts/dev-collectible.json' with { type: 'json' }
import devItems from '@holdfast/chain-evm/artifacts/dev-items.json' with { type: 'json' }
import { type Abi, type Address, getContractAddress, type Hex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { minedOk } from './ensure-token.ts'
import { MNEMONIC, type Network } from './open-network.ts'

export type Collection = { standard: 'erc721' | 'erc1155'; symbol: string; name: string; contract: string }

/** Who deployed the collections and mints their tokens: an account of its own, so that they stand at the same addresses on every network, new or saved. */
const collector = mnemonicToAccount(MNEMONIC, { addressIndex: 1 })
/** The item of which the faucet gives pieces. */
const ITEM_ID = 1n

const COLLECTIONS = [
  { standard: 'erc721', symbol: 'DEVC', name: 'Development Collectible', artifact: devCollectible },
  { standard: 'erc1155', symbol: 'DEVI', name: 'Development Items', artifact: devItems },
] as const

/** The play collections, each deployed by the transaction of its account that has its place in the list. */
export async function ensureCollections(network: Network): Promise<Collection[]> {
  const found: Collection[] = []
  for (const [at, { standard, symbol, name, artifact }] of COLLECTIONS.entries()) {
    const contract = getContractAddress({ from: collector.address, nonce: BigInt(at) })
    if ((await network.getCode({ address: contract })) === undefined) {
      await minedOk(network, await network.deployContract({ account: collector, abi: artifact.abi as Abi, bytecode: artifact.bytecode as Hex, nonce: at }))
    }
    found.push({ standard, symbol, name, contract })
  }
  return found
}

/** Sends the transaction that makes the next token of a collection, or `amount` more pieces of its item, for somebody. */
export async function mintToken(network: Network, collection: Collection, to: Address, amount: bigint): Promise<Hex> {
  const listed = COLLECTIONS.find(({ symbol }) => symbol === collection.symbol)
  const { artifact } = known(listed, `the collection ${collection.symbol}`)
  const nonce = await network.getTransactionCount({ address: collector.address, blockTag: 'pending' })
  const args = collection.standard === 'erc721' ? [to] : [to, ITEM_ID, amount]
  return network.writeContract({ account: collector, address: collection.contract as Address, abi: artifact.abi as Abi, functionName: 'mint', args, nonce })
}
