import type { Tx } from '@holdfast/db'
import { sql } from 'kysely'

/** A coin by its chain and contract; null is the chain's own coin. */
export type PricedAsset = { chain: string; contract: string | null }
/** `price` in 10^-24 of a dollar for one whole coin, when it was said, and by whom. */
export type Quote = { price: bigint; atMs: number; source: string }

/** A price of the present may be this old; the feed is asked once a minute. */
const PRESENT_AGE_MAX_MS = 15 * 60_000
/** A price of the past may be this old: of the past only one quote for each hour is kept. */
const PAST_AGE_MAX_MS = 2 * 3_600_000

/** Names an asset in the maps that these functions answer. */
export const priceKey = ({ chain, contract }: PricedAsset): string => `${chain}|${contract ?? ''}`

/**
 * What an asset was worth at a moment: the newest quote not after it and at most `ageMaxMs` older (2 hours).
 * Undefined where there is none: unknown, which is not nothing.
 */
export async function priceAt(tx: Tx, asset: PricedAsset, atMs: number, ageMaxMs = PAST_AGE_MAX_MS): Promise<Quote | undefined> {
  return (await pricesAt(tx, [asset], [atMs], ageMaxMs)).get(priceKey(asset))![0]
}

/** What assets are worth now, by `priceKey`: quotes at most 15 minutes old. An asset whose price is not known is not in the map. */
export async function latestPrices(tx: Tx, assets: readonly PricedAsset[], nowMs: number): Promise<Map<string, Quote>> {
  const known = await pricesAt(tx, assets, [nowMs], PRESENT_AGE_MAX_MS)
  return new Map([...known].flatMap(([key, [quote]]) => (quote ? [[key, quote] as const] : [])))
}

/** `priceAt` of several assets at several moments: by `priceKey`, a list as long as `times` with undefined where nothing is known. */
export async function pricesAt(
  tx: Tx,
  assets: readonly PricedAsset[],
  times: readonly number[],
  ageMaxMs = PAST_AGE_MAX_MS,
): Promise<Map<string, (Quote | undefined)[]>> {
  const found = new Map(assets.map((asset) => [priceKey(asset), times.map((): Quote | undefined => undefined)]))
  if (assets.length === 0 || times.length === 0) return found
  const chains = assets.map((each) => each.chain)
  const contracts = assets.map((each) => each.contract ?? '')
  const { rows } = await sql<{ chain: string; contract: string; place: bigint; price: bigint; quoted_at: bigint; source: string }>`
    select wanted.chain, wanted.contract, moment.place, quote.price, quote.quoted_at, quote.source
    from unnest(${chains}::text[], ${contracts}::text[]) as wanted (chain, contract)
    cross join unnest(${[...times]}::int8[]) with ordinality as moment (at, place)
    cross join lateral (
      select price, quoted_at, source from asset_price
      where chain = wanted.chain and contract = wanted.contract and currency = 'usd' and quoted_at <= moment.at and quoted_at >= moment.at - ${ageMaxMs}::int8
      order by quoted_at desc limit 1
    ) as quote`.execute(tx)
  for (const { chain, contract, place, price, quoted_at, source } of rows) {
    found.get(`${chain}|${contract}`)![Number(place) - 1] = { price, atMs: Number(quoted_at), source }
  }
  return found
}
