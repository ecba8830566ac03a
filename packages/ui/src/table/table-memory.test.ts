import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTableMemory } from './table-memory.ts'

function storage(entries: Record<string, string> = {}) {
  const kept = new Map(Object.entries(entries))
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
}

test('columns that were hidden and the height of rows are there at the next visit', () => {
  const disk = storage()
  const memory = createTableMemory(disk)
  memory.setColumn('orders', 'fee', false)
  memory.setDensity('compact')
  const again = createTableMemory(disk)
  assert.deepEqual(again.columns('orders'), { fee: false })
  assert.deepEqual(again.columns('wallets'), {})
  assert.equal(again.density(), 'compact')
  again.restoreColumns('orders')
  again.setDensity('comfortable')
  assert.equal(disk.kept.size, 0)
})

test('whatever else stands in the storage, tables are shown as they are by themselves', () => {
  for (const text of ['', '{', '"x"', '[]', 'null', '{"fee":"no","at":null}'])
    assert.deepEqual(createTableMemory(storage({ 'holdfast.table.a': text })).columns('a'), {})
  assert.equal(createTableMemory(storage({ 'holdfast.density': 'huge' })).density(), 'comfortable')
})

test('the same choices are the same object until they change, and each change is told once', () => {
  const memory = createTableMemory(storage())
  let told = 0
  const stop = memory.subscribe(() => (told += 1))
  assert.equal(memory.columns('a'), memory.columns('a'))
  memory.setColumn('a', 'x', false)
  assert.equal(memory.columns('a'), memory.columns('a'))
  assert.equal(told, 1)
  stop()
  memory.setColumn('a', 'x', true)
  assert.equal(told, 1)
})
