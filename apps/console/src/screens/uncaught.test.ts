import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CallError, TransportError } from '@holdfast/contract'
import { ChunkLoadError } from '../chunk-failure.ts'
import { uncaughtError, uncaughtRejection } from './uncaught.ts'

test('an error that nobody caught is taken up, and what is not an error of this page is not (spec 2.30)', () => {
  const fault = new Error('boom')
  assert.equal(uncaughtError({ error: fault }), fault)
  for (const error of [undefined, null, 'Script error.']) assert.equal(uncaughtError({ error }), undefined)
})

test('a promise that nobody waited for counts where it tells of a fault, and not where something was refused', () => {
  for (const fault of [new TypeError('x is undefined'), new RangeError('too deep'), new ChunkLoadError(new Error('gone'))])
    assert.equal(uncaughtRejection({ reason: fault }), fault)
  for (const reason of [
    new CallError('100011', 'not enough', null, 200),
    new TransportError('network', 'gone'),
    new DOMException('closed', 'NotAllowedError'),
    undefined,
    'text',
  ])
    assert.equal(uncaughtRejection({ reason }), undefined)
})
