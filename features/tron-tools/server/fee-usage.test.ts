import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { groupFees } from './fee-usage.ts'

const fee = fc.record({
  atMs: fc.bigInt({ min: 0n, max: 10n ** 13n }),
  subWalletId: fc.constantFrom('a', 'b'),
  kind: fc.constantFrom('withdraw', 'stake', null),
  amount: fc.bigInt({ min: 0n, max: 10n ** 30n }),
  rented: fc.bigInt({ min: 0n, max: 10n ** 30n }),
})

describe('fees in groups', () => {
  it('lose none and count none twice, whichever groups they stand in', () => {
    fc.assert(
      fc.property(fc.array(fee), fc.constantFrom('day' as const, 'sub_wallet' as const, 'kind' as const), (fees, group) => {
        const groups = groupFees(fees, group)
        assert.equal(
          groups.reduce((sum, { amount }) => sum + amount, 0n),
          fees.reduce((sum, { amount }) => sum + amount, 0n),
        )
        assert.equal(
          groups.reduce((sum, { rented }) => sum + rented, 0n),
          fees.reduce((sum, { rented }) => sum + rented, 0n),
        )
        assert.equal(
          groups.reduce((sum, { count }) => sum + count, 0),
          fees.length,
        )
        assert.equal(new Set(groups.map(({ key }) => key)).size, groups.length)
      }),
    )
  })
  it('belong to the day of UTC on which they were paid', () => {
    const at = (text: string) => BigInt(Date.parse(text))
    const one = { subWalletId: 'a', kind: null, amount: 1n, rented: 2n }
    const fees = [
      { ...one, atMs: at('2026-03-02T00:00:00Z') },
      { ...one, atMs: at('2026-03-01T23:59:59.999Z') },
      { ...one, atMs: at('2026-03-01T00:00:00Z') },
    ]
    assert.deepEqual(groupFees(fees, 'day'), [
      { key: String(at('2026-03-01T00:00:00Z')), amount: 2n, rented: 4n, count: 2 },
      { key: String(at('2026-03-02T00:00:00Z')), amount: 1n, rented: 2n, count: 1 },
    ])
  })
})
