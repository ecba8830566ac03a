import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { chooseSweeps } from './choose-sweeps.ts'
import type { Holding, Terms } from './chosen.ts'
import { chooseNarrowed, dueAt, type Narrowing } from './narrowing.ts'

const CHAIN = 'eip155:1'
const HOUR_MS = 3_600_000
const terms = (changes: Partial<Terms> = {}): Terms => ({
  ...{ atLeast: 100n, atMost: 10_000n, isCoin: true, target: 'treasury', never: new Set() },
  fee: { estimates: [5n, 10n, 20n], max: 12n, maxShare: 1_000n },
  ...changes,
})
const asset = {
  ...{ chain: CHAIN, contract: '', isOn: true, atLeast: '500', single: null, atMost: '5000', feeMax: '12', feeShare: 1_000, schedule: '', raise: null },
}
const narrowing = (changes: Partial<Narrowing> = {}): Narrowing => ({
  ...{ isPaused: false, assets: [asset], scope: { mode: 'all', subWalletIds: [] }, never: [], asked: [] },
  ...changes,
})
const holding = (changes: Partial<Holding> = {}): Holding => ({ address: 'a', subWalletId: 's', available: 1_000n, coins: 1_000n, isBusy: false, ...changes })
const at = { chain: CHAIN, contract: '', nowMs: 1_000 * HOUR_MS, hasSingle: () => false }
const reasonOf = (of: Narrowing, has: Partial<Holding> = {}, place: Partial<typeof at> = {}) => {
  const [only] = chooseNarrowed(terms(), of, [holding(has)], { ...at, ...place })
  return only?.move ? 'moves' : only?.reason
}

describe('a narrowed standing order', () => {
  it('moves what reaches its own threshold, and says why the rest stays', () => {
    assert.equal(reasonOf(narrowing()), 'moves')
    assert.equal(reasonOf(narrowing(), { available: 400n }), 'below_threshold')
    assert.equal(reasonOf(narrowing({ isPaused: true })), 'paused')
    assert.equal(reasonOf(narrowing({ assets: [{ ...asset, isOn: false }] })), 'switched_off')
    assert.equal(reasonOf(narrowing({ assets: [] })), 'switched_off')
    assert.equal(reasonOf(narrowing({ never: [{ chain: CHAIN, address: 'a' }] })), 'black_address')
    assert.equal(reasonOf(narrowing({ scope: { mode: 'part', subWalletIds: ['t'] } })), 'out_of_scope')
    assert.equal(reasonOf(narrowing({ scope: { mode: 'except', subWalletIds: ['s'] } })), 'out_of_scope')
    assert.equal(reasonOf(narrowing({ scope: { mode: 'part', subWalletIds: ['s'] } })), 'moves')
  })

  it('moves a deposit of the single amount although the address has less than the threshold', () => {
    assert.equal(reasonOf(narrowing(), { available: 400n }, { hasSingle: () => true }), 'moves')
    assert.equal(reasonOf(narrowing(), { available: 50n }, { hasSingle: () => true }), 'below_threshold')
  })

  it('moves at once what somebody asked for, but nothing that is left or excluded', () => {
    const asked = [{ chain: CHAIN, address: 'a', contract: '', what: 'now' as const }]
    assert.equal(reasonOf(narrowing({ asked, assets: [{ ...asset, schedule: '05:00' }] }), { available: 400n }), 'moves')
    assert.equal(reasonOf(narrowing({ asked: [{ ...asked[0]!, what: 'leave' }] })), 'left')
    assert.equal(reasonOf(narrowing({ asked, never: [{ chain: CHAIN, address: 'a' }] })), 'black_address')
    assert.equal(reasonOf(narrowing({ asked, isPaused: true })), 'paused')
  })

  it('waits for its time', () => {
    assert.equal(reasonOf(narrowing({ assets: [{ ...asset, schedule: 'hourly' }] }), {}, { nowMs: HOUR_MS / 2 }), 'scheduled')
    assert.equal(reasonOf(narrowing({ assets: [{ ...asset, schedule: 'hourly' }] }), {}, { nowMs: 3 * HOUR_MS }), 'moves')
  })

  it('never moves what the standing order itself would not', () => {
    const amount = fc.bigInt(0n, 20_000n)
    fc.assert(
      fc.property(
        amount,
        amount,
        amount,
        fc.bigInt(0n, 40n),
        fc.integer({ min: 1, max: 10_000 }),
        fc.boolean(),
        fc.constantFrom(null, { afterMs: 60_000, times: 3 }),
        (available, least, most, feeMax, feeShare, single, raise) => {
          const narrowed = { ...asset, atLeast: String(least), atMost: String(most), feeMax: String(feeMax), feeShare, raise }
          const [found] = chooseNarrowed(terms(), narrowing({ assets: [narrowed] }), [holding({ available })], { ...at, hasSingle: () => single })
          if (!found?.move) return
          const { amount: moved, feeCap } = found.move
          assert.ok(moved >= 100n && moved <= 10_000n && feeCap <= 12n && feeCap * 10_000n <= moved * 1_000n && moved + feeCap <= available)
          assert.ok(moved <= most && feeCap <= feeMax)
          assert.ok(chooseSweeps(terms(), [holding({ available })])[0]?.move)
        },
      ),
    )
  })
})

describe('the time of a schedule', () => {
  it('is now, or within a day; and at that time it is due', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.constantFrom('', 'hourly'),
          fc
            .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
            .map(([h, m]) => [h, m].map((each) => String(each).padStart(2, '0')).join(':')),
        ),
        fc.integer({ min: 1_700_000_000_000, max: 1_900_000_000_000 }),
        (schedule, nowMs) => {
          const due = dueAt(schedule, nowMs)
          assert.ok(due >= nowMs && due - nowMs < 86_400_000)
          assert.equal(dueAt(schedule, due), due)
        },
      ),
    )
    assert.equal(dueAt('02:30', Date.UTC(2026, 0, 1, 2, 0)), Date.UTC(2026, 0, 1, 2, 30))
    assert.equal(dueAt('02:30', Date.UTC(2026, 0, 1, 4, 0)), Date.UTC(2026, 0, 2, 2, 30))
    assert.equal(dueAt('23:30', Date.UTC(2026, 0, 1, 0, 10)), Date.UTC(2026, 0, 1, 0, 10))
  })
})
