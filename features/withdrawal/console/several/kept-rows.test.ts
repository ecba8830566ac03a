import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { forgetRows, type Kept, keepRows, readKeptRows } from './kept-rows.ts'

function storage() {
  const kept = new Map<string, string>()
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
}

const order = {
  request_id: 'a'.repeat(32),
  sub_wallet_id: 's',
  chain: 'eip155:1',
  symbol: 'ETH',
  address_to: '0x1',
  amount: '1',
  max_fee: '0.1',
  ack: '',
  remark: '',
}
const kept: Kept = {
  personId: 'ann',
  place: { subWalletId: 's', chain: 'eip155:1', symbol: 'ETH' },
  rows: [{ to: 'Kraken', amount: '1,5' }],
  noted: { remark: 'wages', category: '', tags: '' },
  orders: [
    { line: 1, order, state: 'sent', orderId: 'o' },
    { line: 2, order: { ...order, tags: ['a'], category: 'c' }, state: 'refused', reason: 'no' },
    { line: 3, order, state: 'sending' },
  ],
}

test('what was filled in is there again after a reload, with the ids of orders under way, for the person who did and nobody else', () => {
  const tab = storage()
  keepRows(tab, kept)
  assert.deepEqual(readKeptRows(tab, 'ann'), kept)
  assert.equal(readKeptRows(tab, 'ben'), undefined)
  forgetRows(tab)
  assert.equal(readKeptRows(tab, 'ann'), undefined)
})

test('what is not as it was written is not taken', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      const tab = storage()
      tab.setItem('holdfast.pay-several', text)
      return readKeptRows(tab, 'ann') === undefined
    }),
  )
  const tab = storage()
  keepRows(tab, { ...kept, orders: [{ line: 1, order: { ...order, request_id: 'x y' }, state: 'ready' }] })
  assert.equal(readKeptRows(tab, 'ann'), undefined)
})
