import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nftAsset } from '@holdfast/chain-core'
import { kindOfOrder } from './propose-order.ts'

const row = (changes: Partial<Parameters<typeof kindOfOrder>[0]> = {}) => ({ kind: 'withdraw' as const, contract: '', ...changes })
const PUNK = nftAsset({ standard: 'erc721', collection: `0x${'ab'.repeat(20)}`, tokenId: 7n })

test('every kind of order is distinguished in the list of proposals', () => {
  assert.equal(kindOfOrder(row()), 'transfer')
  assert.equal(kindOfOrder(row({ contract: `0x${'ab'.repeat(20)}` })), 'transfer')
  assert.equal(kindOfOrder(row({ contract: PUNK })), 'nft')
  assert.equal(kindOfOrder(row({ kind: 'web3' })), 'contract_call')
  for (const kind of ['stake', 'stake_change'] as const) assert.equal(kindOfOrder(row({ kind })), 'stake')
  assert.equal(kindOfOrder(row({ kind: 'deposit_child' })), 'deposit_lift')
  assert.equal(kindOfOrder(row({ kind: 'speed_up' })), 'speed_up')
  assert.equal(kindOfOrder(row({ kind: 'cancel', contract: PUNK })), 'cancel')
})
