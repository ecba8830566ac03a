import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '@holdfast/contract'
import { checkMembers } from './check-members.ts'

test('of founding members none has a name that is taken for another one', () => {
  checkMembers(['Alice Chen', 'Bruno Diaz', 'Chiara Rossi', '王芳', '王芬'])
  for (const alike of ['Bruno Diaz', 'bruno diaz', 'Вruno Diaz', 'Bruno  Diaz', 'Ｂruno Diaz'])
    assert.throws(
      () => checkMembers(['Alice Chen', 'Bruno Diaz', alike]),
      (error) => error instanceof AppError && error.errorName === 'invalid_parameters' && error.details.field === 'members',
      alike,
    )
})
