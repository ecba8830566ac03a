import type { ServerFeature } from '@holdfast/features/server-feature'
import { startPrices } from './run-prices.ts'

export { latestPrices, type Moment, pricesAt, pricesOf, priceKey, type Quote, recentPrices, type RecentPrices } from './read-prices.ts'
export { formatPrice, formatWorth, worthAt } from './value.ts'

export const feature: ServerFeature = { work: (context, { priceUrl, report }) => [startPrices(context, priceUrl, report)] }
