import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { NOTIFY_STATES } from '../contract.ts'
import { type Filters, isNarrowed, momentOf, readFilters, SHOWN_SIDES, VIEWS, writeFilters } from './filters.ts'

const day = fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10))
const filters: fc.Arbitrary<Filters> = fc.record(
  {
    view: fc.constantFrom(...VIEWS),
    side: fc.option(fc.constantFrom(...SHOWN_SIDES), { nil: undefined }),
    status: fc.option(fc.constantFrom(...NOTIFY_STATES), { nil: undefined }),
    receiver: fc.option(fc.uuid(), { nil: undefined }),
    wallet: fc.option(fc.uuid(), { nil: undefined }),
    keyword: fc.string({ maxLength: 50 }),
    from: fc.option(day, { nil: undefined }),
    to: fc.option(day, { nil: undefined }),
    page: fc.integer({ min: 1, max: 999_999 }),
  },
  { noNullPrototype: true },
)

test('every view of the page can be kept as an address and comes back the same', () => {
  fc.assert(fc.property(filters, (given) => assert.deepEqual(readFilters(new URLSearchParams(writeFilters(given))), given)))
})

test('an address that somebody made up narrows to nothing it does not understand', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom('view', 'side', 'status', 'receiver', 'wallet', 'from', 'to', 'page'), fc.string()), (made) => {
      const read = readFilters(new URLSearchParams(made))
      assert.ok(read.page >= 1 && VIEWS.includes(read.view))
      assert.equal(
        isNarrowed({ ...read, keyword: '' }),
        Object.keys(writeFilters(read)).some((key) => !['view', 'page', 'q'].includes(key)),
      )
    }),
  )
})

test('what is told of is a filter, and nothing else is', () => {
  for (const side of ['collect', 'fuel', 'key']) assert.equal(readFilters(new URLSearchParams({ side })).side, side)
  assert.equal(readFilters(new URLSearchParams({ side: 'sweep' })).side, undefined)
})

test('a moment needs both its fields', () => {
  assert.equal(momentOf('2026-11-21T10:30'), new Date(2026, 10, 21, 10, 30).getTime())
  for (const text of ['', '2026-11-21', '2026-13-41T10:30']) assert.equal(momentOf(text), undefined)
})
