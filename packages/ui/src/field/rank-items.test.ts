import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { rankItems, scoreOf } from './rank-items.ts'

const items = [
  { title: 'Transactions' },
  { title: 'Treasury', words: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
  { title: 'Cold treasury' },
  { title: 'Wallets' },
  { title: '热钱包 01', detail: 'Ethereum' },
  { title: 'Équipe Nord' },
]
const titles = (query: string) => rankItems(query, items, 10).map(({ title }) => title)

test('what begins with the words goes before what only contains them', () => {
  assert.deepEqual(titles('tre').slice(0, 2), ['Treasury', 'Cold treasury'])
  assert.deepEqual(titles('wallets'), ['Wallets'])
})

test('case, accents and the order of words do not matter; an address and a Chinese name are found', () => {
  assert.deepEqual(titles('EQUIPE'), ['Équipe Nord'])
  assert.deepEqual(titles('treasury cold'), ['Cold treasury'])
  assert.deepEqual(titles('0x7099'), ['Treasury'])
  assert.deepEqual(titles('钱包'), ['热钱包 01'])
  assert.deepEqual(titles('ethereum 01'), ['热钱包 01'])
})

test('every word must be somewhere; nothing typed shows everything', () => {
  assert.deepEqual(titles('treasury zebra'), [])
  assert.equal(titles('').length, items.length)
  assert.equal(rankItems('', items, 2).length, 2)
})

test('no text makes the search fail, and what is found by its whole title comes first', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (query, title) => {
      assert.ok(scoreOf(query, { title }) >= 0)
      if (/^[a-z]+$/.test(title)) assert.equal(scoreOf(title, { title }), 100)
    }),
  )
})
