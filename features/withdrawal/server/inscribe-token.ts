import { BRC20_DECIMALS, readBrc20Asset } from '@holdfast/chain-core'
import { AppError } from '@holdfast/contract'
import type { ServerContext } from '@holdfast/features/context'
import type { Network, NetworkAsset } from '@holdfast/features/network/server'
import { inscribable, makesInscriptions, NEW_POSTAGE } from '@holdfast/features/transfer/server'
import { brc20Decimals } from '@holdfast/features/utxo/server'
import { formatAmount, type OrganisationId } from '@holdfast/units'
import { withdrawalErrors } from '../errors.ts'

/** What an order for a BRC-20 token also needs: it is inscribed first, with this coin. Nothing for any other asset. */
export function inscribing({ contract }: Pick<NetworkAsset, 'contract'>): { inscribes?: bigint } {
  return readBrc20Asset(contract) === undefined ? {} : { inscribes: NEW_POSTAGE }
}

/** The amount of a BRC-20 token that can be inscribed now, in base units; undefined for any other asset. Throws `inscription_needs_taproot`. */
export async function mostInscribable(
  { db }: Pick<ServerContext, 'db'>,
  orgId: OrganisationId,
  { network, asset, address }: { network: Network; asset: NetworkAsset; address: string },
): Promise<bigint | undefined> {
  if (asset.contract === null || readBrc20Asset(asset.contract) === undefined) return undefined
  if (!makesInscriptions(network, address)) throw new AppError(withdrawalErrors.inscription_needs_taproot)
  const most = await inscribable({ db }, orgId, network, { address, contract: asset.contract, orderId: null })
  return most > 0n ? most : 0n
}

/**
 * Refuses an amount of a BRC-20 token that could not be inscribed: more than is available by our own index, or in smaller parts than the token has. Throws
 * `token_not_available`, `exceeds_precision`, and `inscription_needs_taproot` if the payer is no taproot address.
 */
export async function demandInscribable(
  needs: Pick<ServerContext, 'db'>,
  orgId: OrganisationId,
  request: { network: Network; asset: NetworkAsset; amount: bigint; address: string },
): Promise<void> {
  const { network, asset, amount } = request
  const [ticker, most] = [readBrc20Asset(asset.contract), await mostInscribable(needs, orgId, request)]
  if (ticker === undefined || most === undefined) return
  const decimals = await brc20Decimals(needs.db, network.chain, ticker)
  if (amount % 10n ** BigInt(BRC20_DECIMALS - decimals) !== 0n) throw new AppError('exceeds_precision', { details: { decimals } })
  if (amount > most)
    throw new AppError(withdrawalErrors.token_not_available, { details: { available: formatAmount(most, asset.decimals), symbol: asset.symbol } })
}
