import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { looksLikeName } from './name-skeleton.ts'

test('a name that is drawn as another one is taken for it', () => {
  for (const drawn of [
    'BINANCE',
    'binance',
    'Вinance',
    'Bіnance',
    'Ｂinance',
    'Bınance',
    'Binаnсe',
    'ΒΙΝΑΝCΕ',
    'ВIНАNСЕ'.replace('Н', 'N'),
    '𝐁inance',
    'Binance',
    'ᏴӀNᎪNCᎬ',
    'ꓐinɑոⅽe',
    'Bⲓnance'.replace('ⲓ', '⍳'),
  ])
    assert.ok(looksLikeName('Binance', drawn), drawn)
  for (const [one, other] of [
    ['Paypal', 'PaypaI'],
    ['Vault 1', 'Vault l'],
    ['Vault 10', 'Vault 1O'],
    ['Modern', 'Modem'],
    ['Cold wallet', 'Cold  wallet'],
    ['Cold wallet', 'cold-vvallet'],
    ['Main', 'Маin'],
    ['Payroll', 'PayroІІ'],
    ['Vault 3', 'Vault З'],
    ['Gas', 'Ԍаѕ'],
    ['Kraken', 'ꓗгакеn'],
    ['冷钱包Ａ', '冷钱包A'],
  ] as const)
    assert.ok(looksLikeName(one, other), `${one} ${other}`)
})

test('names that people tell apart are two names', () => {
  const names = [
    'Main',
    'Maine',
    'Vault 1',
    'Vault 2',
    'Ali',
    'All',
    'Treasury',
    'Treasure',
    '金库',
    '金库二',
    'Binance',
    'Finance',
    'Москва',
    'Мама',
    'Jörg',
    'Jorg',
  ]
  for (const one of names) for (const other of names) assert.equal(looksLikeName(one, other), one === other, `${one} ${other}`)
})

test('every name looks like itself in whatever width and case, and the order does not matter', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 20 }), fc.string({ unit: 'grapheme', maxLength: 20 }), (one, other) => {
      assert.ok(looksLikeName(one, one))
      assert.ok(looksLikeName(one, one.normalize('NFKC')))
      assert.equal(looksLikeName(one, other), looksLikeName(other, one))
    }),
    { numRuns: 1000 },
  )
})
