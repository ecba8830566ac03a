import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { inParts } from './in-parts.ts'

test('a list of any length comes back whole and in order, in parts that are small enough for a query', () => {
  fc.assert(
    fc.property(fc.nat(5_000), (length) => {
      const list = Array.from({ length }, (_, i) => i)
      const parts = inParts(list)
      assert.deepEqual(parts.flat(), list)
      assert.ok(parts.every((part) => part.length > 0 && part.length * 65 <= 65_535))
    }),
  )
})
