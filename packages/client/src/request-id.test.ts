import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answeredRequests, newRequestId, requestIdKeeper } from './request-id.ts'

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

test('the same content is another order once the form whose call was answered is gone, and not before', () => {
  const idOf = requestIdKeeper(random)
  const form = answeredRequests()
  const leave = form.open()
  const first = idOf({ amount: '1' })
  form.note(first)
  assert.equal(idOf({ amount: '1' }), first, 'two clicks in one form are one order')
  leave()
  const second = idOf({ amount: '1' })
  assert.notEqual(second, first)
  const unanswered = answeredRequests().open()
  unanswered()
  assert.equal(idOf({ amount: '1' }), second, 'a lost answer never makes two')
  form.note(second)
  assert.notEqual(idOf({ amount: '1' }), second, 'answered after the form was closed')
})
