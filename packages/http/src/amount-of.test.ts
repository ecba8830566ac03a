import assert from 'node:assert/strict'
import { test } from 'node:test'
import { amountOf } from './amount-of.ts'

const ETH = { decimals: 18 }

test('typed text is an amount, or is refused with a reason: too many digits after the point, no number, more than any asset can hold', () => {
  assert.equal(amountOf('1.5', ETH), 1_500_000_000_000_000_000n)
  assert.throws(() => amountOf('0.1234567', { decimals: 6 }), { errorName: 'exceeds_precision' })
  for (const text of ['', '1,5', '-1', '9'.repeat(70)]) assert.throws(() => amountOf(text, ETH), { errorName: 'amount_error' }, text)
})
