import type { Language } from '@holdfast/contract'
import type { Tx } from '@holdfast/db'
import { known } from '@holdfast/units'
import { sql } from 'kysely'
import { type Fiat, FIATS } from '../contract.ts'
import { priceIn } from './value.ts'

/** A coin by its chain and contract; null is the chain's own coin. */
type PricedAsset = { chain: string; contract: string | null }
/** `price` in 10^-24 of the currency for one whole coin, when it was said, and by whom. */
export type Quote = { price: bigint; atMs: number; source: Readonly<Record<Language, string>> }

/** A price of the present may be this old; the feed is asked once a minute. */
const PRESENT_AGE_MAX_MS = 15 * 60_000
/** A price of the past may be this old: of the past only one quote for each hour is kept. */
const PAST_AGE_MAX_MS = 2 * 3_600_000
/** What a currency is worth in dollars may be told once on each working day, and holidays fall together with weekends. */
const RATE_AGE_MAX_MS = 4 * 24 * 3_600_000

/** Names an asset in the maps that these functions answer. */
export const priceKey = ({ chain, contract }: PricedAsset): string => `${chain}|${contract ?? ''}`

/** A currency as an asset: what one of it is worth is told in dollars, like any coin. */
const fiatAsset = (fiat: Fiat): PricedAsset => ({ chain: `iso4217:${fiat}`, contract: null })

/** Every currency that a feed may tell the worth of; the dollar is the measure. */
export const PRICED_FIATS: readonly PricedAsset[] = FIATS.filter((fiat) => fiat !== 'USD').map(fiatAsset)

/** What assets are worth now, by `priceKey`: quotes at most 15 minutes old. An asset whose price is not known is not in the map. */
export async function latestPrices(tx: Tx, assets: readonly PricedAsset[], nowMs: number, fiat: Fiat): Promise<Map<string, Quote>> {
  const known = await pricesAt(tx, assets, [nowMs], fiat, PRESENT_AGE_MAX_MS)
  return new Map([...known].flatMap(([key, [quote]]) => (quote ? [[key, quote] as const] : [])))
}

/**
 * What assets were worth at several moments: each the newest quote not after the moment and at most `ageMaxMs` older (2 hours). By `priceKey`, a list as long as
 * `times`; undefined means unknown, which is not nothing. A price in another currency than the dollar is known if the currency has a quote too, at most four
 * days older than the moment.
 */
export async function pricesAt(
  tx: Tx,
  assets: readonly PricedAsset[],
  times: readonly number[],
  fiat: Fiat,
  ageMaxMs = PAST_AGE_MAX_MS,
): Promise<Map<string, (Quote | undefined)[]>> {
  if (fiat === 'USD') return quotesAt(tx, assets, times, ageMaxMs)
  const [inDollars, ofFiat] = await Promise.all([quotesAt(tx, assets, times, ageMaxMs), quotesAt(tx, [fiatAsset(fiat)], times, RATE_AGE_MAX_MS)])
  const rates = known(ofFiat.get(priceKey(fiatAsset(fiat))), `the rates of ${fiat}`)
  return new Map([...inDollars].map(([key, quotes]) => [key, quotes.map((quote, i) => convert(quote, rates[i]))]))
}

function convert(quote: Quote | undefined, rate: Quote | undefined): Quote | undefined {
  const price = quote && rate && priceIn(quote.price, rate.price)
  return quote === undefined || price === undefined ? undefined : { ...quote, price }
}

async function quotesAt(tx: Tx, assets: readonly PricedAsset[], times: readonly number[], ageMaxMs: number): Promise<Map<string, (Quote | undefined)[]>> {
  const found = new Map(assets.map((asset) => [priceKey(asset), times.map((): Quote | undefined => undefined)]))
  if (assets.length === 0 || times.length === 0) return found
  const chains = assets.map((each) => each.chain)
  const contracts = assets.map((each) => each.contract ?? '')
  type Row = { chain: string; contract: string; place: bigint; price: bigint; quoted_at: bigint; source: string; source_zh: string | null }
  const { rows } = await sql<Row>`
    select wanted.chain, wanted.contract, moment.place, quote.price, quote.quoted_at, quote.source, quote.source_zh
    from unnest(${chains}::text[], ${contracts}::text[]) as wanted (chain, contract)
    cross join unnest(${[...times]}::int8[]) with ordinality as moment (at, place)
    cross join lateral (
      select price, quoted_at, source, source_zh from asset_price
      where chain = wanted.chain and contract = wanted.contract and currency = 'usd' and quoted_at <= moment.at and quoted_at >= moment.at - ${ageMaxMs}::int8
      order by quoted_at desc limit 1
    ) as quote`.execute(tx)
  for (const { chain, contract, place, price, quoted_at, source, source_zh } of rows) {
    const quotes = known(found.get(`${chain}|${contract}`), `the quotes of ${contract} on ${chain}`)
    quotes[Number(place) - 1] = { price, atMs: Number(quoted_at), source: { en_US: source, zh_CN: source_zh ?? source } }
  }
  return found
}
