import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorNotice } from './notice-error.ts'

test('who takes the error out of an answer is noticed, and who takes anything else is not', () => {
  for (const key of ['error', 'isError'] as const) {
    const notice = errorNotice()
    const answer = notice.on({ data: 1, error: null, isError: false })
    const { data } = answer
    assert.deepEqual([data, notice.isLooked()], [1, false])
    assert.deepEqual([Boolean(answer[key]), notice.isLooked()], [false, true])
  }
})
