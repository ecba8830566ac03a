import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { rowAfterKey, scrollTopFor, windowOf } from './table-window.ts'

const place = fc.record({
  count: fc.nat(200_000),
  rowHeightPx: fc.integer({ min: 20, max: 120 }),
  scrollTopPx: fc.double({ min: -50, max: 20_000_000, noNaN: true }),
  viewPx: fc.integer({ min: 0, max: 3000 }),
  kept: fc.option(fc.integer({ min: -1, max: 220_000 }), { nil: undefined }),
})

test('every row has its place exactly once, in the page or in the room left for it', () => {
  fc.assert(
    fc.property(place, (input) => {
      let at = 0
      for (const { from, to } of windowOf(input)) {
        assert.equal(from, at)
        assert.ok(to > from)
        at = to
      }
      assert.equal(at, input.count)
    }),
  )
})

test('what is in sight is in the page, and few rows besides', () => {
  fc.assert(
    fc.property(place, (input) => {
      const rows = windowOf(input).filter(({ kind }) => kind === 'rows')
      const has = (row: number) => rows.some(({ from, to }) => row >= from && row < to)
      const first = Math.floor(Math.max(0, input.scrollTopPx) / input.rowHeightPx)
      const last = Math.ceil((Math.max(0, input.scrollTopPx) + input.viewPx) / input.rowHeightPx) - 1
      for (let row = first; row <= last && row < input.count; row += 1) assert.ok(has(row), `row ${row}`)
      if (input.kept !== undefined && input.kept >= 0 && input.kept < input.count) assert.ok(has(input.kept))
      const drawn = rows.reduce((sum, { from, to }) => sum + to - from, 0)
      assert.ok(drawn <= input.viewPx / input.rowHeightPx + 50)
    }),
  )
})

test('keys lead to rows of the list and to no others', () => {
  assert.equal(rowAfterKey('ArrowDown', 3, 10, 5), 4)
  assert.equal(rowAfterKey('ArrowDown', 9, 10, 5), 9)
  assert.equal(rowAfterKey('ArrowUp', 0, 10, 5), 0)
  assert.equal(rowAfterKey('Home', 7, 10, 5), 0)
  assert.equal(rowAfterKey('End', 0, 100_000, 5), 99_999)
  assert.equal(rowAfterKey('PageDown', 0, 100, 20), 19)
  assert.equal(rowAfterKey('PageUp', 5, 100, 20), 0)
  assert.equal(rowAfterKey('a', 5, 100, 20), undefined)
  assert.equal(rowAfterKey('toString', 5, 100, 20), undefined)
  assert.equal(rowAfterKey('End', 0, 0, 20), undefined)
})

test('a row that is out of sight is brought to the nearer edge; one in sight moves nothing', () => {
  const view = { rowHeightPx: 40, scrollTopPx: 400, viewPx: 400 }
  assert.equal(scrollTopFor(12, view), 400)
  assert.equal(scrollTopFor(2, view), 80)
  assert.equal(scrollTopFor(20, view), 440)
})
