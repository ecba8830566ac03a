import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleRule } from '../../../rule-draft/console/testing/sample-rule.ts'
import { settledRule } from './settled-rule.ts'

const approve = { kind: 'approve' as const, steps: [], may_stop: [], delay_s: 0, expire_s: 0 }

test('calls and orders about stake that are refused are proposed without bounds, and those that are not with theirs', () => {
  const calls = {
    ...{ kind: 'calls' as const, chain: 'a', contracts: ['0x1', ''], functions: ['lock()', ''] },
    ...{ max_value: '', max_tokens: '7', unlimited_allowances: true, unknown_call_data: true },
  }
  const stake = { kind: 'stake' as const, chain: 'a', actions: ['delegate' as const], receivers: ['0x1', ''], max_amount: '', max_lock_blocks: 9 }
  assert.deepEqual(settledRule(sampleRule({ covers: calls, action: { kind: 'refuse' } })).covers, {
    ...{ ...calls, contracts: ['0x1'], functions: ['lock()'] },
    ...{ max_value: '0', max_tokens: '0', unlimited_allowances: false },
  })
  const refused = settledRule(sampleRule({ covers: stake, action: { kind: 'refuse' } })).covers
  assert.deepEqual(refused, { ...stake, receivers: ['0x1'], max_amount: '0', max_lock_blocks: 0 })
  assert.deepEqual(settledRule(sampleRule({ covers: calls, action: approve })).covers, { ...calls, contracts: ['0x1'], functions: ['lock()'] })
  assert.deepEqual(settledRule(sampleRule({ covers: stake, action: approve })).covers, { ...stake, receivers: ['0x1'] })
})
