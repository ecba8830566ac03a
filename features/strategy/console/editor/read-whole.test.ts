import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readWhole } from './read-whole.ts'

test('a whole number is read however its thousands are set apart, and no text is taken for another number', () => {
  const whole = { '': 0, ' ': 0, '0': 0, '15': 15, ' 7 ': 7, '1,000': 1000, '1 000 000': 1_000_000, '007': 7 }
  for (const [text, value] of Object.entries(whole)) assert.equal(readWhole(text), value, text)
  for (const text of ['1.5', '2,5', '-3', '1,00', '1,0000', '1,000 000', '1e3', '15 min', '٣', 'x']) assert.equal(readWhole(text), undefined, text)
})

test('each number is read as it is written', () => {
  fc.assert(
    fc.property(fc.nat(), (value) => {
      assert.equal(readWhole(String(value)), value)
      assert.equal(readWhole(value.toLocaleString('en-US')), value)
    }),
  )
})
