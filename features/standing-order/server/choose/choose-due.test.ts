import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type Attempt, chooseDue, type Due, type DueTerms, stateOf } from './choose-due.ts'

const DAY_MS = 86_400_000
const NOW_MS = 100 * DAY_MS
const due = (day: number, attempts: readonly Attempt[] = []): Due => ({ day, dueAtMs: day * DAY_MS, lastAtMs: (day + 3) * DAY_MS, attempts })
const attempt = (state: Attempt['state'], atMs = 0): Attempt => ({ orderId: 'o', state, atMs, pays: { contract: '', symbol: 'ETH', amount: 100n } })
const terms = (changes: Partial<DueTerms> = {}): DueTerms => ({
  amount: 100n,
  isCoin: true,
  fee: { estimates: [5n, 10n, 20n], max: 12n, maxShare: 10_000n },
  ...changes,
})
const plenty = { available: 10_000n, coins: 10_000n }
const chosen = (of: Partial<DueTerms>, has = plenty, dues: readonly Due[] = [due(100)]) =>
  chooseDue(terms(of), has, dues, NOW_MS).map(({ due: { day }, feeCap, reason, ...rest }) => [
    day,
    feeCap ?? reason,
    ...('detail' in rest ? [rest.detail] : []),
  ])

describe('how it stands with a date', () => {
  it('follows from what was tried, the time, and whether somebody stopped it', () => {
    const at = (given: Due, isStopped = false) => stateOf(given, NOW_MS, isStopped)
    assert.deepEqual([at(due(101)), at(due(100)), at(due(98)), at(due(97))], ['planned', 'late', 'late', 'skipped'])
    assert.deepEqual([at(due(101), true), at(due(100), true), at(due(97), true)], ['ended', 'ended', 'skipped'])
    const after = (...states: Attempt['state'][]) =>
      at(
        due(
          100,
          states.map((state) => attempt(state)),
        ),
      )
    assert.deepEqual([after('open'), after('paid'), after('spent'), after('void')], ['under_way', 'paid', 'failed', 'late'])
    assert.deepEqual([after('void', 'open'), after('void', 'paid'), after('spent', 'paid')], ['under_way', 'paid', 'paid'])
  })
})

describe('what is paid of what is due', () => {
  it('is each date whose time has come, at the fee of now within the cap', () => {
    assert.deepEqual(chosen({}, plenty, [due(99), due(101), due(100), due(97)]), [
      [99, 10n],
      [100, 10n],
    ])
    assert.deepEqual(chosen({ fee: { estimates: [5n, 13n, 20n], max: 12n, maxShare: 10_000n } }), [[100, 5n]])
  })

  it('is nothing where money is missing, fees are above the cap, or nobody says what they are, and the page says which', () => {
    assert.deepEqual(chosen({}, { available: 109n, coins: 109n }), [[100, 'no_funds', 1n]])
    assert.deepEqual(chosen({ isCoin: false }, { available: 99n, coins: 10n }), [[100, 'no_funds', 1n]])
    assert.deepEqual(chosen({ isCoin: false }, { available: 100n, coins: 9n }), [[100, 'no_fee_coins', 1n]])
    assert.deepEqual(chosen({ fee: null }), [[100, 'halted']])
    assert.deepEqual(chosen({ fee: { estimates: [13n, 14n, 15n], max: 12n, maxShare: 10_000n } }), [[100, 'fee_too_high', 13n]])
    assert.deepEqual(chosen({}, plenty, [due(100, [attempt('void', NOW_MS - 60_000)])]), [[100, 'failed']], 'not again at once')
    assert.deepEqual(chosen({}, plenty, [due(100, [attempt('void', NOW_MS - 600_000)])]), [[100, 10n]])
  })

  it('leaves room for a higher fee where it may be raised, unless a date would not be paid for that', () => {
    const raised = (max: bigint) => ({ fee: { estimates: [5n, 10n, 20n] as const, max, maxShare: 10_000n, isRaised: true } })
    const two = [due(99), due(100)]
    assert.deepEqual(chosen(raised(50n)), [[100, 20n]])
    assert.deepEqual(chosen(raised(15n)), [[100, 15n]], 'within the cap that people approved')
    assert.deepEqual(chosen(raised(50n), { available: 119n, coins: 119n }), [[100, 10n]])
    assert.deepEqual(chosen(raised(50n), { available: 109n, coins: 109n }), [[100, 'no_funds', 1n]])
    assert.deepEqual(chosen(raised(50n), { available: 230n, coins: 230n }, two), [
      [99, 10n],
      [100, 10n],
    ])
    assert.deepEqual(chosen({ ...raised(50n), isCoin: false }, { available: 200n, coins: 40n }, two), [
      [99, 20n],
      [100, 20n],
    ])
  })

  it('is never more than there is, and nothing that was paid, failed or is on its way', () => {
    const states = fc.constantFrom('open', 'paid', 'spent', 'void') satisfies fc.Arbitrary<Attempt['state']>
    const dues = fc.uniqueArray(fc.record({ day: fc.integer({ min: 95, max: 102 }), tried: fc.array(states, { maxLength: 2 }) }), {
      selector: ({ day }) => day,
    })
    fc.assert(
      fc.property(dues, fc.boolean(), fc.boolean(), fc.bigInt(0n, 600n), fc.bigInt(0n, 60n), (given, isCoin, isRaised, available, coins) => {
        const all = given.map(({ day, tried }) =>
          due(
            day,
            tried.map((state) => attempt(state)),
          ),
        )
        const has = { available, coins: isCoin ? available : coins }
        const made = chooseDue(terms({ isCoin, fee: { estimates: [5n, 10n, 20n], max: 25n, maxShare: 10_000n, isRaised } }), has, all, NOW_MS).filter(
          ({ feeCap }) => feeCap !== undefined,
        )
        const fees = made.reduce((sum, { feeCap = 0n }) => sum + feeCap, 0n)
        const paid = BigInt(made.length) * 100n
        assert.ok(isCoin ? paid + fees <= available : paid <= available && fees <= coins)
        for (const { due: each } of made) {
          assert.ok(each.dueAtMs <= NOW_MS && NOW_MS < each.lastAtMs)
          assert.ok(each.attempts.every(({ state }) => state === 'void'))
        }
      }),
    )
  })
})
