import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Family } from '@holdfast/chain-registry/families'
import { tabsFor } from './wallet-parts.ts'

const TABS: { key: string; families: readonly Family[] | undefined }[] = [
  { key: 'coins', families: undefined },
  { key: 'nfts', families: ['evm'] },
  { key: 'utxo', families: ['bitcoin'] },
  { key: 'resources', families: ['tron'] },
]
const keysFor = (families: readonly Family[] | undefined) => tabsFor(TABS, families && new Set(families)).map(({ key }) => key)

test('a wallet has the tabs of the networks that it has addresses on, and those of every wallet', () => {
  assert.deepEqual(keysFor(['evm', 'tron']), ['coins', 'nfts', 'resources'])
  assert.deepEqual(keysFor(['ton']), ['coins'])
  assert.deepEqual(keysFor([]), ['coins'])
})

test('while nobody knows its networks no tab is missing', () => {
  assert.deepEqual(keysFor(undefined), ['coins', 'nfts', 'utxo', 'resources'])
})
