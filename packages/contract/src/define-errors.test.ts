import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defineErrors, entry, joinErrors } from './define-errors.ts'

const one = defineErrors({ lost: entry('1', 'toast', 'It is lost.', '已丢失。') })

test('the refusals of several rooms are one catalogue', () => {
  const all = joinErrors([one, defineErrors({ broken: entry('2', 'silent', 'It is broken.', '已损坏。', 500) })])
  assert.deepEqual([all.lost.name, all.broken.name, all.broken.httpStatus], ['lost', 'broken', 500])
})

test('no two refusals have one name or one code', () => {
  const sameName = defineErrors({ lost: entry('2', 'toast', 'It is gone.', '已不见。') })
  const sameCode = defineErrors({ gone: entry('1', 'toast', 'It is gone.', '已不见。') })
  assert.throws(() => joinErrors([one, sameName]), { name: 'ImpossibleDuplicate', message: 'two refusals have the name lost' })
  assert.throws(() => joinErrors([one, sameCode]), { name: 'ImpossibleDuplicate', message: 'two refusals have the code 1' })
})
