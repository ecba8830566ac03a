import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { machineDraft } from '../../contract.ts'
import { type CallsTyped, callNetworks, callsOf, callsTyped, faultOfCalls, hasCalls, newCalls } from './calls-typed.ts'

const coin = { chain: 'eip155:1', network: 'Ethereum', asset: '', symbol: 'ETH', decimals: 18 }
const bitcoin = { chain: 'bip122:000000000019d6689c085ae165831e93', network: 'Bitcoin', asset: '', symbol: 'BTC', decimals: 8 }
const CONTRACT = `0x${'ab'.repeat(20)}`
const known = { assets: [bitcoin, coin] }
const typed: CallsTyped = {
  ...newCalls(known),
  ...{ contracts: `${CONTRACT}\n\n`, functions: 'approve(address,uint256)', maxTokens: '1000', callsADay: '7', who: [{ kind: 'group', id: 'ops' }] },
}

test('a rule for calls is sent as it is filled in', () => {
  assert.equal(faultOfCalls(typed), undefined)
  assert.deepEqual(callsOf(typed), {
    ...{ chain: 'eip155:1', contracts: [CONTRACT], functions: ['approve(address,uint256)'], max_value: '0', max_tokens: '1000', calls_a_day: 7 },
    ...{ need: 1, who: [{ kind: 'group', id: 'ops' }], co_signer: null },
  })
})

test('a rule for calls that stands is typed so that it would be sent as it is', () => {
  assert.deepEqual(callsOf(callsTyped(callsOf(typed))), callsOf(typed))
})

test('a new rule for calls lets nothing through until it is filled in, on a network that has contracts', () => {
  const none = newCalls(known)
  assert.deepEqual([none.chain, none.maxValue, none.maxTokens, faultOfCalls(none)], ['eip155:1', '0', '0', 'contracts'])
  assert.deepEqual(callNetworks(known), [coin])
})

test('whether a key has a rule for calls is told by that rule alone', () => {
  assert.deepEqual(
    ['api-call:payouts', 'api:payouts', 'api-call:other'].map((id) => hasCalls({ app_id: 'payouts', rules: [{ id }] })),
    [true, false, false],
  )
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
