import { draftSweep, networkOf, requireScript } from '@holdfast/chain-bitcoin/codec'
import { POSTAGE_MAX } from '@holdfast/chain-core'
import type { ServerContext } from '@holdfast/features/context'
import { outputOf } from '@holdfast/features/transfer/server'
import type { COIN_PARTS } from '../contract.ts'
import { known, type OrganisationId, type SubWalletId } from '@holdfast/units'
import { coinNetwork, type CoinNetwork, KEPT, readCoins, type StatedCoin } from './read-coins.ts'

export type CoinPart = (typeof COIN_PARTS)[number]

/**
 * What an address has in coins, in base units, by what collecting can do with them. `deposited` and `change`, which own payments gave back, can be moved.
 * `waiting`: an order has it, or its block is not final. `kept`: a person locked it, or it carries an inscription, or may. `small`: it may carry an inscription
 * for all that its amount says, so signers let only people spend it. `dust`: to spend it costs more than it is worth.
 */
export type CoinParts = Record<CoinPart, bigint>

type Asked = { chain: string; subWalletId: SubWalletId; from: string }
type Context = Pick<ServerContext, 'db' | 'networks'>

function partOf({ state, amount, isChange }: StatedCoin): CoinPart {
  if (KEPT.includes(state)) return 'kept'
  if (state === 'order' || state === 'immature') return 'waiting'
  if (state === 'dust') return 'dust'
  if (amount <= POSTAGE_MAX) return 'small'
  return isChange ? 'change' : 'deposited'
}

function partsOf(coins: readonly StatedCoin[], part: (coin: StatedCoin) => CoinPart = partOf): CoinParts {
  const parts: CoinParts = { deposited: 0n, change: 0n, waiting: 0n, kept: 0n, small: 0n, dust: 0n }
  for (const coin of coins) parts[part(coin)] += coin.amount
  return parts
}

/** What an address has in coins now. Throws `node_unavailable` where the node does not say. */
export async function readCoinParts(context: Context, orgId: OrganisationId, { chain, subWalletId, from }: Asked): Promise<CoinParts> {
  const { coins } = await readCoins(context, orgId, { network: coinNetwork(context, chain).network, subWalletId, from })
  return partsOf(coins)
}

/**
 * What one transaction can take of the coins of an address to another: what they hold, and what it costs to join them, slow, normal and fast. Coins that cost
 * more than they are worth at the normal fee are dust now. `amount` is 0 where there is nothing to take.
 */
export type Sweepable = { amount: bigint; estimates: readonly [bigint, bigint, bigint]; parts: CoinParts }

/** Plans to take all the coins of an address that signers spend without people. Throws `node_unavailable` or ChainError where the node does not say. */
export async function planSweep(context: Context, orgId: OrganisationId, { to, ...asked }: Asked & { to: string }): Promise<Sweepable> {
  const { network } = coinNetwork(context, asked.chain)
  const { coins } = await readCoins(context, orgId, { network, subWalletId: asked.subWalletId, from: asked.from })
  const isFree = (coin: StatedCoin) => ['deposited', 'change'].includes(partOf(coin))
  const free = coins.filter(isFree)
  const nothing = { amount: 0n, estimates: [0n, 0n, 0n] as const }
  if (free.length === 0) return { ...nothing, parts: partsOf(coins) }
  const first = await feesOf(network, { to, from: asked.from, coins, taken: free })
  const script = requireScript(networkOf(network.chain), asked.from)
  const { drafts, left } = draftSweep({
    ...{ chain: network.chain, from: asked.from, to },
    coins: free.map(({ outpoint, amount }) => ({ ...outputOf(outpoint), amount, script })),
    satPerKvb: known(first[1].parameters.satPerKvb, `the rate of ${network.name}`),
  })
  const named = (of: readonly { txid: string; index: number }[]) => new Set(of.map(({ txid, index }) => `${txid}:${index}`))
  const dust = named(left)
  const parts = partsOf(coins, (coin) => (dust.has(coin.outpoint) ? 'dust' : partOf(coin)))
  const [draft] = drafts
  if (!draft) return { ...nothing, parts }
  const inputs = named(draft.inputs)
  const taken = free.filter(({ outpoint }) => inputs.has(outpoint))
  const [slow, normal, fast] = taken.length === free.length ? first : await feesOf(network, { to, from: asked.from, coins, taken })
  return { amount: sumOf(taken), estimates: [slow.feeMax, normal.feeMax, fast.feeMax], parts }
}

const sumOf = (coins: readonly StatedCoin[]) => coins.reduce((sum, { amount }) => sum + amount, 0n)

/** What a payment of all the taken coins would cost, and no others: as they do not suffice beside their fee, the node counts each of them, and change. */
function feesOf(
  { node, chain }: CoinNetwork,
  { from, to, coins, taken }: { from: string; to: string; coins: readonly StatedCoin[]; taken: readonly StatedCoin[] },
) {
  const lockedOutpoints = coins.filter((coin) => !taken.includes(coin)).map(({ outpoint }) => outpoint)
  return node.estimateFee({ from, to, asset: { chain, contract: null }, amount: sumOf(taken), lockedOutpoints })
}
