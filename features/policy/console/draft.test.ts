import assert from 'node:assert/strict'
import { test } from 'node:test'
import { draftOf, hasPart, newcomerFault, peopleOf, type PolicyView, setPage, setPart, setThreshold, toggleKey } from './draft.ts'

const person = (name: string) => ({ person_id: `id-${name}`, name })
const key = (id: string) => ({ key_id: id, kind: 'device', label: 'Browser key', fingerprint: '02', page: null })
const everybody = [person('ann'), person('ben'), person('cleo')]
const policy: PolicyView = {
  version: 3,
  hash: '',
  issued_at: 0,
  expire_at: 0,
  description: [],
  people: everybody.map((each) => ({ ...each, state: 'active', keys: [key(`key-${each.name}`)] })),
  rules: [
    {
      id: 'payments',
      kind: 'transfer',
      is_named: false,
      network: null,
      symbol: null,
      max_amount: null,
      window: null,
      covers: null,
      initiators: everybody,
      approvers: everybody,
      threshold: 2,
    },
  ],
  pages: [],
  networks: [],
  stake_networks: [],
  governance: { approvers: everybody, threshold: 2 },
  broken: [],
  candidates: [...everybody, person('dora')].map((each) => ({ ...each, role: 'admin', new_keys: each.name === 'dora' ? [key('key-dora')] : [] })),
  signers: [1, 2, 3].map((party) => ({ party, name: '', operator: '', sign_key: `0${party}`.repeat(32), online: true, policy_version: 3, page: null })),
  open_change: null,
}

test('a draft begins as the policy stands', () => {
  const draft = draftOf(policy)
  assert.deepEqual([draft.base_version, draft.rules[0]!.threshold, draft.add_keys], [3, 2, []])
  assert.equal(hasPart(draft, { rule: 'payments', as: 'approvers' }, 'id-ben'), true)
  assert.equal(hasPart(draft, { rule: null, as: 'approvers' }, 'id-dora'), false)
})

test('rules with names are left out: they are changed among the strategies, and nobody needs to approve under one that refuses', () => {
  const named = (id: string, threshold: number) => ({ ...policy.rules[0]!, id, is_named: true, threshold, approvers: [{ person_id: 'a machine', name: '' }] })
  assert.deepEqual(draftOf({ ...policy, rules: [named('never', 0), ...policy.rules, named('daily', 1)] }), draftOf(policy))
})

test('who is to approve brings the key they made along, and takes it with them when they are named no more', () => {
  const approves = { rule: 'payments', as: 'approvers' } as const
  const asks = { rule: 'payments', as: 'initiators' } as const
  const named = setPart(draftOf(policy), approves, 'id-dora', true, ['key-dora'])
  assert.deepEqual([named.add_keys, hasPart(named, approves, 'id-dora')], [['key-dora'], true])
  const both = setPart(named, asks, 'id-dora', true, ['key-dora'])
  const fewer = setPart(both, approves, 'id-dora', false, ['key-dora'])
  assert.deepEqual(fewer.add_keys, ['key-dora'], 'still named, as one who asks')
  assert.deepEqual(setPart(fewer, asks, 'id-dora', false, ['key-dora']), draftOf(policy))
  assert.deepEqual(setPart(draftOf(policy), asks, 'id-dora', true, ['key-dora']).add_keys, [], 'who only asks needs no key')
})

test('quorums and keys change where they are meant to', () => {
  const draft = draftOf(policy)
  assert.equal(setThreshold(draft, 'payments', 1).rules[0]!.threshold, 1)
  assert.equal(setThreshold(draft, null, 1).governance.threshold, 1)
  assert.deepEqual(toggleKey(toggleKey(draft, 'drop_keys', 'a'), 'drop_keys', 'a'), draft)
})

test('everybody who could be named is offered once, members of the policy first', () => {
  assert.deepEqual(
    peopleOf(policy).map((each) => [each.name, each.hasKey, each.newKeys]),
    [
      ['ann', true, []],
      ['ben', true, []],
      ['cleo', true, []],
      ['dora', false, ['key-dora']],
    ],
  )
})

test('a signer is replaced by a machine of which name, operator and a key of its own are known', () => {
  const whole = { party: 3, name: 'Signer', operator: 'North', sign_key: 'ab'.repeat(32) }
  const faultOf = (changes: Partial<typeof whole>) => newcomerFault({ ...draftOf(policy), replace_signer: { ...whole, ...changes } }, policy)
  assert.equal(newcomerFault(draftOf(policy), policy), undefined, 'nobody is replaced')
  assert.deepEqual(
    [
      faultOf({}),
      faultOf({ name: ' ' }),
      faultOf({ operator: '' }),
      faultOf({ sign_key: '' }),
      faultOf({ sign_key: 'abc' }),
      faultOf({ sign_key: '02'.repeat(32) }),
    ],
    [undefined, 'incomplete', 'incomplete', 'incomplete', 'badKey', 'knownKey'],
  )
})

test('an approval page comes in or goes, and what is done and undone changes nothing', () => {
  const [first, second] = ['https://approve.example', 'https://approve-2.example']
  const known = { pages: [first] }
  const start = draftOf(policy)
  const added = setPage(start, known, second, true)
  assert.deepEqual([added.add_pages, added.drop_pages], [[second], []])
  const dropped = setPage(added, known, first, false)
  assert.deepEqual([dropped.add_pages, dropped.drop_pages], [[second], [first]])
  assert.deepEqual(setPage(setPage(dropped, known, first, true), known, second, false), start)
  assert.deepEqual(setPage(start, known, first, true), start)
})
