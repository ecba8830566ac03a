import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { dayBefore, dayLimit, dayLimits, isId, readDay, readId, readKeyword, readOneOf, readPage, toAddress } from './url-filters.ts'

const address = (query: string) => new URLSearchParams(query)
const DAY_MS = 86_400_000

test('whatever stands in an address is read as a page, a word, a day and an identifier, or left out', () => {
  fc.assert(
    fc.property(fc.record({ page: fc.string(), q: fc.string({ maxLength: 200 }), from: fc.string(), id: fc.string() }), (given) => {
      const search = new URLSearchParams(given)
      const page = readPage(search)
      assert.ok(Number.isInteger(page) && page >= 1 && page <= 999_999)
      assert.ok([...readKeyword(search)].length <= 100)
      const day = readDay(search, 'from')
      assert.ok(day === undefined || (day === given.from && !Number.isNaN(dayLimit(day))))
      const id = readId(search, 'id')
      assert.ok(id === undefined || isId(given.id))
    }),
  )
})

test('filters that are written to an address are read from it again', () => {
  const day = fc.integer({ min: 0, max: 40_000 }).map((days) => new Date(days * DAY_MS).toISOString().slice(0, 10))
  const filters = fc.record(
    { page: fc.integer({ min: 1, max: 999_999 }), q: fc.string({ unit: 'grapheme', maxLength: 20 }), from: day, id: fc.uuid() },
    { noNullPrototype: true },
  )
  fc.assert(
    fc.property(filters, (given) => {
      const search = new URLSearchParams(toAddress(given))
      assert.deepEqual({ page: readPage(search), q: readKeyword(search), from: readDay(search, 'from'), id: readId(search, 'id') }, given)
    }),
  )
})

test('what is usual is left out of the address', () => {
  assert.deepEqual(toAddress({ page: 1, q: '', chain: undefined, focus: false }), {})
  assert.deepEqual(toAddress({ page: 2, q: 'rent', focus: true, status: 2400 }), { q: 'rent', focus: 'true', status: '2400', page: '2' })
})

test('a value that is none of those there are is left out', () => {
  assert.equal(readOneOf(address('view=sent'), 'view', ['sent', 'receivers']), 'sent')
  assert.equal(readOneOf(address('view=__proto__'), 'view', ['sent', 'receivers']), undefined)
  assert.equal(readOneOf(address(''), 'view', ['sent', 'receivers']), undefined)
})

test('a day that no calendar has is left out', () => {
  for (const day of ['2026-02-30', '2026-13-01', '2026-00-10', '2026-1-1', '20261120', ''])
    assert.equal(readDay(address(`from=${day}`), 'from'), undefined, day)
  assert.equal(readDay(address('from=2024-02-29'), 'from'), '2024-02-29')
})

test('a day reaches from its first millisecond to its last in the reader’s time zone, also where clocks change', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 20_000 }), (days) => {
      const day = dayBefore(Date.UTC(2040, 0, 1), days)
      const [start, end] = [dayLimit(day), dayLimit(day, true)]
      assert.equal(dayBefore(start, 0), day)
      assert.equal(dayBefore(end, 0), day)
      assert.notEqual(dayBefore(start - 1, 0), day)
      assert.notEqual(dayBefore(end + 1, 0), day)
    }),
  )
  assert.deepEqual(dayLimits({ from: undefined, to: undefined }), {})
  assert.deepEqual(Object.keys(dayLimits({ from: '2026-11-20', to: '2026-11-21' })), ['start_time', 'end_time'])
})
