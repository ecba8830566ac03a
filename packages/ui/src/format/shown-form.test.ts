import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { exactAmount } from './format-number.ts'
import { shownAmount } from './shown-form.ts'

test('an amount is short only in a summary, and then keeps every digit for hovering', () => {
  assert.deepEqual(shownAmount('1234567.891', { summary: true, moneyMoves: false }), { text: '1.23M', exact: '1,234,567.891' })
  assert.deepEqual(shownAmount('1234567.891', { summary: false, moneyMoves: false }), { text: '1,234,567.891', exact: undefined })
  assert.deepEqual(shownAmount(null, { summary: true, moneyMoves: false }), { text: '--', exact: undefined })
})

test('where money moves an amount has every digit, whatever was asked for', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.stringMatching(/^\d{1,20}$/), fc.boolean(), (whole, fraction, summary) => {
      const value = `${whole}.${fraction}`
      assert.equal(shownAmount(value, { summary, moneyMoves: true }).text, exactAmount(value))
    }),
  )
})
