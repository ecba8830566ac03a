import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makerOf } from './maker-of.ts'

test('a device is named by whose browser its push service reaches, and by the host alone where nobody knows', () => {
  const makers = ['fcm.googleapis.com', 'updates.push.services.mozilla.com', 'web.push.apple.com', 'wns2-par02p.notify.windows.com'].map(makerOf)
  assert.deepEqual(makers, ['google', 'mozilla', 'apple', 'microsoft'])
  for (const host of ['push.example', 'fcm.googleapis.com.example', 'evilpush.apple.com', '127.0.0.1:8080']) assert.equal(makerOf(host), null, host)
})
