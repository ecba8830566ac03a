import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { Database } from '@holdfast/db'
import { openTestDatabase } from '@holdfast/db/test'
import { openNetworks, type Network } from '@holdfast/features/network/server'
import { nodePorts } from '@holdfast/ports/node'
import { sql } from 'kysely'
import { latestPrices, priceKey, pricesAt } from './read-prices.ts'
import { takeQuotes } from './run-prices.ts'
import { formatPrice, parsePrice } from './value.ts'

const CHAIN = 'eip155:31337'
const TOKEN = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const COIN = { chain: CHAIN, contract: null }
const DOLLAR = { chain: CHAIN, contract: TOKEN }
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const NOW_MS = Date.UTC(2026, 5, 1, 12, 30)

let db: Database
let asked: URL[]
let answer: () => Response

const networks = openNetworks([
  {
    chain: CHAIN,
    name: 'Test',
    assets: [COIN, DOLLAR].map((each) => ({ ...each, symbol: 'X', decimals: 6 })),
    codec: { canonicalAddress: (text: string) => (text.toLowerCase() === TOKEN.toLowerCase() ? TOKEN : undefined) },
  } as unknown as Network,
])
const quotesOf =
  (quotes: object[], label = 'Test feed') =>
  () =>
    Response.json({ label, currency: 'usd', quotes })
const quote = (price: string, at_ms: number, asset: { chain: string; contract: string | null } = COIN) => ({ ...asset, price, at_ms })

async function take(nowMs = NOW_MS): Promise<void> {
  const fetch = (async (input: URL) => {
    asked.push(input)
    return answer()
  }) as unknown as typeof globalThis.fetch
  const ports = { ...nodePorts, fetch, clock: { nowMs: () => nowMs, monotonicMs: () => 0 } }
  await takeQuotes({ ports, db, networks }, 'https://feed.example/prices?key=secret')
}

before(async () => void (db = await openTestDatabase()))
after(() => db.close())
beforeEach(async () => {
  asked = []
  await db.asSystem((tx) => sql`delete from asset_price`.execute(tx))
})

const stored = () => db.asSystem((tx) => tx.selectFrom('asset_price').selectAll().orderBy('contract').orderBy('quoted_at').execute())
const textAt = (atMs: number, ageMaxMs?: number) =>
  db.asSystem(async (tx) => {
    const found = (await pricesAt(tx, [COIN], [atMs], 'USD', ageMaxMs)).get(priceKey(COIN))?.[0]
    return found && formatPrice(found.price)
  })

test('a price is the newest quote not after the moment, and unknown where that is too old', async () => {
  answer = quotesOf([quote('10', NOW_MS - 4 * HOUR_MS), quote('11.5', NOW_MS - HOUR_MS), quote('12', NOW_MS)])
  await take()
  assert.equal(await textAt(NOW_MS), '12')
  assert.equal(await textAt(NOW_MS - 1), '11.5')
  assert.equal(await textAt(NOW_MS - HOUR_MS - 1), undefined)
  assert.equal(await textAt(NOW_MS - 4 * HOUR_MS), '10')
  assert.equal(await textAt(NOW_MS - 4 * HOUR_MS - 1), undefined)
  assert.equal(await textAt(NOW_MS - 1, HOUR_MS - 2), undefined)
})

test('an asset without a fresh price is left out of the present ones, never worth nothing', async () => {
  answer = quotesOf([quote('12', NOW_MS), quote('1.0001', NOW_MS - 20 * MINUTE_MS, DOLLAR)])
  await take()
  await db.asSystem(async (tx) => {
    const present = await latestPrices(tx, [COIN, DOLLAR], NOW_MS, 'USD')
    assert.deepEqual([...present], [[priceKey(COIN), { price: parsePrice('12'), atMs: NOW_MS, source: { en_US: 'Test feed', zh_CN: 'Test feed' } }]])
    assert.deepEqual(await latestPrices(tx, [], NOW_MS, 'USD'), new Map())
    const past = await pricesAt(tx, [DOLLAR, COIN], [NOW_MS, NOW_MS - HOUR_MS], 'USD')
    assert.deepEqual(
      past.get(priceKey(DOLLAR))!.map((each) => each?.price),
      [parsePrice('1.0001'), undefined],
    )
    assert.deepEqual(
      past.get(priceKey(COIN))!.map((each) => each?.price),
      [parsePrice('12'), undefined],
    )
  })
})

