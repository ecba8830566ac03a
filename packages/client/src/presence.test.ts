import assert from 'node:assert/strict'
import { test } from 'node:test'
import { watchPresence } from './presence.ts'

test('after a minute without key or pointer the person is away, and the next key brings them back', () => {
  let nowMs = 0
  const page = new EventTarget()
  const presence = watchPresence({ nowMs: () => nowMs, monotonicMs: () => nowMs }, page)
  assert.equal(presence.isAway(), false)
  nowMs = 60_001
  assert.equal(presence.isAway(), true)
  page.dispatchEvent(new Event('keydown'))
  assert.equal(presence.isAway(), false)
})
