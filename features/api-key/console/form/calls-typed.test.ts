import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { machineDraft } from '../../contract.ts'
import { type CallsTyped, callNetworks, callsOf, callsTyped, faultOfCalls, hasCalls } from './calls-typed.ts'
import type { Known } from './typed.ts'

const coin = { chain: 'eip155:1', network: 'Ethereum', asset: '', symbol: 'ETH', decimals: 18 }
const bitcoin = { chain: 'bip122:000000000019d6689c085ae165831e93', network: 'Bitcoin', asset: '', symbol: 'BTC', decimals: 8 }
const CONTRACT = `0x${'ab'.repeat(20)}`
const rule: Known['rules'][number] = {
  kind: 'named',
  id: 'api-call:payouts',
  name: 'API calls Payouts',
  level: 'higher',
  covers: {
    ...{ kind: 'calls', chain: 'eip155:1', contracts: [CONTRACT], functions: ['approve(address,uint256)'], max_value: '0.5', max_tokens: '1000' },
    ...{ unlimited_allowances: false, unknown_call_data: false },
  },
  conditions: [],
  limits: [{ each: 'asker', length_s: 86_400, amounts: [], max_tokens: '1000', max_count: 7, max_usd: null }],
  action: { kind: 'approve', steps: [{ need: 2, who: [{ kind: 'group', id: 'ops' }] }], co_signer: 'guard', may_stop: [], delay_s: 0, expire_s: 0 },
  sentence: '',
  hits_30d: 0,
  last_hit: null,
}
const known = { assets: [bitcoin, coin], rules: [rule] }
const typed = callsTyped(known, 'payouts')

test('the rule that a key has is what its form begins with, and unchanged it is sent as it stands', () => {
  assert.deepEqual(callsOf(typed), {
    ...{ chain: 'eip155:1', contracts: [CONTRACT], functions: ['approve(address,uint256)'], max_value: '0.5', max_tokens: '1000', calls_a_day: 7 },
    ...{ need: 2, who: [{ kind: 'group', id: 'ops' }], co_signer: 'guard' },
  })
  assert.equal(faultOfCalls(typed), undefined)
  assert.deepEqual([hasCalls(known, 'payouts'), hasCalls(known, 'other')], [true, false])
})

test('a new rule for calls lets nothing through until it is filled in, on a network that has contracts', () => {
  const none = callsTyped(known, 'other')
  assert.deepEqual([none.chain, none.maxValue, none.maxTokens, faultOfCalls(none)], ['eip155:1', '0', '0', 'contracts'])
  assert.deepEqual(callNetworks(known), [coin])
})

test('each field that is not right is named', () => {
  const wrong: [Partial<CallsTyped>, string][] = [
    [{ contracts: ' \n ' }, 'contracts'],
    [{ functions: '' }, 'functions'],
    [{ functions: 'approve' }, 'functions'],
    [{ functions: 'approve(address, uint256)' }, 'functions'],
    [{ maxValue: '-1' }, 'maxValue'],
    [{ maxTokens: '1.5' }, 'maxTokens'],
    [{ callsADay: '0' }, 'callsADay'],
    [{ callsADay: '' }, 'callsADay'],
    [{ who: [] }, 'callsWho'],
  ]
  for (const [changes, field] of wrong) assert.equal(faultOfCalls({ ...typed, ...changes }), field, JSON.stringify(changes))
})

test('whatever is typed, what nothing is wrong with is what the call takes', () => {
  const text = fc.oneof(fc.string({ maxLength: 60 }), fc.constantFrom(CONTRACT, 'f()', '0', '12', '0.5'))
  fc.assert(
    fc.property(text, text, text, text, text, (contracts, functions, maxValue, maxTokens, callsADay) => {
      const given = { ...typed, contracts, functions, maxValue, maxTokens, callsADay }
      assert.ok(faultOfCalls(given) !== undefined || machineDraft.shape.calls.safeParse(callsOf(given)).success)
    }),
  )
})
