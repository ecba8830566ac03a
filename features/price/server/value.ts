import { formatAmount } from '@holdfast/units'

/** A price counts 10^-24 of a dollar for one whole coin: enough for the cheapest token and the dearest coin alike. */
export const PRICE_DECIMALS = 24
/** A value counts millionths of a dollar. */
export const USD_DECIMALS = 6

/** What an amount in base units is worth, in millionths of a dollar: cut, so that nothing is shown that is not there. */
export function usdValue(amount: bigint, decimals: number, price: bigint): bigint {
  return (amount * price) / 10n ** BigInt(decimals + PRICE_DECIMALS - USD_DECIMALS)
}

/** Millionths of a dollar as decimal text. */
export function formatUsd(value: bigint): string {
  return formatAmount(value, USD_DECIMALS)
}

/** The price of one whole coin as decimal text. */
export function formatPrice(price: bigint): string {
  return formatAmount(price, PRICE_DECIMALS)
}

/** A price from decimal text: digits behind the 24th are cut. Undefined where the text is no price, or is nothing. */
export function parsePrice(text: string): bigint | undefined {
  const [, whole, fraction = ''] = /^(0|[1-9]\d{0,20})(?:\.(\d{1,60}))?$/.exec(text) ?? []
  if (whole === undefined) return undefined
  const price = BigInt(whole + fraction.padEnd(PRICE_DECIMALS, '0').slice(0, PRICE_DECIMALS))
  return price > 0n ? price : undefined
}
