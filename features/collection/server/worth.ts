import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import type { NetworkAsset } from '@holdfast/features/network/server'
import { latestPrices, priceKey, worthAt } from '@holdfast/features/price/server'

/** What an amount of an asset is worth in US dollars, as sums of worth are counted; undefined without a price. */
export type WorthOf = (asset: NetworkAsset, amount: bigint) => bigint | undefined

/** What amounts of some assets are worth now. */
export async function worthOf(tx: OrganisationTx, { ports }: Pick<ServerContext, 'ports'>, assets: readonly NetworkAsset[]): Promise<WorthOf> {
  const distinct = [...new Map(assets.map(({ chain, contract }) => [`${chain} ${contract ?? ''}`, { chain, contract }])).values()]
  const prices = await latestPrices(tx, distinct, ports.clock.nowMs(), 'USD')
  return (asset, amount) => {
    const quote = prices.get(priceKey(asset))
    return quote && worthAt(amount, asset.decimals, quote.price)
  }
}
