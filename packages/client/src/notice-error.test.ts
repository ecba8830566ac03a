import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorNotice, withError } from './notice-error.ts'

test('who takes the error out of an answer is noticed, and who takes anything else is not', () => {
  for (const key of ['error', 'isError'] as const) {
    const notice = errorNotice()
    const answer = notice.on({ data: 1, error: null, isError: false })
    const { data } = answer
    assert.deepEqual([data, notice.isLooked()], [1, false])
    assert.deepEqual([Boolean(answer[key]), notice.isLooked()], [false, true])
  }
})

test('what is made of an answer hands its error on, and looks at it no sooner than whoever is handed it', () => {
  const notice = errorNotice()
  const refused = new Error('refused')
  const made = withError(notice.on({ data: [1, 2], error: refused, refetch: () => 'again' }), { first: 1 })
  const again = withError(made, { second: 2 })
  assert.deepEqual([made.first, again.second, again.refetch(), notice.isLooked()], [1, 2, 'again', false])
  assert.deepEqual([again.error, notice.isLooked()], [refused, true])
})
