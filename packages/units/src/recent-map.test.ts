import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { RecentMap } from './recent-map.ts'

test('a recent map holds the keys that were set last, each with its last value', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 5 }), fc.array(fc.tuple(fc.integer({ min: 0, max: 8 }), fc.integer())), (max, pairs) => {
      const map = new RecentMap<number, number>(max)
      for (const [key, value] of pairs) map.set(key, value)
      const last = pairs.filter(([key], i) => pairs.findLastIndex(([other]) => other === key) === i)
      assert.deepEqual([...map], max === 0 ? [] : last.slice(-max))
    }),
  )
})
