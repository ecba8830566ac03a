import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { AppError } from './app-error.ts'
import { formEncode } from './form-encode.ts'
import { MAX_FORM_KEYS, parseForm } from './parse-form.ts'

const refused = (text: string, code = '100004') =>
  assert.throws(
    () => parseForm(text),
    (error) => error instanceof AppError && error.code === code,
    text,
  )

test('a form is read field by field, with plus as space and percent as bytes', () => {
  assert.deepEqual({ ...parseForm('name=Main+wallet&alias=%E9%87%91%E5%BA%93&empty=&sum=a=b') }, { name: 'Main wallet', alias: '金库', empty: '', sum: 'a=b' })
  assert.deepEqual({ ...parseForm('') }, {})
})

test('what is not a flat form is refused with a parameter error', () => {
  for (const text of [
    'a[]=1',
    'a%5B%5D=1',
    'a%5Bb%5D=1',
    'a.b=1',
    '__proto__=1',
    '%5F_proto__=1',
    'constructor=1',
    'prototype=x',
    'a=1&a=2',
    'a=1&%61=2',
    '=1',
    'a',
    '&',
    'a=1&',
    '&&',
    'a=%',
    'a=%4',
    'a=%zz',
    'a=%ff',
    'a=%c0%80',
    'a=%ed%a0%80',
    'a=\u00e9',
    'a= b',
    'a=b\n',
    'a=%00',
    'a=e%CC%81',
    '1a=1',
    'a-b=1',
    `${'a'.repeat(65)}=1`,
  ])
    refused(text)
})

test('a form has at most 200 fields and 64 KiB', () => {
  const fields = (count: number) => Array.from({ length: count }, (_, at) => `f${at}=1`).join('&')
  assert.equal(Object.keys(parseForm(fields(MAX_FORM_KEYS))).length, MAX_FORM_KEYS)
  refused(fields(MAX_FORM_KEYS + 1))
  refused(`${'&'.repeat(60_000)}`)
  assert.equal(parseForm(`a=${'x'.repeat(65_534)}`).a?.length, 65_534)
  refused(`a=${'x'.repeat(65_535)}`, '300009')
})

test('any text at all gives a flat form or a parameter error, and no prototype is ever written', () => {
  const before = Object.getOwnPropertyNames(Object.prototype).join()
  const piece = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.constantFrom(
      '__proto__',
      'constructor',
      'prototype',
      'toString',
      '[',
      ']',
      '=',
      '&',
      '%',
      '%00',
      '%5B',
      '%5F%5Fproto%5F%5F',
      'a',
      '+',
      '%F0%9F%98%80',
      '.',
      ';',
    ),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      let fields: Record<string, string>
      try {
        fields = parseForm(pieces.join(''))
      } catch (error) {
        assert.ok(error instanceof AppError, String(error))
        return
      }
      assert.equal(Object.getPrototypeOf(fields), null)
      for (const [key, value] of Object.entries(fields)) {
        assert.match(key, /^[A-Za-z][A-Za-z0-9_]*$/)
        assert.equal(typeof value, 'string')
        assert.equal(value, value.normalize('NFC'))
      }
    }),
    { numRuns: 20_000 },
  )
  assert.equal(Object.getOwnPropertyNames(Object.prototype).join(), before)
  assert.equal(({} as Record<string, unknown>).polluted, undefined)
})

test('what formEncode writes, parseForm reads back', () => {
  const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_]{0,20}$/).filter((each) => each !== 'constructor' && each !== 'prototype')
  const text = fc.string({ unit: 'grapheme', maxLength: 40 }).map((each) => each.normalize('NFC').replaceAll('\0', ''))
  fc.assert(
    fc.property(fc.dictionary(name, text), (input) => {
      assert.deepEqual({ ...parseForm(formEncode(input)) }, { ...input })
    }),
    { numRuns: 2_000 },
  )
})

test('formEncode writes values as the conventions say and refuses what would not come back', () => {
  assert.equal(
    formEncode({ a: true, b: false, n: 12, big: 10n ** 30n, list: ['x', 1], gone: undefined, none: null, o: { amount: 5n } }),
    'a=true&b=false&n=12&big=1000000000000000000000000000000&list=%5B%22x%22%2C1%5D&o=%7B%22amount%22%3A%225%22%7D',
  )
  assert.equal(parseForm(formEncode({ name: 'e\u0301' })).name, '\u00e9')
  for (const value of [1e21, 1e-7, Number.NaN, Infinity, () => 1, Symbol('x'), '\ud800']) assert.throws(() => formEncode({ value }), AppError)
})
