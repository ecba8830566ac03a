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
/** Every quote is kept so long; after that one for each hour. */
const KEPT_WHOLE_MS = 48 * HOUR_MS
/** Clocks differ a little; a quote of the future beyond that is a mistake. */
const AHEAD_MAX_MS = 60_000
const ROWS_AT_ONCE = 1_000

/** Asks the feed once a minute until stopped. Without a feed nothing is asked and every price stays unknown. */
export function startPrices(needs: PriceNeeds, url: string | undefined, report: (cause: unknown) => void = () => {}): { stop(): Promise<void> } {
  if (url === undefined) return { stop: async () => {} }
  return repeat(needs.ports.timer, PAUSE_MS, () => takeQuotes(needs, url), report)
}

/** One round: what the feed says since the newest quote that is known. Two servers that do the same at once write the same. */
export async function takeQuotes(needs: PriceNeeds, url: string): Promise<void> {
  const nowMs = needs.ports.clock.nowMs()
  const newest = await needs.db.asSystem((tx) =>
    tx
      .selectFrom('asset_price')
      .select((row) => row.fn.max('quoted_at').as('at'))
      .executeTakeFirst(),
  )
  const sinceMs = Math.max(nowMs - PAST_MS, newest?.at == null ? 0 : Number(newest.at) + 1)
  const answer = await fetchQuotes(needs.ports, url, sinceMs)
  const rows = rowsOf(needs, answer, nowMs)
  await needs.db.asSystem(async (tx) => {
    for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
      await tx
        .insertInto('asset_price')
        .values(rows.slice(at, at + ROWS_AT_ONCE))
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    }
    await thinOut(tx, nowMs)
  })
}

function rowsOf({ networks }: Pick<PriceNeeds, 'networks'>, { label, label_zh, quotes }: FeedAnswer, nowMs: number) {
  const known = new Set([...networks.list().flatMap((network) => network.assets), ...PRICED_FIATS].map(priceKey))
  return quotes.flatMap(({ chain, contract, price: text, at_ms }) => {
    // A contract may be written in lower case by whoever serves the feed; we know it by the chain's own spelling.
    const canonical = contract === null ? null : networks.find(chain)?.codec.canonicalAddress(contract)
    const price = parsePrice(text)
    const isOurs = canonical !== undefined && known.has(priceKey({ chain, contract: canonical }))
    if (!isOurs || price === undefined || at_ms > nowMs + AHEAD_MAX_MS || at_ms < nowMs - PAST_MS) return []
    return [{ chain, contract: canonical ?? '', currency: 'usd', quoted_at: at_ms, price, source: label, source_zh: label_zh ?? null }]
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
