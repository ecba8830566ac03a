import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Spend, Spends } from './spends.ts'

const spend = (atMs: number): Spend => ({ ruleId: 'coin', asset: null, amount: 1n, atMs })

test('what may count after a time is all that does, each order once, whatever was taken back and whenever it was set', () => {
  const order = fc.integer({ min: 0, max: 9 }).map(String)
  const act = fc.oneof(fc.record({ order, atMs: fc.nat(20) }), fc.record({ order, atMs: fc.constant(null) }))
  fc.assert(
    fc.property(fc.array(act), fc.nat(20), (acts, sinceMs) => {
      const spends = new Spends()
      const latest = new Map<string, number>()
      for (const { order: of, atMs } of acts) {
        if (atMs === null) {
          assert.equal(spends.delete(of), latest.delete(of))
        } else {
          spends.set(of, spend(atMs))
          latest.set(of, atMs)
        }
      }
      const found = [...spends.after(sinceMs)]
      assert.equal(new Set(found.map(([of]) => of)).size, found.length)
      const counted = found.filter(([, { atMs }]) => atMs > sinceMs).map(([of, { atMs }]) => [of, atMs])
      assert.deepEqual(new Map(counted as [string, number][]), new Map([...latest].filter(([, atMs]) => atMs > sinceMs)))
    }),
  )
})

test('what counts now is found without looking at what counted before', () => {
  const spends = new Spends()
  for (let atMs = 1; atMs <= 1000; atMs++) spends.set(`order ${atMs}`, spend(atMs))
  assert.deepEqual(
    [...spends.after(997)].map(([of]) => of),
    ['order 1000', 'order 999', 'order 998'],
  )
})
