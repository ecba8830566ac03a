import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { nftAsset } from '@holdfast/chain-core'
import { TODO_KINDS } from '../contract.ts'
import { kindOfOrder } from './todo-kind.ts'
import { titleOf } from './words.ts'

const row = (changes: Partial<Parameters<typeof kindOfOrder>[0]> = {}) => ({ kind: 'withdraw' as const, contract: '', ...changes })
const PUNK = nftAsset({ standard: 'erc721', collection: `0x${'ab'.repeat(20)}`, tokenId: 7n })

test('every kind of order is told from the others in the list of what waits', () => {
  assert.equal(kindOfOrder(row()), 'transfer')
  assert.equal(kindOfOrder(row({ contract: `0x${'ab'.repeat(20)}` })), 'transfer')
  assert.equal(kindOfOrder(row({ contract: PUNK })), 'nft')
  assert.equal(kindOfOrder(row({ kind: 'web3' })), 'contract_call')
  for (const kind of ['stake', 'stake_change'] as const) assert.equal(kindOfOrder(row({ kind })), 'stake')
  assert.equal(kindOfOrder(row({ kind: 'deposit_child' })), 'deposit_lift')
  assert.equal(kindOfOrder(row({ kind: 'speed_up' })), 'speed_up')
  assert.equal(kindOfOrder(row({ kind: 'cancel', contract: PUNK })), 'cancel')
})

test('every kind has a name in both languages, and nothing else has', () => {
  for (const locale of ['en-US', 'zh-CN']) {
    const { kind } = JSON.parse(readFileSync(new URL(`../locales/${locale}.json`, import.meta.url), 'utf8')).approval
    assert.deepEqual(Object.keys(kind).sort(), [...TODO_KINDS].sort(), locale)
  }
})

test('a call of a contract is no payment in its title, and the coin that goes along is said', () => {
  const call = {
    purpose: 'pay' as const,
    call: { method: 'approve(address,uint256)' },
    ...{ fee: '0.1', fee_symbol: 'ETH', amount: '0', symbol: 'ETH', address_to: '0xAb', network: 'Sepolia', initiator: { name: 'Ann' } },
  }
  assert.equal(titleOf(call, 'en_US'), 'Ann asks to call approve(address,uint256) of contract 0xAb on Sepolia')
  assert.equal(titleOf({ ...call, amount: '2' }, 'en_US'), 'Ann asks to call approve(address,uint256) of contract 0xAb on Sepolia, with 2 ETH')
  assert.equal(titleOf({ ...call, call: { method: null } }, 'en_US'), 'Ann asks to call an unknown function of contract 0xAb on Sepolia')
  assert.equal(titleOf({ ...call, amount: '2', call: { method: null } }, 'zh_CN'), 'Ann 申请在 Sepolia 上调用合约 0xAb 的未知函数，并附带 2 ETH')
})
