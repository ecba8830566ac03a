import type { Language } from '@holdfast/contract'
import { restOnMemory, type Tx, writtenOnce } from '@holdfast/db'
import type { Networks } from '@holdfast/features/network/server'
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
  const quotes = await pricesOf(
    tx,
    assets.flatMap((asset) => times.map((atMs) => ({ asset, atMs }))),
    fiat,
    ageMaxMs,
  )
  return new Map(assets.map((asset, i) => [priceKey(asset), quotes.slice(i * times.length, (i + 1) * times.length)]))
}

/** An asset and the moment at which its price is wanted. */
export type Moment = { asset: PricedAsset; atMs: number }

/** `priceAt` of each of a list of assets, each at its own moment. */
export async function pricesOf(tx: Tx, wanted: readonly Moment[], fiat: Fiat, ageMaxMs = PAST_AGE_MAX_MS): Promise<(Quote | undefined)[]> {
  if (fiat === 'USD') return quotesOf(tx, wanted, ageMaxMs)
  const ofFiat = wanted.map(({ atMs }) => ({ asset: fiatAsset(fiat), atMs }))
  const [quotes, rates] = await Promise.all([quotesOf(tx, wanted, ageMaxMs), quotesOf(tx, ofFiat, RATE_AGE_MAX_MS)])
  return quotes.map((quote, i) => convert(quote, rates[i]))
}

function convert(quote: Quote | undefined, rate: Quote | undefined): Quote | undefined {
  const price = quote && rate && priceIn(quote.price, rate.price)
  return quote === undefined || price === undefined ? undefined : { ...quote, price }
}

type QuoteRow = { place: number; price: bigint; quoted_at: bigint; source: string; source_zh: string | null }

const askQuotes = writtenOnce(
  (_, { asked, ageMaxMs }: { asked: string; ageMaxMs: number }) => sql<QuoteRow>`
    select wanted.place, quote.price, quote.quoted_at, quote.source, quote.source_zh
    from jsonb_to_recordset(${asked}::jsonb) as wanted (place int4, chain text, contract text, at int8)
    cross join lateral (
      select price, quoted_at, source, source_zh from asset_price
      where chain = wanted.chain and contract = wanted.contract and currency = 'usd' and quoted_at <= wanted.at and quoted_at >= wanted.at - ${ageMaxMs}::int8
      order by quoted_at desc limit 1
    ) as quote`,
)

async function quotesOf(tx: Tx, wanted: readonly Moment[], ageMaxMs: number): Promise<(Quote | undefined)[]> {
  const found = wanted.map((): Quote | undefined => undefined)
  if (wanted.length === 0) return found
  const asked = wanted.map(({ asset, atMs }, place) => ({ place, chain: asset.chain, contract: asset.contract ?? '', at: atMs }))
  // Of a list in one document the database guesses one length, whatever it holds, so that it plans the question once and for all.
  const rows = await askQuotes(tx, { asked: JSON.stringify(asked), ageMaxMs })
  for (const { place, price, quoted_at, source, source_zh } of rows)
    found[place] = { price, atMs: Number(quoted_at), source: { en_US: source, zh_CN: source_zh ?? source } }
  return found
}

const DAY_MS = 24 * 3_600_000
/** What coins are worth is asked of the database once in this time: the feed is asked once a minute. */
const REMEMBERED_MS = 1_000

/** What coins are worth now, by `priceKey`, and what one of each was worth a day ago. Which price is not known, is not there. */
export type RecentPrices = { now: ReadonlyMap<string, Quote>; dayAgo: ReadonlyMap<string, bigint> }

/** What was asked last, by currency. Prices are the installation's and no organisation's. */
const remembered = new WeakMap<Networks, Map<Fiat, RecentPrices & { atMs: number }>>()

/** The prices of every coin of the installation, at most a second old. */
export async function recentPrices(tx: Tx, networks: Networks, nowMs: number, fiat: Fiat): Promise<RecentPrices> {
  const kept = remembered.get(networks)?.get(fiat)
  if (kept && kept.atMs <= nowMs && nowMs < kept.atMs + REMEMBERED_MS) {
    restOnMemory(kept.atMs + REMEMBERED_MS)
    return kept
  }
  const assets = networks.list().flatMap((network) => network.assets)
  const [now, before] = await Promise.all([latestPrices(tx, assets, nowMs, fiat), pricesAt(tx, assets, [nowMs - DAY_MS], fiat)])
  const dayAgo = new Map([...before].flatMap(([key, [quote]]) => (quote ? [[key, quote.price] as const] : [])))
  const byFiat = remembered.get(networks) ?? new Map()
  remembered.set(networks, byFiat.set(fiat, { now, dayAgo, atMs: nowMs }))
  return { now, dayAgo }
}
