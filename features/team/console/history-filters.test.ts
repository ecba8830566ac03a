import assert from 'node:assert/strict'
import { test } from 'node:test'
import { historyInput, readHistoryFilters, writeHistoryFilters } from './history-filters.ts'

const ID = '019a0000-0000-7000-8000-000000000001'

test('the filters of the login history stand in the address and come back from it', () => {
  const filters = { user: ID, result: 'refused' as const, from: '2026-11-01', to: '2026-11-20', page: 3 }
  assert.deepEqual(readHistoryFilters(new URLSearchParams(writeHistoryFilters(filters))), filters)
  assert.deepEqual(writeHistoryFilters(readHistoryFilters(new URLSearchParams())), {})
})

test('what an address says without sense is left out', () => {
  const search = new URLSearchParams({ user: "1' or 1=1", result: 'maybe', from: '2026-99-99', to: 'tomorrow', page: '-1' })
  assert.deepEqual(readHistoryFilters(search), { user: undefined, result: undefined, from: undefined, to: undefined, page: 1 })
})

test('a day ends with its last millisecond', () => {
  const { start_time: start, end_time: end } = historyInput({ user: undefined, result: undefined, from: '2026-11-20', to: '2026-11-20', page: 1 })
  assert.equal(end! - start!, 24 * 3_600_000 - 1)
})
