import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { areaPath, drawn, linePath, niceTicks, percentText, ringPath, scaleTo } from './scale.ts'

test('axes have round numbers that cover what is drawn', () => {
  assert.deepEqual(niceTicks(0, 97, 4), [0, 25, 50, 75, 100])
  assert.deepEqual(niceTicks(0, 0, 4), [0, 0.25])
  assert.deepEqual(niceTicks(-3, 8, 4), [-5, 0, 5, 10])
  fc.assert(
    fc.property(
      fc.double({ min: -1e15, max: 1e15, noNaN: true }),
      fc.double({ min: -1e15, max: 1e15, noNaN: true }),
      fc.integer({ min: 1, max: 10 }),
      (one, other, count) => {
        const ticks = niceTicks(one, other, count)
        const slack = Math.max(Math.abs(one), Math.abs(other)) * 1e-9
        assert.ok(ticks.length >= 2 && ticks.length <= count + 3, String(ticks))
        assert.ok((ticks[0] ?? 0) <= Math.min(one, other) + slack && (ticks.at(-1) ?? 0) >= Math.max(one, other) - slack)
      },
    ),
  )
})

test('what is not known leaves a gap in the line and in the area', () => {
  const spots = [{ x: 0, y: 1 }, { x: 1, y: 2 }, undefined, { x: 3, y: 4 }]
  assert.equal(linePath(spots), 'M0 1L1 2M3 4')
  assert.equal(areaPath(spots, 10), 'M0 1L1 2L1 10L0 10ZM3 4L3 10L3 10Z')
  assert.equal(drawn(null), undefined)
  assert.equal(drawn('1e9'), undefined)
  assert.equal(drawn('-12.5'), -12.5)
})

test('a share that is the whole ring is a ring, and shares read true', () => {
  assert.match(ringPath(0, 1, 10, 5), /^M0 -10A10 10 0 1 1 /)
  assert.equal(percentText(1, 3), '33.3%')
  assert.equal(percentText(1, 100_000), '< 0.1%')
  assert.equal(percentText(99_999, 100_000), '> 99.9%')
  assert.equal(percentText(3, 3), '100%')
  assert.equal(percentText(0, 0), '0%')
})

test('a range without width draws everything at its start', () => {
  assert.equal(scaleTo(5, [5, 5], [10, 20]), 10)
  assert.equal(scaleTo(5, [0, 10], [0, 100]), 50)
})
