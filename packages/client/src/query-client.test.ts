import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MutationObserver, onlineManager } from '@tanstack/react-query'
import { createQueryClient } from './query-client.ts'
import { retryDelayMs, shouldRetry } from './retry.ts'

test('what changes something is sent once, however it fails (spec 9.7)', async () => {
  let sent = 0
  const mutation = new MutationObserver(createQueryClient(), {
    mutationFn: async () => {
      sent++
      throw new TypeError('no connection')
    },
  })
  await assert.rejects(mutation.mutate(), /no connection/)
  assert.equal(sent, 1)
})

test('what changes something does not wait for a network: without one it fails at once, and is not sent later', async () => {
  let sent = 0
  const send = async () => {
    sent++
    throw new TypeError('no connection')
  }
  const mutation = new MutationObserver(createQueryClient(), { mutationFn: send })
  onlineManager.setOnline(false)
  try {
    const failed = assert.rejects(mutation.mutate(), /no connection/)
    assert.equal(mutation.getCurrentResult().isPaused, false)
    await failed
  } finally {
    onlineManager.setOnline(true)
  }
  assert.equal(sent, 1)
})

test('what is read is asked again by the one rule of retries (spec 9.6)', () => {
  const { queries } = createQueryClient().getDefaultOptions()
  assert.equal(queries?.retry, shouldRetry)
  assert.equal(queries?.retryDelay, retryDelayMs)
})
