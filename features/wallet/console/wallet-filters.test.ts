import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareValues, isSmall, narrowWallets, readWalletFilters, writeWalletFilters } from './wallet-filters.ts'

const wallet = (wallet_name: string, usd_balance: string | null, more: object = {}) => ({
  wallet_name,
  alias: null,
  state: 'active' as const,
  deposits: 'open' as const,
  usd_balance,
  usd_partial: false,
  created_at: 0,
  top: false,
  ...more,
})
const names = (wallets: { wallet_name: string }[]) => wallets.map((each) => each.wallet_name)
const all = { keyword: '', show: 'all', sort: 'created' } as const

test('filters in the address are read back, and nonsense is left out', () => {
  const filters = { keyword: 'pay', show: 'open', sort: 'value' } as const
  assert.deepEqual(readWalletFilters(new URLSearchParams(writeWalletFilters(filters))), filters)
  assert.deepEqual(readWalletFilters(new URLSearchParams('show=all%20of%20it&sort=')), all)
  assert.deepEqual(writeWalletFilters(all), {})
})

test('wallets are ordered by their exact value, those of unknown value last and pinned ones first', () => {
  const wallets = [
    wallet('a', '9.9'),
    wallet('b', null),
    wallet('c', '10'),
    wallet('d', '0'),
    wallet('e', '123456789012345678901.000001', { top: false }),
    wallet('f', '0', { top: true }),
  ]
  assert.deepEqual(names(narrowWallets(wallets, { ...all, sort: 'value' })), ['f', 'e', 'c', 'a', 'd', 'b'])
  assert.ok(compareValues('123456789012345678901.000002', '123456789012345678901.000001') > 0)
  assert.equal(compareValues(null, null), 0)
})

test('a wallet whose value is not known is not hidden as an empty one', () => {
  const wallets = [
    wallet('a', '0'),
    wallet('b', null),
    wallet('c', '0.01'),
    wallet('d', '5', { deposits: 'part' }),
    wallet('e', '0', { state: 'creating', deposits: 'closed' }),
  ]
  assert.deepEqual(names(narrowWallets(wallets, { ...all, show: 'held' })), ['b', 'c', 'd'])
  assert.deepEqual(names(narrowWallets(wallets, { ...all, show: 'closed' })), ['d'])
  assert.deepEqual(names(narrowWallets(wallets, { ...all, show: 'open' })), ['a', 'b', 'c'])
  assert.deepEqual(names(narrowWallets(wallets, { ...all, show: 'making' })), ['e'])
  assert.deepEqual(names(narrowWallets([wallet('Vault', '1', { alias: '金库' })], { ...all, keyword: '金' })), ['Vault'])
})

test('a balance is small if its value is known to be below one dollar', () => {
  assert.deepEqual(['0', '0.999999', '1', '0.0', '10', null].map(isSmall), [true, true, false, true, false, false])
})
