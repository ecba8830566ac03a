import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forgetUser, keepUser, readUser } from './known-user.ts'

test('who is signed in is kept on the device by id and name alone, and forgotten on leaving (spec 3.1, 9.19)', () => {
  const map = new Map<string, string>()
  const storage = {
    getItem: (key: string) => map.get(key) ?? null,
    setItem: (key: string, value: string) => void map.set(key, value),
    removeItem: (key: string) => void map.delete(key),
  }
  keepUser(storage, { userId: 'u1', name: 'Alice', token: 'secret' } as never)
  assert.deepEqual(Object.fromEntries(map), { 'holdfast.user': '{"userId":"u1","name":"Alice"}' })
  assert.deepEqual(readUser(storage), { userId: 'u1', name: 'Alice' })
  forgetUser(storage)
  assert.equal(map.size, 0)
  assert.equal(readUser(storage), undefined)
})

test('what somebody wrote into the storage by hand is not believed', () => {
  for (const kept of ['{', '5', 'null', '[]', '{"userId":5,"name":"x"}']) assert.equal(readUser({ getItem: () => kept }), undefined, kept)
})
