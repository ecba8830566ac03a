import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { canResend, canSkip, percent, stateKey, toneOf } from './status.ts'

test('a share of success is all or nothing only where it is', () => {
  assert.equal(percent(null), null)
  assert.equal(percent(1), '100%')
  assert.equal(percent(0), '0%')
  assert.equal(percent(0.999999), '99.9%')
  assert.equal(percent(0.0000001), '0.1%')
  assert.equal(percent(0.5), '50%')
  fc.assert(fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (share) => assert.match(percent(share)!, /^(100|\d{1,2}(\.\d)?)%$/)))
})

test('what waits says for what, and only what can be done is offered', () => {
  assert.equal(stateKey({ status: 'retrying', hold: 'earlier', times: 0 }), 'notification.hold.earlier')
  assert.equal(stateKey({ status: 'retrying', hold: null, times: 0 }), 'notification.state.sending')
  assert.equal(stateKey({ status: 'retrying', hold: null, times: 2 }), 'notification.state.retrying')
  assert.equal(toneOf({ status: 'retrying', hold: 'paused' }), 'warn')
  assert.deepEqual([canResend({ status: 'retrying', hold: null }), canResend({ status: 'failed', hold: null })], [false, true])
  assert.deepEqual([canSkip({ status: 'success' }), canSkip({ status: 'failed' })], [false, true])
})
