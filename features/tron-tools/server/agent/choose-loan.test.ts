import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { chooseLoan, fallBack, type Fallback, lackOf, LOAN_REASONS, stakeFor } from './choose-loan.ts'
import { RENT_REASONS } from './choose-rent.ts'

const UNIT = 1_000_000n
const many = fc.bigInt(1n, 10n ** 15n)
const units = fc.bigInt(1n, 2_000_000n)

describe('what is lent for a payment', () => {
  it('gives the energy that lacks, and less than a unit of coin more than that needs', () => {
    fc.assert(
      fc.property(units, fc.bigInt(1n, 10n ** 10n), fc.bigInt(1n, 10n ** 7n), (lack, limit, coins) => {
        const stake = coins * UNIT
        const lent = stakeFor(lack, { limit, stake }, UNIT)
        assert.ok(lent !== undefined && lent % UNIT === 0n)
        assert.ok((lent * limit) / stake >= lack, 'it is enough')
        const less = lent - 2n * UNIT
        assert.ok(less < 0n || (less * limit) / stake <= lack + 1n, 'it is not more than two units of coin too much')
      }),
    )
  })

  it('never passes what people approved, nor what the lender has', () => {
    fc.assert(
      fc.property(units, many, many, many, many, many, (lack, limit, stake, delegatable, one, other) => {
        const [atLeast, atMost] = one < other ? [one, other] : [other, one]
        const chosen = chooseLoan(lack, { atLeast, atMost, unit: UNIT }, { limit, stake, delegatable })
        if (!('stake' in chosen)) return
        assert.ok(chosen.stake >= atLeast && chosen.stake <= atMost && chosen.stake <= delegatable)
        assert.ok((chosen.stake * limit) / stake >= lack)
      }),
    )
  })

  it('says why nothing is lent', () => {
    const terms = { atLeast: 1n, atMost: 9n * UNIT, unit: UNIT }
    assert.deepEqual(chooseLoan(5n, terms, { limit: 0n, stake: 0n, delegatable: 0n }), { reason: 'no_stake' })
    assert.deepEqual(chooseLoan(100n, terms, { limit: 100n, stake: 10n * UNIT, delegatable: 99n * UNIT }), { reason: 'over_cap' })
    assert.deepEqual(chooseLoan(50n, terms, { limit: 100n, stake: 10n * UNIT, delegatable: 5n * UNIT }), { reason: 'stake_in_use' })
    assert.deepEqual(chooseLoan(50n, terms, { limit: 100n, stake: 10n * UNIT, delegatable: 6n * UNIT }), { stake: 6n * UNIT })
  })

  it('counts what other payments of the address will use as not there', () => {
    fc.assert(
      fc.property(units, units, units, units, (needed, limit, used, promised) => {
        const lack = lackOf({ needed, meter: { limit, used }, promised })
        const free = limit > used ? limit - used : 0n
        assert.ok(lack >= 0n && lack <= needed)
        assert.equal(lack === 0n, free >= needed + promised || (free - promised >= needed && free >= promised))
      }),
    )
  })
})

describe('what becomes of a payment for which nothing can be lent', () => {
  it('burns only where that was chosen, within both bounds, and never for an account that somebody else may sign for', () => {
    const small = fc.bigInt(0n, 20n)
    fc.assert(
      fc.property(
        fc.constantFrom<Fallback>('burn', 'wait', 'stop'),
        fc.constantFrom(...LOAN_REASONS, ...RENT_REASONS),
        small,
        small,
        small,
        small,
        (fallback, reason, cost, burnMax, budgetDay, burnedToday) => {
          const { state } = fallBack(fallback, reason, { cost, burnMax, budgetDay, burnedToday })
          const isChanged = reason === 'permission_changed' || reason === 'rent_permission'
          const mayBurn = fallback === 'burn' && !isChanged && cost <= burnMax && burnedToday + cost <= budgetDay
          assert.equal(state === 'burning', mayBurn)
          assert.equal(state === 'stopped', isChanged || fallback === 'stop')
        },
      ),
    )
  })
})
