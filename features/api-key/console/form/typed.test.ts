import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { machineDraft } from '../../contract.ts'
import {
  appIdFor,
  dayOf,
  draftOf,
  endOfDay,
  faultOfKey,
  faultOfMachine,
  faultOfRule,
  NEW_RULE,
  NEW_SETTINGS,
  newMachine,
  type RuleTyped,
  ruleOf,
  ruleTyped,
  settingsOf,
} from './typed.ts'

const NOW_MS = 1_790_000_000_000
const machine = { ...newMachine(NOW_MS, 'api'), name: 'Payouts', purpose: 'Pays suppliers', publicKey: 'cd'.repeat(32) }

test('an id for a machine is one that the call takes and nothing else has', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.array(fc.stringMatching(/^[a-z0-9-]{1,8}$/)), (name, taken) => {
      const id = appIdFor(name, taken, '0123456789abcdef')
      assert.match(id, /^[\w-]{1,48}$/)
      assert.ok(!taken.includes(id))
    }),
  )
})

test('a machine that nothing is wrong with is one that the call takes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (name, purpose) => {
      const typed = { ...machine, name, purpose }
      const rule = ruleOf({ ...NEW_RULE, caps: { 'eip155:1 ': '2' }, who: [{ kind: 'group', id: 'ops' }] }, { sources: [] })
      const isTaken = machineDraft.safeParse(draftOf('api', typed, 'payouts', { rule }, 1)).success
      // Invisible marks are refused by the call itself, which says so.
      if (/^[\w ]*$/.test(name + purpose)) assert.equal(faultOfMachine(typed, NOW_MS, 'api') === undefined, isTaken)
    }),
  )
  assert.equal(faultOfMachine({ ...machine, publicKey: 'cd' }, NOW_MS, 'api'), 'publicKey')
  const point = `02${'cd'.repeat(32)}`
  assert.deepEqual([faultOfKey(point, 'api'), faultOfKey(point, 'coSigner'), faultOfKey('cd'.repeat(32), 'coSigner')], [undefined, 'kind', undefined])
  assert.equal(faultOfMachine({ ...machine, expires: dayOf(NOW_MS - 86_400_000) }, NOW_MS, 'api'), 'expires')
  assert.equal(faultOfMachine({ ...machine, expires: '' }, NOW_MS, 'api'), 'expires')
})

test('a machine ends with the last moment of its day', () => {
  assert.equal(new Date(endOfDay('2027-01-31')).toISOString(), '2027-01-31T23:59:59.999Z')
})

test('a rule says what each way of approving needs', () => {
  const rule: RuleTyped = { ...NEW_RULE, caps: { 'eip155:1 0xabc': '2' } }
  assert.equal(faultOfRule(NEW_RULE), 'caps')
  assert.equal(faultOfRule(rule), 'who')
  assert.equal(faultOfRule({ ...rule, by: 'nobody', to: 'any' }), 'to')
  assert.equal(faultOfRule({ ...rule, by: 'nobody' }), 'fees')
  assert.equal(faultOfRule({ ...rule, by: 'nobody', fees: { 'eip155:1': '0.1' } }), undefined)
  assert.equal(faultOfRule({ ...rule, by: 'co_signer' }), 'coSigner')
  assert.deepEqual(ruleOf({ ...rule, coSigner: 'guard' }, { sources: [] }).co_signer, null, 'what the way does not need is not sent')
})

test('a rule that stands is typed so that it would be sent as it is, unless it pays from what the page does not know', () => {
  const sources = [{ wallet: 'w', sub_wallet_id: 's1', name: 'Till', key_id: 'ab'.repeat(32), path: [0, 1] }]
  for (const by of ['people', 'people_and_co_signer', 'co_signer', 'nobody'] as const) {
    const given: RuleTyped = { ...NEW_RULE, caps: { 'eip155:1 ': '2', 'eip155:1 0xabc': '3' }, from: ['s1'], by, who: [{ kind: 'group', id: 'ops' }] }
    const rule = ruleOf({ ...given, coSigner: 'guard', fees: { 'eip155:1': '0.1' } }, { sources })
    const read = ruleTyped(rule, { sources })
    assert.deepEqual(read && ruleOf(read, { sources }), rule)
    assert.equal(ruleTyped(rule, { sources: [] }), undefined)
  }
})

test('settings want addresses that narrow', () => {
  assert.deepEqual(settingsOf(NEW_SETTINGS, true), { fault: 'addresses' })
  assert.deepEqual(settingsOf({ ...NEW_SETTINGS, addresses: '0.0.0.0/0' }, true), { fault: 'addresses' })
  assert.deepEqual(settingsOf({ ...NEW_SETTINGS, addresses: '203.0.113.7', rate: '0' }, true), { fault: 'rate' })
  assert.deepEqual(settingsOf({ ...NEW_SETTINGS, addresses: '203.0.113.7', wallets: [] }, true), { fault: 'wallets' })
  const read = settingsOf({ ...NEW_SETTINGS, addresses: ' 203.0.113.7, 2001:db8::/32\n198.51.100.1 ' }, true)
  assert.deepEqual('settings' in read && read.settings.addresses, ['203.0.113.7', '2001:db8::/32', '198.51.100.1'])
})
