import type { SystemTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { repeat } from '@holdfast/jobs'
import { sql } from 'kysely'
import { type FeedAnswer, fetchQuotes } from './fetch-quotes.ts'
import { PRICED_FIATS, priceKey } from './read-prices.ts'
import { parsePrice } from './value.ts'

type PriceNeeds = Pick<ServerContext, 'ports' | 'db' | 'networks'>

const PAUSE_MS = 60_000
const HOUR_MS = 3_600_000
/** A feed that knows the past is asked for this much of it, once. */
const PAST_MS = 100 * 24 * HOUR_MS
/** A feed may publish a quote later than others that are newer: it is asked again for so much of what it said. */
const LATE_MS = HOUR_MS
/** Every quote is kept so long; after that one for each hour. */
const KEPT_WHOLE_MS = 48 * HOUR_MS
/** Clocks differ a little; a quote of the future beyond that is a mistake. */
const AHEAD_MAX_MS = 60_000
const ROWS_AT_ONCE = 10_000

/** Asks the feed once a minute until stopped. Without a feed nothing is asked and every price stays unknown. */
export function startPrices(needs: PriceNeeds, url: string | undefined, report: (cause: unknown) => void = () => {}): { stop(): Promise<void> } {
  if (url === undefined) return { stop: async () => {} }
  return repeat(needs.ports.timer, PAUSE_MS, () => takeQuotes(needs, url), report)
}

/** One round: what the feed says since an hour before the newest quote that is known. Two servers that do the same at once write the same. */
export async function takeQuotes(needs: PriceNeeds, url: string): Promise<void> {
  const nowMs = needs.ports.clock.nowMs()
  const newest = await needs.db.asSystem((tx) =>
    tx
      .selectFrom('asset_price')
      .select((row) => row.fn.max('quoted_at').as('at'))
      .executeTakeFirst(),
  )
  const sinceMs = Math.max(nowMs - PAST_MS, newest?.at == null ? 0 : Number(newest.at) - LATE_MS)
  const answer = await fetchQuotes(needs.ports, url, sinceMs)
  const rows = rowsOf(needs, answer, nowMs)
  await needs.db.asSystem(async (tx) => {
    for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) await keepQuotes(tx, rows.slice(at, at + ROWS_AT_ONCE), answer)
    await thinOut(tx, nowMs)
  })
}

type QuoteToKeep = { chain: string; contract: string; quotedAtMs: number; price: bigint }

/** In four lists, whose length no statement depends on: the past of a feed is tens of thousands of quotes. */
async function keepQuotes(tx: SystemTx, rows: readonly QuoteToKeep[], { label, label_zh }: FeedAnswer): Promise<void> {
  await sql`
    insert into asset_price (chain, contract, currency, quoted_at, price, source, source_zh)
    select said.chain, said.contract, 'usd', said.quoted_at, said.price, ${label}::text, ${label_zh ?? null}::text
    from unnest(${rows.map(({ chain }) => chain)}::text[], ${rows.map(({ contract }) => contract)}::text[],
      ${rows.map(({ quotedAtMs }) => quotedAtMs)}::int8[], ${rows.map(({ price }) => price)}::numeric[]) as said (chain, contract, quoted_at, price)
    on conflict do nothing`.execute(tx)
}

function rowsOf({ networks }: Pick<PriceNeeds, 'networks'>, { quotes }: FeedAnswer, nowMs: number): QuoteToKeep[] {
  const known = new Set([...networks.list().flatMap((network) => network.assets), ...PRICED_FIATS].map(priceKey))
  // A contract may be written in lower case by whoever serves the feed; we know it by the chain's own spelling, which takes a hash to find.
  const contracts = new Map<string, string | undefined>()
  const contractOf = (asset: { chain: string; contract: string | null }): string | undefined => {
    const key = priceKey(asset)
    if (!contracts.has(key)) {
      const canonical = asset.contract === null ? null : networks.find(asset.chain)?.codec.canonicalAddress(asset.contract)
      const isOurs = canonical !== undefined && known.has(priceKey({ chain: asset.chain, contract: canonical }))
      contracts.set(key, isOurs ? (canonical ?? '') : undefined)
    }
    return contracts.get(key)
  }
  return quotes.flatMap(({ chain, contract: given, price: text, at_ms }) => {
    const contract = contractOf({ chain, contract: given })
    const price = parsePrice(text)
    if (contract === undefined || price === undefined || at_ms > nowMs + AHEAD_MAX_MS || at_ms < nowMs - PAST_MS) return []
    return [{ chain, contract, quotedAtMs: at_ms, price }]
  })
}

/** Of what is older than two days the first quote of each hour stays. Looks back only as far as a day more, for what it left since. */
async function thinOut(tx: SystemTx, nowMs: number): Promise<void> {
  const before = nowMs - KEPT_WHOLE_MS
  await sql`
    delete from asset_price as later using asset_price as earlier
    where later.quoted_at < ${before}::int8 and later.quoted_at >= ${before - 24 * HOUR_MS}::int8
      and earlier.chain = later.chain and earlier.contract = later.contract and earlier.currency = later.currency
      and earlier.quoted_at < later.quoted_at and earlier.quoted_at >= later.quoted_at - later.quoted_at % ${HOUR_MS}::int8`.execute(tx)
}
