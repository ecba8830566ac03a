import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { datesFrom, dayText, readDay, REPEATS } from './dates.ts'

const dayIn = (text: string): number => readDay(text) ?? assert.fail(text)
const textsFrom = (first: string, rule: Parameters<typeof datesFrom>[1]): string[] => datesFrom(dayIn(first), rule).map(dayText)

describe('the dates of scheduled payments', () => {
  it('are every so many days or weeks, or the one day', () => {
    assert.deepEqual(textsFrom('2028-02-27', { repeat: 'day', step: 1, times: 4 }), ['2028-02-27', '2028-02-28', '2028-02-29', '2028-03-01'])
    assert.deepEqual(textsFrom('2027-02-22', { repeat: 'week', step: 1, times: 2 }), ['2027-02-22', '2027-03-01'])
    assert.deepEqual(textsFrom('2026-12-24', { repeat: 'week', step: 2, times: 2 }), ['2026-12-24', '2027-01-07'])
    assert.deepEqual(textsFrom('2026-12-24', { repeat: 'once', step: 9, times: 9 }), ['2026-12-24'])
  })

  it('are the same day of each month up to the 28th, and else the last of each month', () => {
    assert.deepEqual(textsFrom('2026-12-28', { repeat: 'month', step: 1, times: 3 }), ['2026-12-28', '2027-01-28', '2027-02-28'])
    assert.deepEqual(textsFrom('2027-12-31', { repeat: 'month', step: 1, times: 4 }), ['2027-12-31', '2028-01-31', '2028-02-29', '2028-03-31'])
    assert.deepEqual(textsFrom('2027-01-29', { repeat: 'month', step: 1, times: 2 }), ['2027-01-31', '2027-02-28'])
    assert.deepEqual(textsFrom('2026-11-30', { repeat: 'month', step: 3, times: 3 }), ['2026-11-30', '2027-02-28', '2027-05-31'])
  })

  it('are those that somebody finds who walks through the calendar day by day', () => {
    const first = fc.integer({ min: dayIn('2026-01-01'), max: dayIn('2105-01-01') })
    const rule = fc.record({ repeat: fc.constantFrom(...REPEATS), step: fc.integer({ min: 1, max: 13 }), times: fc.integer({ min: 1, max: 30 }) })
    fc.assert(
      fc.property(first, rule, (from, { repeat, step, times }) => {
        const date = (day: number) => Number(dayText(day).slice(8))
        const isLast = (day: number) => dayText(day).slice(0, 7) !== dayText(day + 1).slice(0, 7)
        const walked: number[] = []
        for (let [day, months] = [from, 0]; walked.length < (repeat === 'once' ? 1 : times); day++) {
          const isMonthly = date(from) > 28 ? isLast(day) : date(day) === date(from)
          const isDue = repeat === 'once' || (repeat === 'day' && (day - from) % step === 0) || (repeat === 'week' && (day - from) % (7 * step) === 0)
          if (isDue || (repeat === 'month' && isMonthly && months % step === 0)) walked.push(day)
          if (isMonthly) months++
        }
        assert.deepEqual(datesFrom(from, { repeat, step, times }), walked)
      }),
      { numRuns: 300 },
    )
  })

  it('are read as they are written, and nothing else is', () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 1_000_000 }), (day) => assert.equal(readDay(dayText(day)), day)))
    for (const text of ['', '2026-02-30', '2027-02-29', '2026-13-01', '2026-1-1', '2026-01-01T00:00', '20260101']) assert.equal(readDay(text), undefined, text)
  })
})
