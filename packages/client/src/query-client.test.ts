import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MutationObserver } from '@tanstack/react-query'
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

test('what is read is asked again by the one rule of retries (spec 9.6)', () => {
  const { queries } = createQueryClient().getDefaultOptions()
  assert.equal(queries?.retry, shouldRetry)
  assert.equal(queries?.retryDelay, retryDelayMs)
})
