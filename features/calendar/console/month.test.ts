import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { isMonth, monthAfter, monthAt, weeksOf } from './month.ts'

describe('a month of the calendar', () => {
  it('has every day once, in weeks that begin with Monday', () => {
    assert.deepEqual(weeksOf('2027-02').length, 4)
    fc.assert(
      fc.property(fc.integer({ min: 2000, max: 2099 }), fc.integer({ min: 1, max: 12 }), (year, number) => {
        const month = `${year}-${String(number).padStart(2, '0')}`
        const weeks = weeksOf(month)
        const days = weeks.flat().filter((day) => day !== undefined)
        const walked: string[] = []
        for (let ms = Date.parse(`${month}-01T00:00:00Z`); monthAt(ms) === month; ms += 86_400_000) walked.push(new Date(ms).toISOString().slice(0, 10))
        assert.deepEqual(days, walked)
        for (const week of weeks) {
          assert.equal(week.length, 7)
          for (const [weekday, day] of week.entries()) if (day !== undefined) assert.equal(new Date(`${day}T00:00:00Z`).getUTCDay(), (weekday + 1) % 7)
        }
      }),
    )
  })

  it('has one after it and one before it', () => {
    assert.deepEqual([monthAfter('2026-12', 1), monthAfter('2027-01', -1), monthAfter('2026-11', 14)], ['2027-01', '2026-12', '2028-01'])
    assert.deepEqual([isMonth('2026-12'), isMonth('2026-13'), isMonth('2026-1'), isMonth('')], [true, false, false, false])
  })
})
