import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { AmountTextFault, formatAmount, MAX_AMOUNT, MAX_DECIMALS, parseAmount } from './index.ts'

const amount = fc.oneof(fc.bigInt({ min: 0n, max: MAX_AMOUNT }), fc.bigInt({ min: 0n, max: 10n ** 12n }), fc.constantFrom(0n, 1n, MAX_AMOUNT))
const decimals = fc.integer({ min: 0, max: 30 })

describe('amounts', () => {
  it('come back exactly from their text, for 20,000 amounts of 0 to 30 decimals', () => {
    fc.assert(
      fc.property(amount, decimals, (value, places) => {
        assert.equal(parseAmount(formatAmount(value, places), places), value)
      }),
      { numRuns: 20_000 },
    )
  })

  it('have one shortest text: no zeros in front of or behind what they say', () => {
    fc.assert(
      fc.property(amount, decimals, (value, places) => {
        const text = formatAmount(value, places)
        assert.match(text, /^(0|[1-9][0-9]*)(\.[0-9]*[1-9])?$/)
        assert.ok((text.split('.')[1] ?? '').length <= places)
      }),
      { numRuns: 5_000 },
    )
  })

  it('equal what long-hand arithmetic says', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 30 })
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 40n }), digits, decimals, (whole, fraction, places) => {
        fc.pre(fraction.length <= places)
        const text = fraction === '' ? `${whole}` : `${whole}.${fraction}`
        const expected = whole * 10n ** BigInt(places) + BigInt(fraction || '0') * 10n ** BigInt(places - fraction.length)
        assert.equal(parseAmount(text, places), expected)
      }),
      { numRuns: 5_000 },
    )
  })

  it('are never rounded: one digit too many is refused and the sentence says how many fit', () => {
    assert.throws(() => parseAmount('0.1234567', 6), { name: 'AmountTextFault', message: 'the amount has 7 digits after the point, but this asset has only 6' })
    assert.throws(() => parseAmount('1.0000000', 6), AmountTextFault)
    assert.throws(() => parseAmount('1.5', 0), { message: 'this asset has no decimals: enter a whole number' })
  })

  it('refuse every spelling that could mean two things', () => {
    const ambiguous = [
      '',
      ' ',
      '1 ',
      ' 1',
      '+1',
      '-1',
      '1e3',
      '0x10',
      '1,000',
      '1,5',
      '.5',
      '5.',
      '1.2.3',
      '01',
      '00',
      '1_000',
      '٣',
      '１',
      '½',
      'NaN',
      'Infinity',
      '1\n',
      '1.5\0',
    ]
    for (const text of ambiguous) assert.throws(() => parseAmount(text, 6), AmountTextFault, JSON.stringify(text))
  })

  it('accept nothing but digits and one point, whatever is typed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), decimals, (text, places) => {
        let value: bigint
        try {
          value = parseAmount(text, places)
        } catch (error) {
          assert.ok(error instanceof AmountTextFault)
          return
        }
        assert.match(text, /^[0-9]+(\.[0-9]+)?$/)
        assert.ok(value >= 0n && value <= MAX_AMOUNT)
      }),
      { numRuns: 5_000 },
    )
  })

  it('end at the largest number a chain can hold', () => {
    assert.equal(parseAmount(MAX_AMOUNT.toString(), 0), MAX_AMOUNT)
    assert.throws(() => parseAmount((MAX_AMOUNT + 1n).toString(), 0), AmountTextFault)
    assert.throws(() => parseAmount('9'.repeat(100_000), 18), AmountTextFault)
  })

  it('show a debit with its sign', () => {
    assert.equal(formatAmount(-1_500_000n, 6), '-1.5')
    assert.equal(formatAmount(-1n, 18), '-0.000000000000000001')
  })

  it('refuse an impossible number of decimals as a mistake of the program', () => {
    for (const places of [-1, 1.5, Number.NaN, MAX_DECIMALS + 1]) {
      assert.throws(() => parseAmount('1', places), RangeError)
      assert.throws(() => formatAmount(1n, places), RangeError)
    }
  })
})
