import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type NumbersTyped, numbersOf, wrongNumbers } from './collector-typed.ts'

const RIGHT: NumbersTyped = { fee: '0.05', transactions: '1000', days: '90' }

test('spaces around a number of a collector are no fault and are not sent', () => {
  assert.deepEqual(numbersOf({ fee: ' 5 ', transactions: '1000 ', days: ' 90' }), { fee_max: '5', transactions: 1000, days: 90 })
  assert.deepEqual(wrongNumbers({ fee: ' 5 ', transactions: '1000 ', days: ' 90' }), { fee: false, transactions: false, days: false })
})

test('a number of a collector that cannot be sent is called wrong at its own field', () => {
  for (const fee of ['1,5', '1 000', '0', '0.0', '-1', '1e3', '.5', 'x']) {
    assert.equal(numbersOf({ ...RIGHT, fee }), undefined, fee)
    assert.deepEqual(wrongNumbers({ ...RIGHT, fee }), { fee: true, transactions: false, days: false }, fee)
  }
  assert.deepEqual(wrongNumbers({ ...RIGHT, transactions: '1,000', days: '367' }), { fee: false, transactions: true, days: true })
  assert.deepEqual(wrongNumbers({ ...RIGHT, transactions: '1000001', days: '1.5' }), { fee: false, transactions: true, days: true })
})

test('the numbers of a collector can be sent, or one of their fields is empty or called wrong', () => {
  const text = fc.oneof(fc.stringMatching(/^[ 0-9.,]{0,8}$/), fc.nat({ max: 2_000_000 }).map(String))
  fc.assert(
    fc.property(text, text, text, (fee, transactions, days) => {
      const typed = { fee, transactions, days }
      const isAmiss = Object.values(typed).some((each) => each.trim() === '') || Object.values(wrongNumbers(typed)).includes(true)
      assert.equal(numbersOf(typed) === undefined, isAmiss)
    }),
  )
})
