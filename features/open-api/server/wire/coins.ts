import { AppError } from '@holdfast/contract'
import type { ServerContext } from '@holdfast/features/context'
import { assetsOf, type Network, type NetworkAsset } from '@holdfast/features/network/server'
import { openWireErrors } from '../../errors.ts'

/** A coin by the one text that names it at door two. */
export type WireCoin = { name: string; network: Network; asset: NetworkAsset }

/** The coins of an organisation. Its symbol names one alone; where several networks have it, the network stands behind it. */
export function wireCoins({ networks }: Pick<ServerContext, 'networks'>, orgId: string): WireCoin[] {
  const all = networks.list().flatMap((network) => assetsOf(network, orgId).map((asset) => ({ network, asset })))
  const isAlone = ({ symbol }: NetworkAsset) => all.filter(({ asset }) => asset.symbol.toLowerCase() === symbol.toLowerCase()).length === 1
  return all.map((each) => ({ ...each, name: isAlone(each.asset) ? each.asset.symbol : longName(each.asset) }))
}

const longName = ({ symbol, chain }: NetworkAsset): string => `${symbol}@${chain}`

/** The coin that a text names; its long name is always one. Throws AppError where it names none, or several. */
export function coinNamed(context: Pick<ServerContext, 'networks'>, orgId: string, given: string): WireCoin {
  const coins = wireCoins(context, orgId)
  const found = coins.find(({ name, asset }) => name === given || longName(asset) === given)
  if (found) return found
  const several = coins.filter(({ asset }) => asset.symbol === given)
  if (several.length === 0) throw new AppError(openWireErrors.coin_unknown, { details: { symbol: given } })
  throw new AppError(openWireErrors.coin_of_several, { details: { symbol: given, names: several.map(({ name }) => name).join(', ') } })
}

/** The network whose own coin a text names. Throws AppError. */
export function networkNamed(context: Pick<ServerContext, 'networks'>, orgId: string, given: string): WireCoin {
  const coin = coinNamed(context, orgId, given)
  if (coin.asset.contract !== null) throw new AppError(openWireErrors.coin_unknown, { details: { symbol: given } })
  return coin
}

/** The name of a coin of which a record tells, also of one that is no more. */
export const nameIn = (coins: readonly WireCoin[], { chain, symbol }: { chain: string; symbol: string }): string =>
  coins.find(({ asset }) => asset.chain === chain && asset.symbol === symbol)?.name ?? `${symbol}@${chain}`
