import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createTokenBuckets } from './token-buckets.ts'

test('over any stretch of time a key gets at most the burst and what the rate adds', () => {
  const steps = fc.array(fc.integer({ min: 0, max: 5_000 }), { minLength: 1, maxLength: 200 })
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 10 }), (waits, burst, perSecond) => {
      let nowMs = 0
      let granted = 0
      const buckets = createTokenBuckets({ monotonicMs: () => nowMs }, { burst, perSecond })
      for (const waitMs of waits) {
        nowMs += waitMs
        if (buckets.take('key') === 0) granted++
        assert.ok(granted <= burst + (nowMs / 1000) * perSecond + 1e-6)
      }
      // Waiting as long as the answer says is enough.
      const seconds = buckets.take('key')
      nowMs += seconds * 1000
      if (seconds > 0) assert.equal(buckets.take('key'), 0)
    }),
  )
})

test('keys do not share a bucket, and a flood of keys does not grow the memory without end', () => {
  const buckets = createTokenBuckets({ monotonicMs: () => 0 }, { burst: 1, perSecond: 1 })
  assert.equal(buckets.take('a'), 0)
  assert.equal(buckets.take('a'), 1)
  assert.equal(buckets.take('b'), 0)
  for (let at = 0; at < 60_000; at++) buckets.take(`flood ${at}`)
  assert.equal(buckets.take('flood 59999'), 1)
  assert.equal(buckets.take('a'), 0)
})
