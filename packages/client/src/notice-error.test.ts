import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noticeError } from './notice-error.ts'

test('who takes the error out of an answer is noticed, and who takes anything else is not', () => {
  let looked = 0
  const answer = noticeError({ data: 1, error: null, isError: false }, () => (looked += 1))
  const { data } = answer
  assert.deepEqual([data, looked], [1, 0])
  const { error } = answer
  assert.deepEqual([error, looked], [null, 1])
  assert.deepEqual([answer.isError, looked], [false, 2])
})
