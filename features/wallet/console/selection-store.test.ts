import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chosenOf, createSelectionStore } from './selection-store.ts'

function memoryStorage(kept: Record<string, string> = {}) {
  const map = new Map(Object.entries(kept))
  return {
    map,
    getItem: (key: string) => map.get(key) ?? null,
    setItem: (key: string, value: string) => void map.set(key, value),
    removeItem: (key: string) => void map.delete(key),
  }
}

const main = { id: 'w1', name: 'Main' }
const reserve = { id: 'w2', name: 'Reserve' }
const payroll = { id: 's1', name: 'Payroll' }

test('the wallet and sub-wallet selected are kept on the device, by id and name alone (spec 3.2, 9.19)', () => {
  const storage = memoryStorage()
  const store = createSelectionStore(storage)
  store.chooseWallet({ ...main, balance: '7' } as typeof main)
  store.chooseSubWallet(payroll)
  assert.deepEqual(Object.fromEntries(storage.map), { 'holdfast.wallet': '{"id":"w1","name":"Main"}', 'holdfast.sub-wallet': '{"id":"s1","name":"Payroll"}' })
  assert.deepEqual(createSelectionStore(storage).selection(), { wallet: main, subWallet: payroll })
})

test('choosing another wallet forgets the sub-wallet of the one before', () => {
  const store = createSelectionStore(memoryStorage())
  store.chooseWallet(main)
  store.chooseSubWallet(payroll)
  store.chooseWallet(main)
  assert.deepEqual(store.selection().subWallet, payroll)
  store.chooseWallet(reserve)
  assert.deepEqual(store.selection(), { wallet: reserve, subWallet: undefined })
})

test('forgetting the wallet leaves nothing behind, in the page or in storage', () => {
  const storage = memoryStorage()
  const store = createSelectionStore(storage)
  let told = 0
  store.subscribe(() => told++)
  store.chooseWallet(main)
  store.chooseSubWallet(payroll)
  store.forgetWallet()
  assert.deepEqual(store.selection(), { wallet: undefined, subWallet: undefined })
  assert.equal(storage.map.size, 0)
  assert.equal(told, 3)
})

test('what somebody wrote into the storage by hand is not believed', () => {
  for (const kept of ['{', '5', 'null', '{"id":5,"name":"x"}', '[]', '{"id":"x"}']) {
    assert.deepEqual(createSelectionStore(memoryStorage({ 'holdfast.wallet': kept })).selection().wallet, undefined, kept)
  }
})

test('where none of a list is chosen, the first is (spec 3.3)', () => {
  const list = [{ id: 'a' }, { id: 'b' }]
  assert.deepEqual(
    chosenOf(list, (each) => each.id, undefined),
    { id: 'a' },
  )
  assert.deepEqual(
    chosenOf(list, (each) => each.id, 'gone'),
    { id: 'a' },
  )
  assert.deepEqual(
    chosenOf(list, (each) => each.id, 'b'),
    { id: 'b' },
  )
  assert.equal(
    chosenOf([], (each: { id: string }) => each.id, 'b'),
    undefined,
  )
})
