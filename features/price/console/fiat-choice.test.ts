import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readFiat } from './fiat-choice.ts'

test('values are in dollars until a currency that there is was chosen', () => {
  const kept = (text: string | null) => readFiat({ getItem: (key) => (key === 'holdfast.fiat' ? text : null) })
  assert.deepEqual([kept(null), kept('EUR'), kept('eur'), kept('XXX'), kept('')], ['USD', 'EUR', 'USD', 'USD', 'USD'])
})
