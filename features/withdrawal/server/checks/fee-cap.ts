import { AppError } from '@holdfast/contract'
import { type Network, ownCoin } from '@holdfast/features/network/server'
import { transferErrors } from '@holdfast/features/transfer/errors'
import { formatAmount } from '@holdfast/units'
import { capBounds, FEE_CAP_FACTOR_MAX, type Tiers } from '../estimate-gas.ts'
import type { Check } from './check.ts'

/** The fee cap can be met now, and is no obvious mistake. */
export const feeCap: Check = { told: (_, { request, tiers }) => checkFeeCap({ feeCap: request.feeCap.amount, network: request.network }, tiers) }

/** Refuses a fee cap that cannot be met now, or that is an obvious mistake. Throws `build_failed`. */
export function checkFeeCap({ feeCap, network }: { feeCap: bigint; network: Network }, tiers: Tiers): void {
  const coin = ownCoin(network)
  const shown = (amount: bigint) => `${formatAmount(amount, coin.decimals)} ${coin.symbol}`
  const { least, most } = capBounds(tiers)
  if (feeCap < least)
    throw new AppError(transferErrors.build_failed, { details: { reason: `the fee can reach ${shown(least)} now, and the cap is ${shown(feeCap)}` } })
  if (feeCap > most)
    throw new AppError(transferErrors.build_failed, {
      details: { reason: `a fee cap of ${shown(feeCap)} is more than ${FEE_CAP_FACTOR_MAX} times the fast fee` },
    })
}
