import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DELEGATION_MAX_MS } from '@holdfast/intent'
import fc from 'fast-check'
import { daysOf } from './delegation.ts'
import { parseRoute } from './route.ts'

const NOW_MS = new Date(2026, 10, 28, 12).getTime()
const GENESIS = 'ab'.repeat(32)
const DELEGATE = '01'.repeat(16)

describe('the days for which somebody is named', () => {
  it('go from the beginning of the first to the end of the last, by the clock of whoever reads', () => {
    const days = daysOf('2026-11-28', '2026-11-30', NOW_MS)
    assert.deepEqual(days, { fromMs: BigInt(new Date(2026, 10, 28).getTime()), untilMs: BigInt(new Date(2026, 11, 1).getTime()) })
  })

  it('are none where the last is before the first or over, where there are more than 30, or what is given is no day', () => {
    assert.notEqual(daysOf('2026-11-28', '2026-12-27', NOW_MS), undefined)
    for (const [first, last] of [
      ['2026-11-28', '2026-12-28'],
      ['2026-11-30', '2026-11-29'],
      ['2026-11-20', '2026-11-27'],
      ['2026-11-31', '2026-12-02'],
      ['', '2026-12-02'],
    ] as const)
      assert.equal(daysOf(first, last, NOW_MS), undefined, `${first} ${last}`)
  })

  it('are never longer than signers take, whatever is given', () => {
    const day = fc.date({ min: new Date(2026, 0, 1), max: new Date(2028, 0, 1), noInvalidDate: true }).map((each) => each.toISOString().slice(0, 10))
    fc.assert(
      fc.property(day, day, (first, last) => {
        const days = daysOf(first, last, NOW_MS)
        return days === undefined || (days.untilMs > days.fromMs && days.untilMs - days.fromMs <= BigInt(DELEGATION_MAX_MS) && days.untilMs > BigInt(NOW_MS))
      }),
    )
  })
})

describe('a link to where somebody is named', () => {
  it('opens it bare, or with whom and which days; with only some of these it is not complete', () => {
    assert.deepEqual(parseRoute(`#/delegation/${GENESIS}`), { name: 'delegation', genesis: GENESIS, prefilled: null })
    assert.deepEqual(parseRoute(`#/delegation/${GENESIS}/${DELEGATE}/2026-11-28/2026-12-01`), {
      name: 'delegation',
      genesis: GENESIS,
      prefilled: { delegate: DELEGATE, first: '2026-11-28', last: '2026-12-01' },
    })
    assert.deepEqual(parseRoute(`#/delegation/${GENESIS}/${DELEGATE}`), { name: 'bad' })
  })
})
