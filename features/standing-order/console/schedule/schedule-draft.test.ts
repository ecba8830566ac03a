import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { daysOf, draftFromSchedule, EMPTY_SCHEDULE, faultOfSchedule, monthsOf, type ScheduleDraft, scheduleToSend, sumOf } from './schedule-draft.ts'

const NOW_MS = Date.parse('2026-11-27T10:00:00Z')
const draft = (changes: Partial<ScheduleDraft> = {}): ScheduleDraft => ({
  ...EMPTY_SCHEDULE,
  ...{
    name: 'Rent',
    walletId: 'w',
    subWalletId: 's',
    chain: 'eip155:1',
    symbol: 'USDC',
    address: ' 0xab ',
    amount: '0.25',
    feeMax: '0.01',
    first: '2026-12-01',
  },
  ...changes,
})

describe('a draft of payments on dates', () => {
  it('says every day, and what all payments come to', () => {
    assert.equal(faultOfSchedule(draft({ times: '3' }), NOW_MS), undefined)
    const days = daysOf(draft({ times: '3' }))
    assert.deepEqual(scheduleToSend(draft({ times: '3' })).dates, ['2026-12-01', '2027-01-01', '2027-02-01'])
    assert.deepEqual(monthsOf(days)[0], { month: '2026-12', days: ['1'] })
    assert.equal(sumOf(draft(), days.length), '0.75')
    assert.equal(scheduleToSend(draft()).address, '0xab')
    assert.deepEqual(daysOf(draft({ repeat: 'once', step: '', times: '' })).length, 1)
    assert.deepEqual(daysOf(draft({ times: '0' })), [])
    assert.equal(sumOf(draft({ amount: '' }), 3), undefined)
  })

  it('is sent only where it can be', () => {
    const faults: [Partial<ScheduleDraft>, string | undefined][] = [
      [{ name: ' ' }, 'name'],
      [{ subWalletId: '' }, 'from'],
      [{ chain: '' }, 'coin'],
      [{ address: '' }, 'address'],
      [{ amount: '0.0' }, 'amount'],
      [{ amount: '1,5' }, 'amount'],
      [{ feeMax: '' }, 'fee'],
      [{ lateDays: '32' }, 'late'],
      [{ first: '' }, 'dates'],
      [{ times: '367' }, 'dates'],
      [{ time: '' }, 'dates'],
      [{ first: '2026-11-27', time: '10:00' }, 'past'],
      [{ first: '2026-11-27', time: '10:01' }, undefined],
      [{ times: '13' }, 'long'],
      [{ repeat: 'day', times: '350' }, undefined],
    ]
    for (const [changes, fault] of faults) assert.equal(faultOfSchedule(draft(changes), NOW_MS), fault, JSON.stringify(changes))
  })

  it('of a next version keeps the dates that are to come until others are chosen, and everything else as it was asked for', () => {
    const { id: _, ...sent } = scheduleToSend(draft({ walletId: 'w', times: '3', memo: '7', lateDays: '5' }))
    const again = draftFromSchedule({ ...sent, id: 'one', wallet_id: 'w' })
    assert.deepEqual(scheduleToSend(again), { ...sent, id: 'one' })
    assert.equal(faultOfSchedule(again, NOW_MS), undefined)
    assert.equal(faultOfSchedule(again, Date.parse('2026-12-01T09:00:00Z')), 'past')
    assert.deepEqual(scheduleToSend({ ...again, repeat: 'month', times: '2' }).dates, ['2026-12-01', '2027-01-01'])
    const over = draftFromSchedule({ ...sent, id: 'one', wallet_id: 'w', dates: [] })
    assert.equal(faultOfSchedule(over, NOW_MS), 'dates')
  })
})
