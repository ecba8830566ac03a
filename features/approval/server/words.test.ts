import assert from 'node:assert/strict'
import { test } from 'node:test'
import { titleOf } from './words.ts'

test('the title of a contract call does not say payment, and names the coin that it sends', () => {
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
