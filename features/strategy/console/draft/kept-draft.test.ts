import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RulesDraft } from '@holdfast/features/rule-draft/contract'
import { sampleRule } from '../../../rule-draft/console/testing/sample-rule.ts'
import { readKept, writeKept } from './kept-draft.ts'

const memory = () => {
  const stored = new Map<string, string>()
  return {
    stored,
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  }
}
const draft: RulesDraft = { base_version: 2, groups: [], rules: [sampleRule()], add_keys: [] }

test('a draft and the rule that somebody is at are there again after a reload, for that person alone', () => {
  const storage = memory()
  const editing = { of: 'new payments', rule: sampleRule({ name: '' }) }
  writeKept(storage, { personId: 'alice', draft, editing })
  assert.deepEqual(readKept(storage, 'alice'), { personId: 'alice', draft, editing })
  assert.deepEqual(readKept(storage, 'bruno'), { personId: 'bruno' })
})

test('nothing is kept of a draft that was discarded, and nothing is read that is no draft', () => {
  const storage = memory()
  writeKept(storage, { personId: 'alice', draft })
  writeKept(storage, { personId: 'alice' })
  assert.equal(storage.stored.size, 0)
  for (const text of ['{', '{"personId":"alice","draft":{"rules":1}}', 'null']) {
    const broken = { getItem: () => text }
    assert.equal(readKept(broken, 'alice').draft, undefined, text)
  }
})
