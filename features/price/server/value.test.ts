import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { formatPrice, formatWorth, parsePrice, priceIn, worthAt } from './value.ts'

test('a value is exact to the millionth of a dollar and never rounded up', () => {
  const price = parsePrice('3120.45')!
  assert.equal(formatWorth(worthAt(1_500_000_000_000_000_000n, 18, price)), '4680.675')
  assert.equal(formatWorth(worthAt(1n, 18, price)), '0')
  assert.equal(formatWorth(worthAt(999_999n, 6, parsePrice('1')!)), '0.999999')
  assert.equal(formatWorth(worthAt(10n ** 60n, 0, parsePrice('0.000000000000000000000001')!)), `1${'0'.repeat(36)}`)
})

test('the parts of an amount are never worth more than the whole', () => {
  const amount = fc.bigInt({ min: 0n, max: 2n ** 128n })
  fc.assert(
    fc.property(amount, amount, fc.bigInt({ min: 1n, max: 10n ** 40n }), fc.nat(36), (one, other, price, decimals) => {
      const parts = worthAt(one, decimals, price) + worthAt(other, decimals, price)
      const whole = worthAt(one + other, decimals, price)
      assert.ok(parts <= whole && whole - parts <= 1n)
    }),
  )
})

test('a price in another currency is cut, never rounded up, and unknown where nothing is left of it', () => {
  assert.equal(formatPrice(priceIn(parsePrice('3120.45')!, parsePrice('1.25')!)!), '2496.36')
  assert.equal(formatPrice(priceIn(parsePrice('1')!, parsePrice('3')!)!), `0.${'3'.repeat(24)}`)
  assert.equal(priceIn(1n, parsePrice('1.000001')!), undefined)
  const price = fc.bigInt({ min: 1n, max: 10n ** 44n })
  fc.assert(
    fc.property(price, price, (dollars, rate) => {
      const converted = priceIn(dollars, rate) ?? 0n
      assert.ok(converted * rate <= dollars * 10n ** 24n && (converted + 1n) * rate > dollars * 10n ** 24n)
    }),
  )
})

test('a price is read from plain decimal text alone, and nothing is no price', () => {
  for (const text of ['', '0', '0.0', '-1', '+1', '1e3', '1,000', '01', '.5', '1.', 'NaN', 'Infinity', ' 1', '１', '9'.repeat(30)]) {
    assert.equal(parsePrice(text), undefined, text)
  }
  assert.equal(parsePrice(`0.${'0'.repeat(30)}1`), undefined)
  assert.equal(formatPrice(parsePrice('1.0000000000000000000000019')!), '1.000000000000000000000001')
  fc.assert(fc.property(fc.bigInt({ min: 1n, max: 10n ** 44n }), (price) => assert.equal(parsePrice(formatPrice(price)), price)))
})
