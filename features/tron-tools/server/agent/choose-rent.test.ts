import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { chooseRent, DELIVERY_MS, isAwaited, unitsToRent } from './choose-rent.ts'

const small = fc.bigInt(0n, 30n)
const PROVIDER = 'TProvider'

describe('what is rented for a payment', () => {
  it('is what lacks, and about a hundredth more', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 10_000_000n), (lack) => {
        const units = unitsToRent(lack)
        assert.ok(units > lack && (units - lack) * 100n <= lack + 100n)
      }),
    )
  })

  it('is paid for only to the address that people approved, within every bound, and below what burning costs', () => {
    fc.assert(
      fc.property(
        fc.record({
          payTo: fc.constantFrom(PROVIDER, 'TOther'),
          energy: small,
          price: small,
          units: small,
          burn: small,
          max: small,
          day: small,
          today: small,
          atLeast: small,
          atMost: small,
        }),
        ({ payTo, energy, price, units, burn, max, day, today, atLeast, atMost }) => {
          const chosen = chooseRent({ payTo, energy, price }, { units, burn, bounds: { max, day, today }, terms: { payTo: PROVIDER, atLeast, atMost } })
          const mayPay = payTo === PROVIDER && energy >= units && price < burn && price <= max && today + price <= day && price >= atLeast && price <= atMost
          assert.deepEqual('price' in chosen ? chosen.price : undefined, mayPay ? price : undefined)
        },
      ),
    )
  })

  it('says why nothing is', () => {
    const quote = { payTo: PROVIDER, energy: 10n, price: 5n }
    const bounds = { max: 9n, day: 20n, today: 0n }
    const terms = { payTo: PROVIDER, atLeast: 1n, atMost: 9n }
    const given = { units: 10n, burn: 10n, bounds, terms }
    const reasonOf = (changes: Partial<typeof given>, offered: Partial<typeof quote> = {}) => chooseRent({ ...quote, ...offered }, { ...given, ...changes })
    assert.deepEqual(reasonOf({}), { price: 5n })
    assert.deepEqual(reasonOf({}, { payTo: 'TOther' }), { reason: 'rent_other_address' })
    assert.deepEqual(reasonOf({ units: 11n }), { reason: 'rent_offers_less' })
    assert.deepEqual(reasonOf({ burn: 5n }), { reason: 'rent_not_cheaper' })
    assert.deepEqual(reasonOf({ bounds: { ...bounds, max: 4n } }), { reason: 'rent_over_max' })
    assert.deepEqual(reasonOf({ bounds: { ...bounds, today: 16n } }), { reason: 'rent_budget_used' })
    assert.deepEqual(reasonOf({ terms: { ...terms, atMost: 4n } }), { reason: 'rent_over_cap' })
  })

  it('is waited for a while once it is paid, and not where it is said that nothing comes', () => {
    const paid = { isPaid: true, paidAtMs: 1_000, nowMs: 1_000 + DELIVERY_MS - 1, saysFailed: false }
    assert.equal(isAwaited(paid), true)
    for (const changes of [{ nowMs: 1_000 + DELIVERY_MS }, { saysFailed: true }, { isPaid: false }]) assert.equal(isAwaited({ ...paid, ...changes }), false)
  })
})
