import type { Language } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import type { NetworkAsset, Networks } from '@holdfast/features/network/server'
import type { Fiat } from '@holdfast/features/price/contract'
import { formatPrice, formatWorth, priceKey, recentPrices, type RecentPrices, worthAt } from '@holdfast/features/price/server'
import type { Holding } from './read-holdings.ts'

/** The time of a request for values, and its currency and language. */
export type Valued = { nowMs: number; fiat: Fiat; language: Language }

/** The prices of every coin of the installation, and their sources. */
export type Prices = RecentPrices & { source: string | null }

export async function readPrices(tx: OrganisationTx, networks: Networks, { nowMs, fiat, language }: Valued): Promise<Prices> {
  const prices = await recentPrices(tx, networks, nowMs, fiat)
  return { ...prices, source: prices.now.values().next().value?.source[language] ?? null }
}

/** Whether a price of the holdings is unknown, and the value of the rest in millionths of the currency. */
export type Worth = { value: bigint | undefined; isPartial: boolean }

/** The value of holdings. No holdings are worth zero; if no price is known at all, the value is unknown. */
export function worthOf(holdings: readonly Holding[], prices: Pick<Prices, 'now'>): Worth {
  const held = holdings.filter(({ amount }) => amount > 0n)
  const values = held.map((each) => valueOf(each, prices))
  const known = values.filter((value) => value !== undefined)
  if (held.length > 0 && known.length === 0) return { value: undefined, isPartial: false }
  return { value: known.reduce((sum, value) => sum + value, 0n), isPartial: known.length < held.length }
}

export function valueOf({ asset, amount }: Holding, { now }: Pick<Prices, 'now'>): bigint | undefined {
  const quote = now.get(priceKey(asset))
  return quote && worthAt(amount, asset.decimals, quote.price)
}

/** The value of the present holdings at the prices of a day ago; undefined unless every price is known at both times. */
export function worthDayAgo(holdings: readonly Holding[], prices: Prices): bigint | undefined {
  let sum = 0n
  for (const { asset, amount } of holdings.filter((each) => each.amount > 0n)) {
    const before = prices.dayAgo.get(priceKey(asset))
    if (before === undefined || !prices.now.has(priceKey(asset))) return undefined
    sum += worthAt(amount, asset.decimals, before)
  }
  return sum
}

/** The fields of a value in every answer. */
export function worthView({ value, isPartial }: Worth) {
  return { usd_balance: value === undefined ? null : formatWorth(value), usd_partial: isPartial }
}

/** A coin's price and its change, as in answers. */
export function priceView(asset: NetworkAsset, { now, dayAgo }: Prices) {
  const price = now.get(priceKey(asset))?.price
  const before = dayAgo.get(priceKey(asset))
  return {
    price: price === undefined ? null : formatPrice(price),
    price_change: price === undefined || before === undefined ? null : percentText(price - before, before),
  }
}

/** `part` of `whole` in percent with two decimals, rounded towards zero. */
export function percentText(part: bigint, whole: bigint): string | null {
  return whole === 0n ? null : hundredthsText((part * 10_000n) / whole)
}

/**
 * Shares of a whole as percentages of two decimals that add up to 100.00 if the parts add up to the whole: the remainder of rounding goes to the parts that
 * lost the most by it.
 */
export function shareTexts(parts: readonly bigint[], whole: bigint): string[] {
  const cut = parts.map((part, place) => ({ place, hundredths: (part * 10_000n) / whole, rest: (part * 10_000n) % whole }))
  const left = cut.reduce((sum, { rest }) => sum + rest, 0n) / whole
  const raised = new Set(
    cut
      .toSorted((a, b) => (a.rest > b.rest ? -1 : a.rest < b.rest ? 1 : 0))
      .slice(0, Number(left))
      .map(({ place }) => place),
  )
  return cut.map(({ place, hundredths }) => hundredthsText(hundredths + (raised.has(place) ? 1n : 0n)))
}

function hundredthsText(hundredths: bigint): string {
  const digits = (hundredths < 0n ? -hundredths : hundredths).toString().padStart(3, '0')
  return `${hundredths < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}
