import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { test } from 'node:test'
import type { Refusal } from '@holdfast/contract'
import { errorCatalogue, errorNameOf, reactionTo } from './error-catalogue.ts'

const entries = Object.entries(errorCatalogue)

test('every refusal that a feature declares is in the catalogue, and its code leads back to its name', async () => {
  const paths = globSync('*/errors.ts', { cwd: import.meta.dirname })
  assert.ok(paths.length > 15)
  const declared = await Promise.all(paths.map((path) => import(`./${path}`) as Promise<Record<string, Record<string, Refusal>>>))
  const refusals = declared.flatMap((module) => Object.values(module).flatMap((errors) => Object.values(errors)))
  for (const refusal of refusals) assert.equal(Object.entries(errorCatalogue).find(([name]) => name === refusal.name)?.[1], refusal, refusal.name)
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
