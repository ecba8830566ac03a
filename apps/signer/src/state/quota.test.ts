import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Quota } from './quota.ts'

const TEN_MINUTES = 600_000

test('in each ten minutes a subject has its places and no more, but for those that were given back', () => {
  const act = fc.record({ subject: fc.constantFrom('a', 'b'), waitMs: fc.nat(TEN_MINUTES / 4), isBack: fc.boolean() })
  fc.assert(
    fc.property(fc.array(act, { maxLength: 100 }), fc.integer({ min: 1, max: 5 }), (acts, most) => {
      const quota = new Quota()
      const taken = new Map<string, number>()
      let nowMs = 0
      for (const { subject, waitMs, isBack } of acts) {
        nowMs += waitMs
        const place = `${subject} ${Math.floor(nowMs / TEN_MINUTES)}`
        const before = taken.get(place) ?? 0
        assert.equal(quota.take(subject, most, nowMs), before < most)
        if (before < most) taken.set(place, before + 1)
        if (!isBack) continue
        quota.giveBack(subject)
        taken.set(place, Math.max(0, (taken.get(place) ?? 0) - 1))
      }
    }),
  )
})

test('two that both have no place left have one again at the same time, whenever each began', () => {
  const [one, two] = [new Quota(), new Quota()]
  assert.ok(one.take('order', 1, 1_000))
  assert.ok(two.take('order', 1, TEN_MINUTES - 1))
  assert.deepEqual([one.take('order', 1, TEN_MINUTES - 1), two.take('order', 1, TEN_MINUTES - 1)], [false, false])
  assert.deepEqual([one.take('order', 1, TEN_MINUTES), two.take('order', 1, TEN_MINUTES)], [true, true])
})
