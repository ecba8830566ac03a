import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orderOf, type StakeTyped, wrongIn } from './stake-typed.ts'

const typed: StakeTyped = { resource: 'energy', amount: '1250.5', receiver: 'TReceiver', lock: '0', remark: '' }
const target = { subWallet: { id: 's1', name: 'Till' }, chain: 'tron:1' }
const amountOf = (amount: string) => orderOf({ ...target, action: 'stake' }, { ...typed, amount })?.amount

test('an amount of stake that cannot be sent is called wrong at its field, and spaces around one are no fault', () => {
  for (const amount of ['1,000', '65 000', '1.', '-5', 'x']) {
    assert.equal(amountOf(amount), undefined, amount)
    assert.deepEqual(wrongIn({ ...typed, amount }), { amount: true, lock: false }, amount)
  }
  assert.equal(amountOf(' 1000 '), '1000')
  assert.deepEqual(wrongIn({ ...typed, amount: ' 1000 ' }), { amount: false, lock: false })
  assert.deepEqual(wrongIn({ ...typed, amount: ' ' }), { amount: false, lock: false }, 'what is not typed yet is missing, not wrong')
})

test('a lock that is no number of blocks is called wrong, and stops a delegation alone, which has the field', () => {
  for (const lock of ['1,000', '86 400', '']) {
    assert.equal(orderOf({ ...target, action: 'delegate' }, { ...typed, lock }), undefined, lock)
    assert.equal(wrongIn({ ...typed, lock }).lock, true, lock)
    assert.equal(orderOf({ ...target, action: 'undelegate' }, { ...typed, lock })?.lock_blocks, 0, lock)
  }
  assert.equal(orderOf({ ...target, action: 'delegate' }, { ...typed, lock: ' 100 ' })?.lock_blocks, 100)
})

test('an order about all that there is needs nothing typed, and a delegation says to whom', () => {
  const nothing = { ...typed, amount: '', receiver: '' }
  for (const action of ['withdraw', 'cancel-unstake'] as const) assert.equal(orderOf({ ...target, action }, nothing)?.amount, '0')
  assert.equal(orderOf({ ...target, action: 'delegate' }, { ...typed, receiver: ' ' }), undefined)
  assert.deepEqual(orderOf({ ...target, action: 'stake' }, typed)?.receiver, '')
})
