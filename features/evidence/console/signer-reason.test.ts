import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { CHECKS } from '@holdfast/protocol'
import { signerReason } from './signer-reason.ts'

const checksIn = (locale: string): Record<string, string> =>
  JSON.parse(readFileSync(new URL(`../locales/${locale}.json`, import.meta.url), 'utf8')).evidence.check

test('every check of a signer has a name in both languages', () => {
  for (const locale of ['en-US', 'zh-CN']) assert.deepEqual(Object.keys(checksIn(locale)), Object.keys(CHECKS), locale)
  for (const name of Object.values(checksIn('zh-CN'))) assert.doesNotMatch(name, /[a-z]/i)
})

test('the reason of a signer is told with the name of the check, and its own sentence as it was signed', () => {
  const nameOf = (check: string) => checksIn('zh-CN')[check]!
  assert.equal(signerReason('c4: the order has expired', nameOf), 'c4 · 订单格式正确且在有效期内 · the order has expired')
  assert.equal(signerReason('the server was stopped', nameOf), 'the server was stopped')
})
