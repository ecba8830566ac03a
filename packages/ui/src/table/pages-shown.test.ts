import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { pagesShown } from './pages-shown.ts'

test('the first, the last and the neighbours are shown, with gaps between', () => {
  assert.deepEqual(pagesShown(10, 20, 1), [1, 'gap', 9, 10, 11, 'gap', 20])
  assert.deepEqual(pagesShown(1, 20, 1), [1, 2, 'gap', 20])
  assert.deepEqual(pagesShown(4, 20, 1), [1, 2, 3, 4, 5, 'gap', 20])
  assert.deepEqual(pagesShown(1, 1, 2), [1])
  assert.deepEqual(pagesShown(2, 3, 2), [1, 2, 3])
})

test('pages go up, the present one is there, and a gap hides more than one page', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 0, max: 3 }), (one, other, around) => {
      const [page, last] = [Math.min(one, other), Math.max(one, other)]
      const shown = pagesShown(page, last, around)
      assert.ok(shown.includes(page) && shown[0] === 1 && shown.at(-1) === last)
      let before = 0
      shown.forEach((each, at) => {
        if (each === 'gap') return
        if (shown[at - 1] === 'gap') assert.ok(each > before + 2)
        else assert.equal(each, before + 1)
        before = each
      })
    }),
  )
})
