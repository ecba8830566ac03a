import { AppError } from '@holdfast/contract'
import { ChainError, FEE_TIERS, type FeeTier, RESOURCES, type StakeOrder } from '@holdfast/chain-core'
import type { OrganisationTx } from '@holdfast/db'
import { networkErrors } from '@holdfast/features/network/errors'
import type { Network, NetworkAsset } from '@holdfast/features/network/server'
import { transferErrors } from '@holdfast/features/transfer/errors'
import { addressBalances, balances } from '@holdfast/ledger'
import { at, formatAmount, type SubWalletId } from '@holdfast/units'

/** Seconds, if a higher fee buys an earlier place. */
const ETA_S: Partial<Record<Network['family'], readonly [number, number, number]>> = { bitcoin: [86_400, 3_600, 1_200], evm: [60, 30, 15] }
const VALID_MS = 30_000
/** A fee cap so far above the fast tier is a mistake, or an attempt to burn money. */
export const FEE_CAP_FACTOR_MAX = 20n

/** What a fee is estimated for; `payments` if several are paid, `data` if a contract is called, `stake` if it is about stake. */
type Quoted = {
  from: string
  to: string
  asset: NetworkAsset
  amount: bigint
  payments?: readonly { to: string; amount: bigint; memo?: string }[] | undefined
  data?: Uint8Array
  /** Coins that are spent in any case, if the chain has coins. */
  coins?: readonly string[]
  /** The amounts of the first of them, if each goes along with the inscription on it. */
  postages?: readonly bigint[]
  stake?: StakeOrder
  /** The amount of the coin for a BRC-20 token that is inscribed first. */
  inscribes?: bigint
}
export type Tiers = [FeeTier, FeeTier, FeeTier]

/** The chain's own estimate for a transfer, or for a call of a contract. Throws `fee_estimate_failed` if the node gives none. */
export async function readTiers({ node }: Network, order: Quoted): Promise<Tiers> {
  const { from, to, asset, amount, payments, data, coins, postages, stake, inscribes } = order
  const ofCoins = { ...(payments && { payments }), ...(coins && { coins }), ...(postages && { postages }), ...(inscribes !== undefined && { inscribes }) }
  const more = { ...ofCoins, ...(data && { data }), ...(stake && { stake }) }
  try {
    return await node.estimateFee({ from, to, asset: { chain: asset.chain, contract: asset.contract }, amount, ...more })
  } catch (cause) {
    if (cause instanceof ChainError) throw new AppError(transferErrors.fee_estimate_failed, { cause })
    throw cause
  }
}

/**
 * The same if the fee is taken from the amount: the payment is then less than the amount, by a fee that is not known before. Throws
 * `fee_estimate_failed` too.
 */
export async function readTiersWithin(network: Network, order: Quoted): Promise<Tiers> {
  const first = await readTiers(network, { ...order, amount: 0n })
  const left = order.amount - first[1].feeMax
  return left > 0n ? readTiers(network, { ...order, amount: left }) : first
}

/** The range of fee caps that an order accepts: the cap can be met now, and is no obvious mistake. */
export function capBounds([economy, , fast]: Tiers): { least: bigint; most: bigint } {
  return { least: economy.feeMax, most: fast.feeMax * FEE_CAP_FACTOR_MAX }
}

type Viewed = { network: Network; asset: NetworkAsset; subWalletId: SubWalletId; tiers: Tiers; kept: bigint; nowMs: number } & {
  /** The address that pays, if it is said: it has for it what it has itself. */
  from?: string
  /** The least that can be sent to the address: any amount unless given. */
  least?: bigint
  /** What can be sent of the asset whatever the sub-wallet has. */
  most?: bigint | undefined
  /** The coin that goes along, in the network's own coin, if the asset is a token that is inscribed first. */
  along?: bigint | undefined
}

/** The estimate as the form shows it, with what the sub-wallet has for it, or the address that pays. */
export async function feeView(tx: OrganisationTx, { network, asset, tiers, kept, least: leastSent = 1n, most: bound, along, nowMs, ...payer }: Viewed) {
  const coin = network.assets.find((each) => each.contract === null)
  if (!coin) throw new AppError(networkErrors.node_configuration)
  const availableOf = await readAvailable(tx, network, payer)
  const own = availableOf(asset)
  const available = bound !== undefined && bound < own ? bound : own
  const isCoin = asset.contract === null
  const without = (aside: bigint) => (available > aside ? available - aside : 0n)
  const { least, most } = capBounds(tiers)
  return {
    fee_symbol: coin.symbol,
    fee_decimals: coin.decimals,
    cap_min: formatAmount(least, coin.decimals),
    cap_max: formatAmount(most, coin.decimals),
    tiers: FEE_TIERS.map((tier, i) => ({ tier, eta_s: ETA_S[network.family]?.[i] ?? null, ...termsOf(at(tiers, i), coin) })),
    fee_balance: formatAmount(availableOf(coin), coin.decimals),
    min_withdraw: formatAmount(leastSent, asset.decimals),
    max_withdraw: formatAmount(isCoin ? without(tiers[1].feeMax + kept) : available, asset.decimals),
    along: along === undefined ? null : formatAmount(along, coin.decimals),
    max_gross: isCoin ? formatAmount(without(kept), coin.decimals) : null,
    quoted_at: nowMs,
    valid_ms: VALID_MS,
  }
}

/** What a payer has available of an asset: a sub-wallet, or one of its addresses. */
async function readAvailable(tx: OrganisationTx, { chain }: Network, { subWalletId, from }: Pick<Viewed, 'subWalletId' | 'from'>) {
  if (from !== undefined) {
    const own = await addressBalances(tx, [{ chain, address: from }])
    return ({ contract }: NetworkAsset) => own.find((each) => each.contract === (contract ?? ''))?.available ?? 0n
  }
  const booked = await balances(tx, subWalletId)
  return (asset: NetworkAsset) => booked.find((each) => each.asset.chain === asset.chain && each.asset.contract === asset.contract)?.available ?? 0n
}

/** A tier in the terms of its network, as far as it has them. */
function termsOf({ feeMax, parameters }: FeeTier, { decimals }: NetworkAsset) {
  const { feeExpected, activation } = parameters
  return {
    fee: formatAmount(feeMax, decimals),
    expected: feeExpected === undefined ? null : formatAmount(feeExpected, decimals),
    activation: activation === undefined || activation === 0n ? null : formatAmount(activation, decimals),
    // By the names of `FeeTier.parameters`, each with `Available` behind it for what the payer has.
    resources: RESOURCES.flatMap((name) => {
      const [needed, available] = [parameters[name], parameters[`${name}Available`]]
      return needed === undefined || available === undefined || needed === 0n ? [] : [{ name, needed: String(needed), available: String(available) }]
    }),
  }
}
