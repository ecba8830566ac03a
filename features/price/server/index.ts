export { latestPrices, priceAt, pricesAt, type PricedAsset, priceKey, type Quote } from './read-prices.ts'
export { startPrices } from './run-prices.ts'
export { formatPrice, formatWorth, worthAt } from './value.ts'
