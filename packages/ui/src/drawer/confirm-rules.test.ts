import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limitText } from '../format/limit-text.ts'
import { canConfirm, REMARK_LIMIT } from './confirm-rules.ts'

test('a remark ends at 200 characters, counted as people count them (spec 5.1, 9.4)', () => {
  assert.equal(limitText('a'.repeat(201), REMARK_LIMIT), 'a'.repeat(200))
  assert.equal(limitText('金'.repeat(200), REMARK_LIMIT), '金'.repeat(200))
  assert.equal(limitText('😀'.repeat(201), REMARK_LIMIT), '😀'.repeat(200))
  assert.equal(REMARK_LIMIT, 200)
})

test('nothing is confirmed while an acknowledgement asked for is not ticked (spec 5.2)', () => {
  assert.equal(canConfirm(true, false), false)
  assert.equal(canConfirm(true, true), true)
  assert.equal(canConfirm(false, false), true)
})

test('nothing is confirmed while a remark that is needed is empty', () => {
  assert.equal(canConfirm(false, false, true, ' \n'), false)
  assert.equal(canConfirm(false, false, true, 'no'), true)
  assert.equal(canConfirm(true, false, true, 'no'), false)
})
