import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { hoursUntil } from './forecast.ts'

const HOUR = 3_600_000n
const amount = fc.bigInt({ min: 0n, max: 10n ** 24n })

describe('when an address runs out', () => {
  it('is reckoned from how it fell', () => {
    const readings = [
      { atMs: 0n, left: 100n },
      { atMs: 10n * HOUR, left: 50n },
    ]
    assert.deepEqual([hoursUntil(readings, 0n), hoursUntil(readings, 40n), hoursUntil(readings, 50n)], [10n, 2n, 0n])
  })
  it('is not said of what does not fall, of one reading, or of none', () => {
    assert.equal(hoursUntil([], 0n), undefined)
    assert.equal(hoursUntil([{ atMs: 0n, left: 5n }], 0n), undefined)
    fc.assert(
      fc.property(amount, amount, (left, more) => {
        const rising = [
          { atMs: 0n, left: left + 1n },
          { atMs: HOUR, left: left + more + 1n },
        ]
        assert.equal(hoursUntil(rising, left), undefined)
      }),
    )
  })
  it('is never later than the moment at which a straight line meets the threshold, and less than an hour before it', () => {
    fc.assert(
      fc.property(amount, amount, amount, fc.bigInt({ min: 1n, max: 10n ** 10n }), (least, above, fallen, tookMs) => {
        const left = least + above + 1n
        const hours = hoursUntil(
          [
            { atMs: 0n, left: left + fallen + 1n },
            { atMs: tookMs, left },
          ],
          least,
        )
        assert.ok(hours !== undefined)
        const lost = (each: bigint) => each * HOUR * (fallen + 1n)
        assert.ok(lost(hours) <= (left - least) * tookMs)
        assert.ok(lost(hours + 1n) > (left - least) * tookMs)
      }),
    )
  })
})
