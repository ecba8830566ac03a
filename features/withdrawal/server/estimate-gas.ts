import { AppError } from '@holdfast/contract'
import { ChainError, type FeeTier } from '@holdfast/chain-core'
import type { OrganisationTx } from '@holdfast/db'
import type { Network, NetworkAsset } from '@holdfast/features/network/server'
import { balances } from '@holdfast/ledger'
import { formatAmount } from '@holdfast/units'

const TIERS = ['economy', 'normal', 'fast'] as const
/** Seconds until a block takes it, for each family. */
const ETA_S: Record<Network['family'], readonly [number, number, number]> = { bitcoin: [86_400, 3_600, 1_200], evm: [60, 30, 15], tron: [60, 30, 15] }
const VALID_MS = 30_000

export type Tiers = [FeeTier, FeeTier, FeeTier]

/** The chain's own estimate for a transfer. Throws `fee_estimate_failed` where the node gives none. */
export async function readTiers({ node }: Network, order: { from: string; to: string; asset: NetworkAsset; amount: bigint }): Promise<Tiers> {
  const { from, to, asset, amount } = order
  try {
    return await node.estimateFee({ from, to, asset: { chain: asset.chain, contract: asset.contract }, amount })
  } catch (cause) {
    if (cause instanceof ChainError) throw new AppError('fee_estimate_failed', { cause })
    throw cause
  }
}

/** The estimate as the form shows it, with what the sub-wallet has for it. */
export async function feeView(tx: OrganisationTx, input: { network: Network; asset: NetworkAsset; subWalletId: string; tiers: Tiers; nowMs: number }) {
  const { network, asset, subWalletId, tiers, nowMs } = input
  const coin = network.assets.find((each) => each.contract === null)
  if (!coin) throw new AppError('node_configuration')
  const booked = await balances(tx, subWalletId)
  const availableOf = ({ chain, contract }: NetworkAsset) =>
    booked.find((each) => each.asset.chain === chain && each.asset.contract === contract)?.available ?? 0n
  const available = availableOf(asset)
  const normal = tiers[1].feeMax
  const most = asset.contract !== null ? available : available > normal ? available - normal : 0n
  return {
    fee_symbol: coin.symbol,
    tiers: TIERS.map((tier, i) => ({ tier, fee: formatAmount(tiers[i]!.feeMax, coin.decimals), eta_s: ETA_S[network.family][i]! })),
    fee_balance: formatAmount(availableOf(coin), coin.decimals),
    max_withdraw: formatAmount(most, asset.decimals),
    quoted_at: nowMs,
    valid_ms: VALID_MS,
  }
}
