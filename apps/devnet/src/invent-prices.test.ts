import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inventPrices } from './invent-prices.ts'

const HOUR_MS = 3_600_000
const NOW_MS = Date.UTC(2026, 5, 1, 12, 30, 30)
const chain = 'eip155:31337'
const assets = [
  { chain, contract: null },
  { chain, contract: '0x5FbDB2315678afecb367f032d93F642f64180aa3' },
]

test('prices say that they are invented, are positive decimal text, and reach from the asked moment to the present minute', () => {
  const { label, label_zh, quotes } = inventPrices(assets, NOW_MS, NOW_MS - 24 * HOUR_MS)
  assert.match(label, /invented/i)
  assert.match(label_zh, /虚构/)
  assert.equal(quotes.filter((quote) => quote.chain === chain).length, 2 * 25)
  assert.equal(quotes.filter((quote) => quote.chain === 'iso4217:EUR').length, 2)
  assert.equal(new Set(quotes.map((quote) => quote.chain)).size, 1 + 11)
  for (const { price } of quotes) assert.match(price, /^[1-9]\d*\.\d+$|^0\.\d*[1-9]\d*$/)
  const times = quotes.map((quote) => quote.at_ms)
  assert.equal(Math.max(...times), NOW_MS - 30_000)
  assert.ok(Math.min(...times) >= NOW_MS - 24 * HOUR_MS)
})

test('whoever asks twice for a moment hears the same, and no more than a hundred days', () => {
  const later = inventPrices(assets, NOW_MS + HOUR_MS, 0).quotes
  for (const quote of inventPrices(assets, NOW_MS, NOW_MS - 5 * HOUR_MS).quotes.filter((each) => each.at_ms % HOUR_MS === 0)) {
    assert.ok(later.some((each) => each.chain === quote.chain && each.contract === quote.contract && each.at_ms === quote.at_ms && each.price === quote.price))
  }
  assert.equal(later.length, 2 * (100 * 24 + 1) + 11 * (100 + 1))
  assert.equal(inventPrices(assets, NOW_MS, Number.NaN).quotes.length, 2 + 11)
})
