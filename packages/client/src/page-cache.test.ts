import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPageCache } from './page-cache.ts'

test('page numbers and totals are remembered by name for five minutes, and dropped when read later (spec 3.6, 9.5)', () => {
  let nowMs = 1000
  const cache = createPageCache({ nowMs: () => nowMs, monotonicMs: () => nowMs })
  cache.write('transactions', { pageNumber: 3, pageTotal: 77 })
  nowMs += 5 * 60_000 - 1
  assert.deepEqual(cache.read('transactions'), { pageNumber: 3, pageTotal: 77 })
  assert.equal(cache.read('todo'), undefined)
  nowMs += 1
  assert.equal(cache.read('transactions'), undefined)
  nowMs -= 60_000
  assert.equal(cache.read('transactions'), undefined, 'a dropped entry does not come back')
  cache.write('todo', { pageNumber: 2, pageTotal: 30 })
  cache.clear()
  assert.equal(cache.read('todo'), undefined)
})
