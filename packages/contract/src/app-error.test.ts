import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from './app-error.ts'
import { defineErrors, entry } from './define-errors.ts'
import { errorEnvelope, successEnvelope } from './envelope.ts'
import { sentenceOf } from './words/sentence-of.ts'

test('an error carries its details to the caller and its cause only to the log', () => {
  const error = new AppError('rate_limited', { cause: new Error('secret'), details: { retry_after: 7 } })
  assert.deepEqual(errorEnvelope(error, 'zh_CN'), { code: '300006', msg: '请求过于频繁。请等待 7 秒后重试。', data: { retry_after: 7 } })
  assert.equal(error.httpStatus, 429)
  assert.doesNotMatch(JSON.stringify(errorEnvelope(error, 'en_US')), /secret/)
  assert.equal(sentenceOf(new AppError('name_too_long'), 'en_US'), 'The name is too long. Use at most - characters.')
  assert.deepEqual(successEnvelope([1]), { code: '0', msg: 'success', data: [1] })
})

test('a refusal of a feature is answered as the feature declares it', () => {
  const errors = defineErrors({
    shelf_full: entry('399999', 'toast', 'The shelf holds {limit} books. Remove one first.', '书架最多 {limit} 本。请先移除一本。'),
  })
  const error = new AppError(errors.shelf_full, { details: { limit: 3 } })
  assert.deepEqual([error.errorName, error.code, error.httpStatus, error.message], ['shelf_full', '399999', 200, 'The shelf holds 3 books. Remove one first.'])
  assert.equal(sentenceOf(error, 'zh_CN'), '书架最多 3 本。请先移除一本。')
})
