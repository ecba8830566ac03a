import { changeMin, networkOf, requireScript } from '@holdfast/chain-bitcoin/codec'
import type { ChainNode, UnspentCoin } from '@holdfast/chain-core'
import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { networkErrors } from '@holdfast/features/network/errors'
import { fromNode, type Network, type NetworkAsset } from '@holdfast/features/network/server'
import { coinsOfOrders, isSettled, locksOf, type Payer, type PersonLock, readPayer } from '@holdfast/features/transfer/server'
import type { OrderId, OrganisationId, SubWalletId } from '@holdfast/units'
import type { COIN_STATES } from '../contract.ts'
import { bookedCoins } from './recorded-coins.ts'

export type CoinState = (typeof COIN_STATES)[number]

/**
 * A coin of a sub-wallet with all that keeps it. `state` is the first that counts: an order, a person, an inscription, its block, its size. `isChange`: a payment
 * of its own address gave it back.
 */
export type StatedCoin = UnspentCoin & {
  state: CoinState
  lock: PersonLock | null
  orderId: OrderId | null
  inscriptionIds: string[]
  isSettled: boolean
  isChange: boolean
}

/** States in which a coin is a part of the balance that no payment spends. */
export const KEPT: readonly CoinState[] = ['person', 'inscription', 'unchecked']

export type CoinNetwork = Network & { node: ChainNode & Required<Pick<ChainNode, 'coins'>> }
export type CoinPlace = { network: CoinNetwork; coin: NetworkAsset }

/** A network that has coins (UTXO), with its own coin. Throws `unsupported_coin` for any other. */
export function coinNetwork({ networks }: Pick<ServerContext, 'networks'>, chain: string): CoinPlace {
  const network = networks.find(chain)
  const coin = network?.assets.find((each) => each.contract === null)
  if (!network?.node.coins || !coin) throw new AppError(networkErrors.unsupported_coin)
  return { network: network as CoinNetwork, coin }
}

/** Whose coins, and each of them as the node and the ledger have it now, the largest first. Throws `node_unavailable` if the node does not list them. */
export async function readCoins(
  { db }: Pick<ServerContext, 'db'>,
  orgId: OrganisationId,
  { network, subWalletId, from }: { network: CoinNetwork; subWalletId: SubWalletId; from?: string },
): Promise<{ payer: Payer; coins: StatedCoin[] }> {
  const payer = await db.asOrganisation(orgId, (tx) => readPayer(tx, { subWalletId, network, ...(from === undefined ? {} : { from }) }))
  const [coins, head] = await fromNode(() => Promise.all([network.node.coins.unspent(payer.address), network.node.head()]))
  const finalHeight = head.height - BigInt(network.finalityBlocks)
  const stated = await db.asOrganisation(orgId, (tx) => stateCoins(tx, network, { address: payer.address, coins, finalHeight }))
  return { payer, coins: stated.toSorted((a, b) => (a.amount === b.amount ? (a.outpoint < b.outpoint ? -1 : 1) : a.amount > b.amount ? -1 : 1)) }
}

/** The coins of an address of the organisation as the books have them: no node is asked, however many addresses a page shows. */
export async function readBookedCoins(tx: OrganisationTx, network: CoinNetwork, address: string): Promise<StatedCoin[]> {
  const coins = await bookedCoins(tx, network.codec, { chain: network.chain, address })
  const finalHeight = coins.reduce((most, { height }) => (height !== null && height > most ? height : most), 0n)
  return stateCoins(tx, network, { address, coins, finalHeight })
}

async function stateCoins(
  tx: OrganisationTx,
  network: CoinNetwork,
  { address, coins, finalHeight }: { address: string; coins: readonly UnspentCoin[]; finalHeight: bigint },
): Promise<StatedCoin[]> {
  const { people, inscriptions, unchecked } = await locksOf(tx, { chain: network.chain, address })
  const { taken, made } = await coinsOfOrders(tx, network.codec, { id: null, chain: network.chain, address_from: address })
  const threshold = dustThreshold(network, address)
  return coins.map((coin) => {
    const lock = people.get(coin.outpoint) ?? null
    const orderId = taken.get(coin.outpoint) ?? null
    const inscriptionIds = inscriptions.get(coin.outpoint) ?? []
    const size = coin.amount < threshold ? 'dust' : 'free'
    const isThere = isSettled(coin, finalHeight, made)
    const own = isThere ? size : 'immature'
    const state = orderId ? 'order' : lock ? 'person' : inscriptionIds.length > 0 ? 'inscription' : unchecked.has(coin.outpoint) ? 'unchecked' : own
    const isChange = made.has(coin.outpoint.slice(0, coin.outpoint.indexOf(':')))
    return { ...coin, state, lock, orderId, inscriptionIds, isSettled: isThere, isChange }
  })
}

/**
 * What of a sub-wallet's balance lies in coins that people have locked or that carry inscriptions, so that no payment spends it. Nothing if a network has
 * no coins.
 */
export async function keptAmount(
  context: Pick<ServerContext, 'db' | 'networks'>,
  orgId: OrganisationId,
  { network, subWalletId, from }: { network: Network; subWalletId: SubWalletId; from?: string },
): Promise<bigint> {
  if (!network.node.coins) return 0n
  const { coins } = await readCoins(context, orgId, {
    network: coinNetwork(context, network.chain).network,
    subWalletId,
    ...(from === undefined ? {} : { from }),
  })
  return coins.reduce((sum, { state, amount }) => (KEPT.includes(state) ? sum + amount : sum), 0n)
}

/** What a coin of an address has to be worth so that spending it, at a usual rate, does not cost more. */
export function dustThreshold({ chain }: Pick<Network, 'chain'>, address: string): bigint {
  const script = requireScript(networkOf(chain), address)
  return changeMin({ script, changeScript: script })
}
