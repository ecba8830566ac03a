import { formatAmount } from '@holdfast/units'

/** A price counts 10^-24 of a currency for one whole coin: enough for the cheapest token and the dearest coin alike. */
export const PRICE_DECIMALS = 24
const PRICE_UNIT = 10n ** BigInt(PRICE_DECIMALS)
/** A value counts millionths of a currency. */
const VALUE_DECIMALS = 6

/** What an amount in base units is worth, in millionths of the price's currency: cut, so that nothing is shown that is not there. */
export function worthAt(amount: bigint, decimals: number, price: bigint): bigint {
  return (amount * price) / 10n ** BigInt(decimals + PRICE_DECIMALS - VALUE_DECIMALS)
}

/** A price in dollars as one of a currency that is itself worth `rate` dollars: cut, and undefined if nothing is left of it. */
export function priceIn(price: bigint, rate: bigint): bigint | undefined {
  const converted = (price * PRICE_UNIT) / rate
  return converted > 0n ? converted : undefined
}

/** Millionths of a currency as decimal text. */
export function formatWorth(value: bigint): string {
  return formatAmount(value, VALUE_DECIMALS)
}

/** The price of one whole coin as decimal text. */
export function formatPrice(price: bigint): string {
  return formatAmount(price, PRICE_DECIMALS)
}

/** A price from decimal text: digits behind the 24th are cut. Undefined if the text is no price, or is nothing. */
export function parsePrice(text: string): bigint | undefined {
  const [, whole, fraction = ''] = /^(0|[1-9]\d{0,20})(?:\.(\d{1,60}))?$/.exec(text) ?? []
  if (whole === undefined) return undefined
  const price = BigInt(whole + fraction.padEnd(PRICE_DECIMALS, '0').slice(0, PRICE_DECIMALS))
  return price > 0n ? price : undefined
}
