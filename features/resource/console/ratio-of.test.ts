import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ratioOf } from './ratio-of.ts'

test('a part of a limit is from nothing to all of it, however large the numbers are', () => {
  assert.deepEqual([ratioOf('0', '600'), ratioOf('150', '600'), ratioOf('600', '600'), ratioOf('700', '600')], [0, 0.25, 1, 1])
  assert.equal(ratioOf('0', '0'), 1)
  const amount = fc.bigInt({ min: 0n, max: 10n ** 40n })
  fc.assert(
    fc.property(amount, amount, (part, whole) => {
      const ratio = ratioOf(String(part), String(whole))
      assert.ok(ratio >= 0 && ratio <= 1)
      if (part < whole) assert.ok(ratio < 1)
    }),
  )
})
