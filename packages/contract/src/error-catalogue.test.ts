import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from './app-error.ts'
import { errorEnvelope, successEnvelope } from './envelope.ts'
import { errorCatalogue } from './error-catalogue.ts'
import { errorNameOf, reactionTo, sentenceOf } from './read-catalogue.ts'

const entries = Object.entries(errorCatalogue)

test('no two errors share a code, and every code leads back to its name', () => {
  assert.equal(new Set(entries.map(([, each]) => each.code)).size, entries.length)
  for (const [name, each] of entries) assert.equal(errorNameOf(each.code), name)
})

test('every error says what to do in both languages, with the same details', () => {
  for (const [name, { sentence }] of entries) {
    const words = (text: string) =>
      [...text.matchAll(/\{(\w+)\}/g)]
        .map((match) => match[1])
        .sort()
        .join()
    assert.match(sentence.en_US, /^[A-Z].*\.$/, name)
    assert.match(sentence.zh_CN, /[\u4e00-\u9fff].*。$/, name)
    assert.equal(words(sentence.en_US), words(sentence.zh_CN), name)
  }
})

test('the console reacts to each code as section 8 of the specification says', () => {
  const withReaction = (reaction: string) =>
    entries
      .filter(([, each]) => each.reaction === reaction)
      .map(([, each]) => each.code)
      .sort()
  assert.deepEqual(withReaction('silent'), [
    '100023',
    '100180',
    '100181',
    '110005',
    '200109',
    '200137',
    '200139',
    '200140',
    '200143',
    '200145',
    '200163',
    '200164',
    '200166',
    '200170',
    '200191',
    '200192',
    '200195',
  ])
  assert.deepEqual(withReaction('logout'), ['110909'])
  assert.deepEqual(withReaction('not-permitted'), ['100015', '110249', '110924'])
  assert.deepEqual(withReaction('clear-selection'), ['100016', '200004', '200005'])
  assert.deepEqual(withReaction('clear-or-refresh'), ['200125'])
  assert.equal(reactionTo('987654'), 'toast')
})

test('every public code of the domain reference is in the catalogue', () => {
  for (const code of [
    '100001',
    '100004',
    '100005',
    '100007',
    '100011',
    '100015',
    '100016',
    '110055',
    '110088',
    '110160',
    '110161',
    '110227',
    '120202',
    '120204',
    '200004',
    '200005',
    '200007',
    '200008',
    '200011',
    '200013',
    '200015',
    '200025',
    '200040',
    '200066',
    '200067',
    '200071',
    '200072',
    '200073',
    '200074',
    '200075',
    '200076',
    '210003',
    '3040006',
    '300001',
    '300002',
    '300003',
    '300004',
    '300005',
    '300006',
  ])
    assert.ok(errorNameOf(code), code)
})

test('an error carries its details to the caller and its cause only to the log', () => {
  const error = new AppError('rate_limited', { cause: new Error('secret'), details: { retry_after: 7 } })
  assert.deepEqual(errorEnvelope(error, 'zh_CN'), { code: '300006', msg: '请求过于频繁。请等待 7 秒后重试。', data: { retry_after: 7 } })
  assert.equal(error.httpStatus, 429)
  assert.doesNotMatch(JSON.stringify(errorEnvelope(error, 'en_US')), /secret/)
  assert.equal(sentenceOf('name_too_long', 'en_US'), 'The name is too long. Use at most - characters.')
  assert.deepEqual(successEnvelope([1]), { code: '0', msg: 'success', data: [1] })
})
