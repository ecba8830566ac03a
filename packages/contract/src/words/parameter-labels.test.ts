import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { AppError } from '../app-error.ts'
import { errorEnvelope } from '../envelope.ts'
import { labelOfParameter } from './parameter-labels.ts'

test('a refusal names a parameter to people by the label of its field, and to programs by its name', () => {
  const refused = new AppError('invalid_parameters', { details: { field: 'url', reason: 'it is required' } })
  const { msg, data } = errorEnvelope(refused, 'en_US')
  assert.deepEqual([msg, data], ['Check "Webhook URL": it is required. Correct it and send again.', { field: 'url', reason: 'it is required' }])
  assert.match(errorEnvelope(refused, 'zh_CN').msg, /回调地址/)
  assert.deepEqual([labelOfParameter('outputs.3.amount', 'en_US'), labelOfParameter('lock_time_s', 'en_US')], ['Recipients', 'Lock time s'])
})

test('no name that a parameter can have makes the words fail', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.constantFrom('constructor', '__proto__', 'toString')), (name) => typeof labelOfParameter(name, 'en_US') === 'string'),
  )
})
