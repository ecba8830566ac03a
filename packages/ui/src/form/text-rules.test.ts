import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { faultsOf, inSentence, type Say, type TextRules } from './text-rules.ts'

const words = (locale: string): string => JSON.parse(readFileSync(new URL(`../locales/${locale}.json`, import.meta.url), 'utf8')).ui.field.required
const rules: TextRules<'password' | 'again'> = {
  password: { label: 'Password' },
  again: { label: 'Password again', check: (value, all) => (value === all.password ? undefined : 'they differ') },
}

test('an empty field that is needed asks to enter it by its label, in both languages (spec 5.4)', () => {
  const required: Say = (key, { label }) => (key === 'ui.field.required' ? words('en-US').replace('{{label}}', String(label)) : key)
  assert.deepEqual(faultsOf(rules, { password: '', again: '  ' }, required), { password: 'Enter the password', again: 'Enter the password again' })
  assert.deepEqual(['Wallet name', 'ABI of the contract', '名称', ''].map(inSentence), ['wallet name', 'ABI of the contract', '名称', ''])
  assert.equal(words('zh-CN').replace('{{label}}', '密码'), '请输入密码')
})

test('a field that is filled in is judged by its own check', () => {
  assert.deepEqual(faultsOf(rules, { password: 'a', again: 'b' }, String), { again: 'they differ' })
  assert.deepEqual(faultsOf(rules, { password: 'a', again: 'a' }, String), {})
})

test('what may stay empty is judged only where it is filled in, and its shape before its own check', () => {
  const optional: TextRules<'pause'> = { pause: { label: 'Pause', optional: true, shape: { kind: 'integer', range: { max: 9 } }, check: () => 'odd' } }
  const say: Say = (key, values) => `${key} ${JSON.stringify(values)}`
  assert.deepEqual(faultsOf(optional, {}, say), {})
  assert.deepEqual(faultsOf(optional, { pause: 'x' }, say), { pause: 'ui.field.kind.integer {"label":"Pause"}' })
  assert.deepEqual(faultsOf(optional, { pause: '10' }, say), { pause: 'ui.field.range.max {"label":"Pause","max":9}' })
  assert.deepEqual(faultsOf(optional, { pause: '9' }, say), { pause: 'odd' })
})
