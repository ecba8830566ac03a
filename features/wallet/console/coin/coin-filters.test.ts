import assert from 'node:assert/strict'
import { test } from 'node:test'
import { narrowCoins, readCoinFilters, writeCoinFilters } from './coin-filters.ts'

const coin = (symbol: string, usd: string | null, more: object = {}) => ({
  symbol,
  network: 'Net',
  contract_address: null,
  usd,
  focus: false,
  pending_balance: '0',
  ...more,
})
const usual = { hideSmall: false, favouritesOnly: false, hideUnverified: true, keyword: '' }

test('unknown tokens are hidden unless shown on request, and every switch stands in the address', () => {
  assert.deepEqual(readCoinFilters(new URLSearchParams('')), usual)
  assert.deepEqual(writeCoinFilters(usual), {})
  const all = { hideSmall: true, favouritesOnly: true, hideUnverified: false, keyword: 'eth' }
  assert.deepEqual(readCoinFilters(new URLSearchParams(writeCoinFilters(all))), all)
})

test('small balances are those known to be below one dollar: not those without a price, nor pending deposits', () => {
  const coins = [coin('A', '0.99'), coin('B', '1'), coin('C', null), coin('D', '0', { pending_balance: '5' }), coin('E', '0')]
  assert.deepEqual(
    narrowCoins(coins, { ...usual, hideSmall: true }).map((each) => each.symbol),
    ['B', 'C', 'D'],
  )
})

test('favourites come first, and a coin is found by its symbol or its contract', () => {
  const coins = [coin('A', '1'), coin('B', '1', { focus: true, contract_address: '0xABC' })]
  assert.deepEqual(
    narrowCoins(coins, usual).map((each) => each.symbol),
    ['B', 'A'],
  )
  assert.deepEqual(
    narrowCoins(coins, { ...usual, keyword: '0xab' }).map((each) => each.symbol),
    ['B'],
  )
  assert.deepEqual(
    narrowCoins(coins, { ...usual, favouritesOnly: true }).map((each) => each.symbol),
    ['B'],
  )
})
