import { AppError } from '@holdfast/contract'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkRecipients } from './check-recipients.ts'

test('each signer has recovery recipients of its own, and enough of them', () => {
  checkRecipients([['a'], ['b'], ['c']], 1)
  checkRecipients(
    [
      ['a', 'b'],
      ['c', 'd', 'e'],
      ['f', 'g'],
    ],
    2,
  )
  const refused = (recovery: string[][], threshold: number, field: string) =>
    assert.throws(
      () => checkRecipients(recovery, threshold),
      (error) => error instanceof AppError && error.code === '100004' && error.details.field === field,
    )
  refused([['a'], ['a'], ['c']], 1, 'recovery')
  refused([['a', 'a'], ['b'], ['c']], 1, 'recovery')
  refused([['a', 'b'], ['c'], ['d', 'e']], 2, 'recovery_threshold')
})
