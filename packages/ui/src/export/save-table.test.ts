import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileName } from './save-table.ts'

test('a file is called what it holds, without what no name may have', () => {
  assert.equal(fileName('Main addresses'), 'Main addresses')
  assert.equal(fileName('做市 地址'), '做市 地址')
  assert.equal(fileName('a/b\\c:d\u202e"e"'), 'a b c d e')
  assert.deepEqual([fileName('///'), fileName(''), fileName('x'.repeat(200)).length], ['holdfast', 'holdfast', 80])
})
