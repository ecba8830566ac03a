import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { type FieldShape, shapeFault } from './field-shape.ts'

const messages = (locale: string) => JSON.parse(readFileSync(new URL(`../locales/${locale}.json`, import.meta.url), 'utf8'))
const messageOf = (locale: string, key: string): string => key.split('.').reduce((part, name) => part[name], messages(locale))

const WRONG: readonly [string, FieldShape][] = [
  ['ten', { kind: 'number' }],
  ['1.5', { kind: 'integer' }],
  ['dora', { kind: 'email' }],
  ['example', { kind: 'url' }],
  ['2026-13-01', { kind: 'date' }],
  ['ab', { length: { min: 3 } }],
  ['abcd', { length: { max: 3 } }],
  ['a', { length: { min: 2, max: 3 } }],
  ['2', { kind: 'integer', range: { min: 3 } }],
  ['4', { kind: 'integer', range: { max: 3 } }],
  ['9', { kind: 'number', range: { min: 1.5, max: 3 } }],
]
const RIGHT: readonly [string, FieldShape][] = [
  ['-10.25', { kind: 'number' }],
  ['15', { kind: 'integer' }],
  ['dora@example.com', { kind: 'email' }],
  ['https://example.com', { kind: 'url' }],
  ['2026-11-21', { kind: 'date' }],
  ['金金😀', { length: { min: 3, max: 3 } }],
  ['3', { kind: 'integer', range: { min: 3, max: 3 } }],
]

test('a value of the wrong kind, length or range has a message that names the field and the limit, in both languages (spec 5.5)', () => {
  for (const [text, shape] of WRONG) {
    const fault = shapeFault(text, shape)
    assert.ok(fault, text)
    for (const locale of ['en-US', 'zh-CN']) {
      const message = messageOf(locale, fault.key)
      assert.match(message, /\{\{label\}\}/, `${locale} ${fault.key}`)
      assert.deepEqual([...message.matchAll(/\{\{(min|max)\}\}/g)].map(([, name]) => name).toSorted(), Object.keys(fault.values).toSorted(), fault.key)
    }
  }
  for (const [text, shape] of RIGHT) assert.equal(shapeFault(text, shape), undefined, text)
})

test('a whole number is right exactly where it lies within its limits', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer(), fc.integer(), (value, one, other) => {
      const [min, max] = [Math.min(one, other), Math.max(one, other)]
      const fault = shapeFault(String(value), { kind: 'integer', range: { min, max } })
      assert.equal(fault === undefined, value >= min && value <= max)
    }),
  )
})
