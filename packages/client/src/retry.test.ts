import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CallError, TransportError } from '@holdfast/contract'
import { retryDelayMs, shouldRetry } from './retry.ts'

test('what is read is asked three times more, each time after twice as long, at most after 30 seconds (spec 9.6)', () => {
  assert.deepEqual([0, 1, 2, 3, 4, 5, 10].map(retryDelayMs), [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
  const lost = new TransportError('network', 'gone')
  assert.deepEqual(
    [0, 1, 2, 3].map((count) => shouldRetry(count, lost)),
    [true, true, true, false],
  )
})

test('a refusal that was answered is not asked again, a failure of the server is', () => {
  assert.equal(shouldRetry(0, new CallError('200005', 'no such wallet', null, 200)), false)
  assert.equal(shouldRetry(0, new CallError('110249', 'no', null, 200)), false)
  assert.equal(shouldRetry(0, new CallError('100001', 'broken', null, 500)), true)
  assert.equal(shouldRetry(0, new CallError('300006', 'slow down', null, 429)), true)
})
