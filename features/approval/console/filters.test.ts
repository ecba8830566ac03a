import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { TODO_KINDS } from '../../proposal/contract.ts'
import { readTodoFilters, TODO_STATES, type TodoFilters, writeTodoFilters } from './filters.ts'

test('a view of the to-do list stands in its address and is restored from it', () => {
  const filters = fc.record<TodoFilters>(
    {
      state: fc.constantFrom(...TODO_STATES),
      kind: fc.option(fc.constantFrom(...TODO_KINDS), { nil: undefined }),
      wallet: fc.option(fc.uuid({ version: 7 }), { nil: undefined }),
      keyword: fc.string({ maxLength: 50 }),
      page: fc.integer({ min: 1, max: 999_999 }),
    },
    { noNullPrototype: true },
  )
  fc.assert(fc.property(filters, (given) => assert.deepEqual(readTodoFilters(new URLSearchParams(writeTodoFilters(given))), given)))
})

test('an address written by hand shows what waits', () => {
  const usual = { state: 'wait', kind: undefined, wallet: undefined, keyword: '', page: 1 }
  assert.deepEqual(readTodoFilters(new URLSearchParams({ state: 'x', kind: 'toString', wallet: '1', page: '0' })), usual)
  assert.deepEqual(readTodoFilters(new URLSearchParams()), usual)
})

test('every kind has a name in both languages, and nothing else has', () => {
  for (const locale of ['en-US', 'zh-CN']) {
    const { kind } = JSON.parse(readFileSync(new URL(`../locales/${locale}.json`, import.meta.url), 'utf8')).approval
    assert.deepEqual(Object.keys(kind).sort(), [...TODO_KINDS].sort(), locale)
  }
})