test('a price in another currency is known where the coin and the currency both have a quote for the moment, and else is not', async () => {
  const euro = { chain: 'iso4217:EUR', contract: null }
  answer = () => {
    const quotes = [quote('12', NOW_MS), quote('10', NOW_MS - HOUR_MS), quote('1.25', NOW_MS, euro), quote('9', NOW_MS, { ...euro, chain: 'iso4217:XXX' })]
    return Response.json({ label: 'Test feed', label_zh: '测试报价', currency: 'usd', quotes })
  }
  await take()
  assert.equal((await stored()).length, 3)
  await db.asSystem(async (tx) => {
    const texts = async (fiat: 'EUR' | 'GBP') =>
      (await pricesAt(tx, [COIN], [NOW_MS, NOW_MS - HOUR_MS], fiat)).get(priceKey(COIN))!.map((each) => each && formatPrice(each.price))
    assert.deepEqual(await texts('EUR'), ['9.6', undefined])
    assert.deepEqual(await texts('GBP'), [undefined, undefined])
    assert.deepEqual((await latestPrices(tx, [COIN], NOW_MS, 'EUR')).get(priceKey(COIN))!.source, { en_US: 'Test feed', zh_CN: '测试报价' })
    assert.deepEqual(await latestPrices(tx, [COIN], NOW_MS, 'GBP'), new Map())
  })
})

test('what no network has, what is no price and what comes from the future is not kept; a contract is known by any spelling', async () => {
  answer = quotesOf([
    quote('5', NOW_MS, { chain: 'eip155:1', contract: null }),
    quote('5', NOW_MS, { chain: CHAIN, contract: '0x00' }),
    quote('0', NOW_MS),
    quote('-3', NOW_MS),
    quote('1e5', NOW_MS),
    quote('5', NOW_MS + 5 * MINUTE_MS),
    quote('0.9998', NOW_MS, { chain: CHAIN, contract: TOKEN.toLowerCase() }),
  ])
  await take()
  assert.deepEqual(
    (await stored()).map(({ contract, price }) => [contract, formatPrice(price)]),
    [[TOKEN, '0.9998']],
  )
})

test('a feed is asked for the past once, then from an hour before what is known, and the same quote twice is one', async () => {
  answer = quotesOf([quote('12', NOW_MS)])
  await take()
  await take(NOW_MS + MINUTE_MS)
  const since = asked.map((url) => Number(url.searchParams.get('since')))
  assert.deepEqual(since, [NOW_MS - 100 * 24 * HOUR_MS, NOW_MS - HOUR_MS])
  assert.equal(asked[0]!.searchParams.get('key'), 'secret')
  assert.equal((await stored()).length, 1)
})

test('a quote that is published late, and dated earlier than one of another coin, is taken all the same', async () => {
  const published = [
    { at: NOW_MS, ...quote('12', NOW_MS) },
    { at: NOW_MS + MINUTE_MS, ...quote('1', NOW_MS - 50 * MINUTE_MS, DOLLAR) },
  ]
  const say = async (nowMs: number) => {
    // Only what was published by then, and is dated since the moment that it is asked for.
    answer = () =>
      quotesOf(published.flatMap(({ at, ...each }) => (at <= nowMs && each.at_ms >= Number(asked.at(-1)!.searchParams.get('since')) ? [each] : [])))()
    await take(nowMs)
  }
  await say(NOW_MS)
  await say(NOW_MS + MINUTE_MS)
  assert.deepEqual(
    (await stored()).map(({ contract, price }) => [contract, formatPrice(price)]),
    [
      ['', '12'],
      [TOKEN, '1'],
    ],
  )
})

test('after two days one quote for each hour is left', async () => {
  const start = NOW_MS - (NOW_MS % HOUR_MS) - 3 * HOUR_MS
  answer = quotesOf(Array.from({ length: 180 }, (_, minute) => quote('12', start + minute * MINUTE_MS)))
  await take()
  assert.equal((await stored()).length, 180)
  answer = quotesOf([])
  await take(start + 51 * HOUR_MS)
  assert.deepEqual(
    (await stored()).map(({ quoted_at }) => Number(quoted_at)),
    [0, 1, 2].map((hour) => start + hour * HOUR_MS),
  )
})

test('a feed that answers something else changes nothing, and its key is not told', async () => {
  const wrong = [
    () => new Response('<html>', { status: 200 }),
    () => new Response('', { status: 500 }),
    () => Response.json({ label: 'x', currency: 'eur', quotes: [] }),
    () => Response.json({ label: 'x', currency: 'usd', quotes: [{ ...quote('1', NOW_MS), price: 12 }] }),
    () => Response.json({ label: ' \u202e ', currency: 'usd', quotes: [] }),
    () => new Response('x'.repeat((8 << 20) + 1)),
  ]
  for (const each of wrong) {
    answer = each
    await assert.rejects(
      take(),
      (cause: Error) => cause.name === 'PriceFeedError' && cause.message.includes('feed.example') && !cause.message.includes('secret'),
    )
  }
  assert.deepEqual(await stored(), [])
})
