import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { placeOf } from './use-drag-order.ts'

test('what is dropped stands right before or right behind what it was dropped on', () => {
  const lists = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 8 })
  fc.assert(
    fc.property(lists, fc.nat(), fc.nat(), fc.constantFrom('before' as const, 'behind' as const), (ids, i, j, side) => {
      const [moved, id] = [ids[i % ids.length]!, ids[j % ids.length]!]
      const at = placeOf(ids, moved, { id, side })
      const after = ids.filter((each) => each !== moved).toSpliced(at, 0, moved)
      if (id === moved) assert.deepEqual(after, ids)
      else assert.equal(after.indexOf(moved) - after.indexOf(id), side === 'before' ? -1 : 1)
    }),
  )
})
