import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { formatAmount } from '@holdfast/units'
import { expectedUnits, mostOf } from './stake-bounds.ts'

const stake = { limit: '650', used: '0', staked: '100', delegated_out: '0', delegated_in: '30', delegatable: '80' }
const resources = { energy: stake, bandwidth: { ...stake, staked: '5', delegatable: '2' } }

test('the most of an order about stake is what is there for it, and a stake leaves room for its fee', () => {
  const known = { resources, balance: '500.5' }
  assert.deepEqual([mostOf('unstake', 'energy', known), mostOf('delegate', 'bandwidth', known), mostOf('stake', 'energy', known)], ['100', '2', '499.5'])
  assert.deepEqual([mostOf('stake', 'energy', { resources, balance: '0.5' }), mostOf('stake', 'energy', { resources, balance: undefined })], ['0', undefined])
})

test('what a stake gives is told by the present stake, and never where there is none', () => {
  assert.deepEqual(
    [expectedUnits('10', stake), expectedUnits('x', stake), expectedUnits('10', { ...stake, staked: '0', delegated_in: '0' })],
    ['50', undefined, undefined],
  )
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 10n ** 15n }),
      fc.bigInt({ min: 1n, max: 10n ** 15n }),
      fc.bigInt({ min: 0n, max: 10n ** 12n }),
      (amount, behind, limit) => {
        const found = expectedUnits(formatAmount(amount, 6), { ...stake, limit: String(limit), staked: formatAmount(behind, 6), delegated_in: '0' })
        assert.equal(found, String((amount * limit) / behind))
      },
    ),
  )
})
