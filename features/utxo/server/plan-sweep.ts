import { draftSweep, networkOf, requireScript } from '@holdfast/chain-bitcoin/codec'
import { POSTAGE_MAX } from '@holdfast/chain-core'
import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { outputOf } from '@holdfast/features/transfer/server'
import type { COIN_PARTS } from '../contract.ts'
import { known, type OrganisationId, type SubWalletId } from '@holdfast/units'
import { coinNetwork, type CoinNetwork, KEPT, readBookedCoins, readCoins, type StatedCoin } from './read-coins.ts'

export type CoinPart = (typeof COIN_PARTS)[number]

/**
 * What an address has in coins, in base units. `deposited`: what others paid. `change`: what own payments gave back. `waiting`: an order has it, or its block is
 * not final. `kept`: a person locked it, or it carries an inscription, or may. `small`: it may carry an inscription for all that its amount says. `dust`: to spend
 * it costs more than it is worth.
 */
export type CoinParts = Record<CoinPart, bigint>

/** Why a coin stays where it is when all that can be is moved; undefined of one that is moved. Small coins stay: signers let only people spend them. */
export type Staying = Exclude<CoinPart, 'deposited' | 'change'>

type Asked = { chain: string; subWalletId: SubWalletId; from: string }
type Context = Pick<ServerContext, 'db' | 'networks'>

function stayingOf({ state, amount }: StatedCoin): Staying | undefined {
  if (KEPT.includes(state)) return 'kept'
  if (state === 'order' || state === 'immature') return 'waiting'
  if (state === 'dust') return 'dust'
  return amount <= POSTAGE_MAX ? 'small' : undefined
}

function partOf(coin: StatedCoin): CoinPart {
  const staying = stayingOf(coin)
  if (staying === 'kept' || staying === 'waiting') return staying
  return coin.isChange ? 'change' : (staying ?? 'deposited')
}

/** What an address of the organisation has in coins, by the books. */
export async function readCoinParts(tx: OrganisationTx, context: Pick<Context, 'networks'>, place: { chain: string; address: string }): Promise<CoinParts> {
  const coins = await readBookedCoins(tx, coinNetwork(context, place.chain).network, place.address)
  const parts: CoinParts = { deposited: 0n, change: 0n, waiting: 0n, kept: 0n, small: 0n, dust: 0n }
  for (const coin of coins) parts[partOf(coin)] += coin.amount
  return parts
}

/**
 * What one transaction can take of the coins of an address to another: what they hold, and what it costs to join them, slow, normal and fast. `amount` is 0 where
 * there is nothing to take. `stays`: what of the others stays, by the reason; coins that cost more than they are worth at the normal fee are dust now.
 */
export type Sweepable = { amount: bigint; estimates: readonly [bigint, bigint, bigint]; stays: Record<Staying, bigint> }

/** Plans to take all the coins of an address that signers spend without people. Throws `node_unavailable` or ChainError where the node does not say. */
export async function planSweep(context: Context, orgId: OrganisationId, { to, ...asked }: Asked & { to: string }): Promise<Sweepable> {
  const { network } = coinNetwork(context, asked.chain)
  const { coins } = await readCoins(context, orgId, { network, subWalletId: asked.subWalletId, from: asked.from })
  const free = coins.filter((coin) => stayingOf(coin) === undefined)
  const nothing = { amount: 0n, estimates: [0n, 0n, 0n] as const }
  const stays: Sweepable['stays'] = { waiting: 0n, kept: 0n, small: 0n, dust: 0n }
  for (const coin of coins) {
    const staying = stayingOf(coin)
    if (staying) stays[staying] += coin.amount
  }
  if (free.length === 0) return { ...nothing, stays }
  const first = await feesOf(network, { to, from: asked.from, coins, taken: free })
  const script = requireScript(networkOf(network.chain), asked.from)
  const { drafts, left } = draftSweep({
    ...{ chain: network.chain, from: asked.from, to },
    coins: free.map(({ outpoint, amount }) => ({ ...outputOf(outpoint), amount, script })),
    satPerKvb: known(first[1].parameters.satPerKvb, `the rate of ${network.name}`),
  })
  stays.dust += sumOf(left)
  const [draft] = drafts
  if (!draft) return { ...nothing, stays }
  const inputs = new Set(draft.inputs.map(({ txid, index }) => `${txid}:${index}`))
  const taken = free.filter(({ outpoint }) => inputs.has(outpoint))
  const [slow, normal, fast] = taken.length === free.length ? first : await feesOf(network, { to, from: asked.from, coins, taken })
  return { amount: sumOf(taken), estimates: [slow.feeMax, normal.feeMax, fast.feeMax], stays }
}

const sumOf = (coins: readonly { amount: bigint }[]) => coins.reduce((sum, { amount }) => sum + amount, 0n)

/** What a payment of all the taken coins would cost, and no others: as they do not suffice beside their fee, the node counts each of them, and change. */
function feesOf(
  { node, chain }: CoinNetwork,
  { from, to, coins, taken }: { from: string; to: string; coins: readonly StatedCoin[]; taken: readonly StatedCoin[] },
) {
  const lockedOutpoints = coins.filter((coin) => !taken.includes(coin)).map(({ outpoint }) => outpoint)
  return node.estimateFee({ from, to, asset: { chain, contract: null }, amount: sumOf(taken), lockedOutpoints })
}
