import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPaletteRegistry } from './palette-registry.ts'

test('a feature adds what it knows, renews it, and takes it away when its page is left', () => {
  const registry = createPaletteRegistry()
  const keys = () => registry.sources().map(({ key, title }) => `${key}:${title}`)
  const leavePages = registry.register({ key: 'pages', title: 'Pages', order: 1 })
  const leaveWallets = registry.register({ key: 'wallets', title: 'Wallets' })
  registry.register({ key: 'actions', title: 'Actions', order: 50 })
  assert.deepEqual(keys(), ['pages:Pages', 'actions:Actions', 'wallets:Wallets'])
  registry.register({ key: 'wallets', title: '钱包' })
  // The one that was replaced is gone already: its leaving takes nothing of the new one.
  leaveWallets()
  assert.deepEqual(keys(), ['pages:Pages', 'actions:Actions', 'wallets:钱包'])
  leavePages()
  assert.deepEqual(keys(), ['actions:Actions', 'wallets:钱包'])
})

test('whoever listens hears of each change, until it stops listening', () => {
  const registry = createPaletteRegistry()
  let told = 0
  const stop = registry.subscribe(() => (told += 1))
  const leave = registry.register({ key: 'a', title: 'A' })
  leave()
  leave()
  assert.equal(told, 2)
  stop()
  registry.register({ key: 'a', title: 'A' })
  assert.equal(told, 2)
})
