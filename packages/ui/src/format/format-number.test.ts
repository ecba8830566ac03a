import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { exactAmount, exactMoney, MISSING, priceMoney, priceText, summaryAmount, summaryMoney } from './format-number.ts'

function table(format: (value: string | null | undefined) => string, rows: [string | null | undefined, string][]): void {
  for (const [value, expected] of rows) assert.equal(format(value), expected, String(value))
}

test('a summary has two decimals unless told otherwise, rounded to the nearest, a half to the even digit (spec 9.8)', () => {
  table(summaryAmount, [
    ['0', '0.00'],
    ['1', '1.00'],
    ['1.5', '1.50'],
    ['1.999', '2.00'],
    ['8.99998', '9.00'],
    ['1.7005', '1.70'],
    ['999999.99', '999,999.99'],
    ['999999.999', '1.00M'],
    ['-12.345', '-12.34'],
    ['-12.355', '-12.36'],
    ['0.01', '0.01'],
    ['0.0099', '0.01'],
    ['0.004', '< 0.01'],
    ['0.005', '< 0.01'],
    ['0.000', '0.00'],
  ])
  assert.equal(summaryAmount('1.23456', 4), '1.2346')
  assert.equal(summaryAmount('12.9', 0), '13')
  assert.equal(summaryAmount('0.4', 0), '< 1')
})

test('a number that is missing, or is none, is two hyphens (spec 9.9)', () => {
  for (const format of [summaryAmount, exactAmount, priceText]) {
    table(format, [
      [null, '--'],
      [undefined, '--'],
      ['', '--'],
      ['abc', '--'],
      ['1e5', '--'],
      ['.5', '--'],
      ['1.', '--'],
    ])
  }
})

test('millions and billions are shortened by M and B (spec 9.10)', () => {
  table(summaryAmount, [
    ['999999', '999,999.00'],
    ['1000000', '1.00M'],
    ['1239999.99', '1.24M'],
    ['12345678', '12.35M'],
    ['999990000', '999.99M'],
    ['999999999', '1.00B'],
    ['1000000000', '1.00B'],
    ['1239999999', '1.24B'],
    ['1234567890123', '1,234.57B'],
    ['-2500000', '-2.50M'],
  ])
})

test('from 1e17 on a summary says infinity (spec 9.11)', () => {
  table(summaryAmount, [
    ['99999999999999999.9', '100,000,000.00B'],
    ['100000000000000000', '∞'],
    ['115792089237316195423570985008687907853269984665640564039457584007913129639935', '∞'],
  ])
})

test('a price below 1e-10 reads < 1e-10, and no price reads as zero that is not (spec 9.12)', () => {
  table(priceText, [
    ['0.0000000001', '0.0000000001'],
    ['0.00000000009999', '< 1e-10'],
    ['0.000000000000001', '< 1e-10'],
    ['0', '0.00'],
    ['0.00', '0.00'],
    ['3120.4567', '3,120.46'],
    ['1', '1.00'],
    ['1.0002', '1.0002'],
    ['1.10004', '1.10'],
    ['0.99996', '1.00'],
    ['0.5', '0.5'],
    ['0.123456', '0.1235'],
    ['0.00012345678', '0.0001235'],
    ['-1', MISSING],
  ])
})

test('where money moves, every digit is shown', () => {
  table(exactAmount, [
    ['1234567.890000000000000001', '1,234,567.890000000000000001'],
    ['0', '0'],
    ['100000000000000000000', '100,000,000,000,000,000,000'],
    ['-1000.5', '-1,000.5'],
    ['007', '7'],
  ])
})

test('an exact amount without its separators is the amount that went in', () => {
  const amounts = fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 40n }), fc.stringMatching(/^\d{0,30}$/))
  fc.assert(
    fc.property(amounts, ([whole, fraction]) => {
      const text = fraction === '' ? `${whole}` : `${whole}.${fraction}`
      assert.equal(exactAmount(text).replaceAll(',', ''), text)
    }),
  )
})

test('a summary is never further from the number than half of its last digit', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 5n }), fc.stringMatching(/^\d{1,12}$/), (whole, fraction) => {
      const shown = summaryAmount(`${whole}.${fraction}`)
      if (shown.startsWith('<')) return
      assert.ok(Math.abs(Number(shown.replaceAll(',', '')) - Number(`${whole}.${fraction}`)) <= 0.005 + 1e-9, shown)
    }),
  )
})

test('the sign of a currency stands before the digits and after "less than", and what is missing has none', () => {
  table(
    (value) => summaryMoney(value, 'USD'),
    [
      ['1234.5', '$1,234.50'],
      ['-12.345', '-$12.34'],
      ['0.0049', '< $0.01'],
      ['100000000000000000', '$∞'],
      [null, '--'],
    ],
  )
  table(
    (value) => priceMoney(value, 'USD'),
    [
      ['3355.31', '$3,355.31'],
      ['0.00000000001', '< $1e-10'],
      ['abc', '--'],
    ],
  )
  assert.equal(exactMoney('-1234.567891', 'EUR'), '-€1,234.567891')
  assert.deepEqual([summaryMoney('5', 'JPY'), summaryMoney('5', 'CNY'), summaryMoney('0.001', 'CHF')], ['JP¥5.00', 'CN¥5.00', '< CHF\u00a00.01'])
})
