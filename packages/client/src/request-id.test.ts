import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newRequestId, requestIdKeeper } from './request-id.ts'

let count = 0
const random = { bytes: (length: number) => new Uint8Array(length).fill(++count) }

test('a retry keeps its id, and another order gets another one', () => {
  const idOf = requestIdKeeper(random)
  const first = idOf({ amount: '1' })
  assert.equal(idOf({ amount: '1' }), first)
  const second = idOf({ amount: '2' })
  assert.notEqual(second, first)
  assert.notEqual(idOf({ amount: '1' }), first, 'what was changed and changed back is an order of its own')
  assert.match(newRequestId(random), /^[0-9a-f]{32}$/)
})
