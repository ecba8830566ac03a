import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '@holdfast/contract'
import { checkMembers } from './check-members.ts'

test('nobody founds an organisation with two people whose names look alike', () => {
  for (const alike of [
    ['Ann', 'Ben', 'Ann'],
    ['Bill Ray', 'Cem', 'BiII Ray'],
    ['Anna', 'Аnna'],
    ['Bernd', 'Bemd'],
    ['Ｌin', 'lin'],
  ]) {
    assert.throws(
      () => checkMembers(alike),
      (cause) => cause instanceof AppError && cause.code === '300098' && cause.details.name === alike[0],
      alike.join(),
    )
  }
  checkMembers(['Ann', 'Anne', 'Ben', '李雷', '李蕾', 'Alice Chen', 'Bruno Diaz', 'Chiara Rossi'])
})
