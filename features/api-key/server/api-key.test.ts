import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { AppError, type CallInput, type Endpoint, formEncode, type OutputOf, parseForm, readInput } from '@holdfast/contract'
import type { MemberContext } from '@holdfast/http'
import { sql } from 'kysely'
import { codecFor } from '@holdfast/chain-registry/codec'
import { fromHex } from '@holdfast/encoding'
import { evaluateIntent, evaluatePayment, partyOfMachine, rulesOf } from '@holdfast/policy'
import type { ServerFeature } from '@holdfast/features/server-feature'
import { getRules, proposeRules } from '@holdfast/features/strategy/contract'
import { feature as strategy } from '../../strategy/server/index.ts'
import { policyChanges } from '../../policy/server/change/policy-change.ts'
import { currentPolicy } from '../../policy/server/current-policy.ts'
import { ann, apply, approveAs, ben, cleo, inOrganisation, openPolicyWorld, world } from '../../policy/server/testing/policy-world.ts'
import { checkKeyPair, decideSettings, listMachines, removeMachine, saveMachine, saveSettings, saveStatus } from '../contract.ts'
import { keyCheckText } from '../key-check-text.ts'
import { exportCalls, listCalls, listSettingsLog } from '../log-contract.ts'
import { type KeySettings } from '../settings-contract.ts'
import { admitCall, type AskedCall, feature, keyIdOf, recordCall, switchOffItself } from './index.ts'

const policyNow = async () => (await inOrganisation((tx) => currentPolicy(tx))).policy
let requests = 0
const fresh = () => `machines-${requests++}`

const call = <E extends Endpoint>(endpoint: E, input: CallInput<E>, by = ann): Promise<OutputOf<E>> => callOf(feature, endpoint, input, by)

async function callOf<E extends Endpoint>(room: ServerFeature, endpoint: E, input: CallInput<E>, by = ann): Promise<OutputOf<E>> {
  const session = { demandSecondFactorWhereSet: async () => {} } as never
  const handled = room.endpoints!(world.context, { session } as never).find((each) => each.endpoint === endpoint)!
  const context = { orgId: world.orgId, personId: by.id, language: 'en_US' } as MemberContext
  return endpoint.output.parse(await handled.handler(context, readInput(endpoint, parseForm(formEncode(input))) as never)) as OutputOf<E>
}

async function decided(id: string): Promise<void> {
  const change = (await inOrganisation((tx) => policyChanges.read(tx, id)))!
  for (const member of [ben, cleo]) await approveAs(change, member)
  assert.equal(await apply(change), 'applied')
}

const END = 4_000_000_000_000
const guard = { app_id: 'guard', kind: 'coSigner' as const, name: 'Guard', public_key: 'ab'.repeat(32), purpose: 'Looks', expire_at: END, rule: null }

async function keyDraft(by: 'people' | 'people_and_co_signer' | 'co_signer' | 'nobody', to: 'own' | 'any' = 'any') {
  const policy = await policyNow()
  const coin = policy.assets.find((each) => each.contract === null)!
  const rule = {
    a_day: [{ chain: coin.chain, asset: '', max: '2' }],
    orders_a_day: 10,
    from: [],
    to,
    by,
    need: 1,
    who: [{ kind: 'person' as const, id: ben.id }],
    co_signer: by === 'people' || by === 'nobody' ? null : 'guard',
    fees: [{ chain: coin.chain, max: '0.01' }],
  }
  const key = { app_id: 'payouts', kind: 'api' as const, name: 'Payouts', public_key: 'cd'.repeat(32), purpose: 'Pays suppliers', expire_at: END }
  return { draft: { base_version: Number(policy.version), ...key, rule }, coin }
}

describe('machines of the policy', () => {
  before(() => openPolicyWorld())
  after(() => world.close())

  it('come in by a change that people approve, and a key asks under its own rule and no other', async () => {
    const first = await call(listMachines, {})
    assert.deepEqual(first.list, [])
    await decided((await call(saveMachine, { request_id: fresh(), draft: { base_version: first.base_version, ...guard } })).id)
    const { draft, coin } = await keyDraft('people_and_co_signer')
    await decided((await call(saveMachine, { request_id: fresh(), draft })).id)
    const { list } = await call(listMachines, {})
    assert.deepEqual(
      list.map(({ app_id, status, rules }) => [app_id, status, rules.map(({ id }) => id)]),
      [
        ['guard', 'on', ['api:payouts']],
        ['payouts', 'off', ['api:payouts']],
      ],
    )
    const policy = await policyNow()
    const asked = { chain: coin.chain, contract: null, amount: 1n, initiator: partyOfMachine({ id: 'payouts' }) }
    const outcome = evaluatePayment(policy, asked)
    assert.equal(outcome.kind === 'needs' && outcome.steps.length, 2)
    assert.equal(evaluatePayment(policy, { ...asked, initiator: partyOfMachine({ id: 'guard' }) }).kind, 'deny')
  })

  it('look at what people ask for where the editor gives a rule of theirs the step of a co-signer, and it is drawn as before', async () => {
    const rules = async () => callOf(strategy, getRules, {})
    const { base_version, rules: present, co_signers: coSigners } = await rules()
    assert.deepEqual(coSigners, [{ id: 'guard', name: 'Guard' }])
    const action = { kind: 'approve' as const, steps: [{ need: 1, who: [{ kind: 'person' as const, id: ben.id }] }], may_stop: [], delay_s: 0, expire_s: 0 }
    const looked = { id: 'looked', name: 'Looked at', level: 'higher' as const, covers: { kind: 'payments' as const }, conditions: [], limits: [] }
    const kept = present.filter(({ kind }) => kind === 'kept').map(({ id }) => ({ kind: 'kept' as const, id }))
    assert.equal(kept.length, present.length, 'nothing of the first policy is drawn')
    const draftWith = (coSigner: string) => ({
      base_version,
      groups: [],
      rules: [...kept, { kind: 'named' as const, ...looked, action: { ...action, co_signer: coSigner } }],
      add_keys: [],
    })
    await assert.rejects(callOf(strategy, proposeRules, { request_id: fresh(), draft: draftWith('payouts') }), AppError)
    await decided((await callOf(strategy, proposeRules, { request_id: fresh(), draft: draftWith('guard') })).id)
    const drawn = (await rules()).rules.find(({ id }) => id === 'looked')
    assert.deepEqual(drawn?.kind === 'named' && drawn.action, { ...action, co_signer: 'guard' })
    const looks = (await call(listMachines, {})).list.find(({ app_id: id }) => id === 'guard')
    assert.deepEqual(
      looks?.rules.map(({ id }) => id),
      ['api:payouts', 'looked'],
    )
  })

  it('have contracts called by a rule of their own, which people approve and which goes with the key', async () => {
    const { draft, coin } = await keyDraft('people')
    const contract = '0x5fbdb2315678afecb367f032d93f642f64180aa3'
    const asked = { chain: coin.chain, contracts: [contract], functions: ['approve(address,uint256)'], max_value: '0', max_tokens: '500', calls_a_day: 3 }
    const calls = { ...asked, need: 1, who: [{ kind: 'person' as const, id: ben.id }], co_signer: 'guard' }
    await assert.rejects(
      call(saveMachine, { request_id: fresh(), draft: { ...draft, calls: { ...calls, contracts: ['0x12'] } } }),
      (error) => error instanceof AppError && /0x12/.test(String(error.details['reason'])),
    )
    await decided((await call(saveMachine, { request_id: fresh(), draft: { ...draft, calls } })).id)
    const policy = await policyNow()
    const act = (amount: bigint, initiator: Uint8Array) => ({
      kind: 'contractCall' as const,
      asset: { chain: coin.chain, contract: null },
      from: `0x${'11'.repeat(20)}`,
      to: codecFor(coin.chain)!.canonicalAddress(contract)!,
      amount: 0n,
      data: fromHex(`095ea7b3${'22'.repeat(20).padStart(64, '0')}${amount.toString(16).padStart(64, '0')}`),
      signature: 'approve(address,uint256)',
      initiator,
    })
    const payouts = partyOfMachine({ id: 'payouts' })
    const outcome = evaluateIntent(policy, act(500n, payouts))
    assert.equal(outcome.kind === 'needs' && outcome.steps.length, 2)
    assert.equal(evaluateIntent(policy, act(501n, payouts)).kind, 'deny')
    assert.equal(evaluateIntent(policy, act(500n, partyOfMachine({ id: 'guard' }))).kind, 'deny')
    const known = async () => (await call(listMachines, {})).list.find(({ app_id: id }) => id === 'payouts')?.rules.map(({ id }) => id)
    assert.deepEqual(await known(), ['api-call:payouts', 'api:payouts'])
    const { draft: later } = await keyDraft('people')
    await decided((await call(saveMachine, { request_id: fresh(), draft: { ...later, purpose: 'Pays others' } })).id)
    assert.deepEqual(await known(), ['api-call:payouts', 'api:payouts'], 'a draft that says nothing of calls leaves them')
  })

  it('are told with the rules that they have, which stay in their bytes and places where a draft says the same of them', async () => {
    const own = async () => (await call(listMachines, {})).list.find(({ app_id: id }) => id === 'payouts')!
    for (const by of ['people', 'people_and_co_signer', 'co_signer', 'nobody'] as const) {
      const { draft } = await keyDraft(by, 'own')
      await decided((await call(saveMachine, { request_id: fresh(), draft })).id)
      const before = rulesOf(await policyNow())
      const { rule, calls, base_version } = { ...(await own()), ...(await call(listMachines, {})) }
      assert.ok(rule && calls)
      assert.equal(rule.by, by)
      const same = { ...draft, base_version, name: 'Renamed', purpose: by, rule, calls }
      await decided((await call(saveMachine, { request_id: fresh(), draft: same })).id)
      assert.deepEqual(rulesOf(await policyNow()), before)
    }
    const places = rulesOf(await policyNow()).map(({ id }) => id)
    const { draft } = await keyDraft('people')
    await decided((await call(saveMachine, { request_id: fresh(), draft: { ...draft, rule: { ...draft.rule, orders_a_day: 11 } } })).id)
    assert.deepEqual(
      rulesOf(await policyNow()).map(({ id }) => id),
      places,
      'one that is another stands where it stood',
    )
    assert.equal((await own()).rule?.orders_a_day, 11)
  })

  it('are not drafted on a version that is over, and what is not there is not taken out', async () => {
    const { draft } = await keyDraft('people')
    await assert.rejects(
      call(saveMachine, { request_id: fresh(), draft: { ...draft, base_version: 1 } }),
      (error) => error instanceof AppError && /changed since/.test(String(error.details['reason'])),
    )
    await assert.rejects(
      call(removeMachine, { request_id: fresh(), app_id: 'ghost' }),
      (error) => error instanceof AppError && error.code === new AppError('resource_not_found').code,
    )
  })

  it('pass without anybody only to addresses that people know of', async () => {
    const anywhere = await keyDraft('nobody')
    await assert.rejects(
      call(saveMachine, { request_id: fresh(), draft: anywhere.draft }),
      (error) => error instanceof AppError && /own, listed or named/.test(String(error.details['reason'])),
    )
    const own = await keyDraft('nobody', 'own')
    assert.ok((await call(saveMachine, { request_id: fresh(), draft: own.draft })).trade_no)
  })
})

const settings: KeySettings = {
  permissions: ['wallet.read', 'withdraw.create'],
  wallets: null,
  addresses: ['203.0.113.0/24', '2001:db8::7'],
  per_minute: 60,
  is_on: true,
  door_two: null,
}
const nowMs = () => world.context.ports.clock.nowMs()
const keyOf = () => ({ orgId: world.orgId, machineId: 'payouts' })
const own = async () => (await call(listMachines, {})).list.find(({ app_id: id }) => id === 'payouts')!

/** What the door says of a call; `admitted` where it lets it in. */
async function atDoor(changes: Partial<AskedCall> = {}): Promise<string> {
  const asked = { keyId: keyIdOf(keyOf()), address: '203.0.113.9', permission: 'wallet.read', nowMs: nowMs(), isSigned: () => true, ...changes }
  const answer = await admitCall(world.context, asked)
  return answer.kind === 'admitted' ? answer.kind : `${answer.why} ${answer.error.code}`
}

async function withKey(): Promise<void> {
  await openPolicyWorld()
  const { draft } = await keyDraft('people')
  await decided((await call(saveMachine, { request_id: fresh(), draft, settings })).id)
}

describe('the door for the calls of a key', () => {
  before(withKey)
  after(() => world.close())

  it('lets in what is signed by a key of the policy that is on, from its addresses, with its permissions, and nothing else', async () => {
    assert.equal(await atDoor(), 'admitted')
    assert.equal(await atDoor({ address: '::ffff:203.0.113.200' }), 'admitted')
    assert.equal(await atDoor({ address: '2001:db8:0::7' }), 'admitted')
    assert.equal(await atDoor({ permission: null }), 'admitted')
    assert.equal(await atDoor({ isSigned: () => false }), 'signature 100005')
    assert.equal(await atDoor({ keyId: keyIdOf({ orgId: world.orgId, machineId: 'ghost' }) }), 'unknown 100005')
    assert.equal(await atDoor({ keyId: keyIdOf({ orgId: '00000000-0000-7000-8000-000000000000', machineId: 'payouts' }) }), 'unknown 100005')
    assert.equal(await atDoor({ keyId: 'payouts' }), 'unknown 100005')
    for (const address of ['203.0.114.9', '2001:db8::8', '', 'nonsense']) assert.equal(await atDoor({ address }), 'address 100007')
    assert.equal(await atDoor({ permission: 'policy.propose' }), 'permission 300572')
    assert.equal(await atDoor({ permission: 'member' }), 'permission 300572')
    assert.equal(await atDoor({ nowMs: END }), 'expired 300571')
  })

  it('keeps what was called with secrets masked, finds it by every field, and says when the key was used', async () => {
    const made = {
      key: keyOf(),
      method: 'POST',
      requestId: 'r-1',
      address: '203.0.113.9',
      httpStatus: 200,
      code: '0',
      refused: null,
      atMs: nowMs(),
      durationMs: 4.4,
    }
    await recordCall(world.context, { ...made, path: '/api/mpc/sub_wallet/withdraw', body: 'request_id=r-1&google_code=123456&amount=2' })
    await recordCall(world.context, {
      ...made,
      path: '/api/mpc/wallets/asset',
      method: 'GET',
      body: '',
      refused: 'address',
      code: '100007',
      address: '198.51.100.1',
    })
    const all = await call(listCalls, { page_no: 1, page_size: 20 })
    assert.equal(all.pageTotal, 2)
    const of = async (filter: object) => (await call(listCalls, { page_no: 1, page_size: 20, ...filter })).list.map(({ path }) => path)
    const [paid, read] = [['/api/mpc/sub_wallet/withdraw'], ['/api/mpc/wallets/asset']]
    for (const [filter, expected] of [
      [{ keyword: 'r-1', method: 'POST' }, paid],
      [{ keyword: 'SUB_wallet' }, paid],
      [{ method: 'GET' }, read],
      [{ ip: '198.51.100.1' }, read],
      [{ code: '100007' }, read],
      [{ refused: 'let_in' }, paid],
      [{ http_code: '500' }, []],
      [{ app_id: 'ghost' }, []],
      [{ end_time: nowMs() - 60_000 }, []],
      [{ start_time: nowMs() - 60_000, refused: 'refused' }, read],
    ] as const)
      assert.deepEqual(await of(filter), expected, JSON.stringify(filter))
    assert.equal(all.list.find(({ method }) => method === 'POST')!.body_masked, 'request_id=r-1&google_code=***&amount=2')
    assert.ok((await own()).last_used)
    const { content, rows, complete } = await call(exportCalls, {})
    assert.deepEqual([rows, complete, content.includes('123456')], [2, true, false])
  })

  it('keeps few of the calls that nobody signed, since anybody can make those', async () => {
    const made = {
      key: keyOf(),
      method: 'GET',
      path: '/x',
      requestId: null,
      address: '198.51.100.1',
      httpStatus: 403,
      code: '100005',
      body: '',
      atMs: nowMs(),
      durationMs: 1,
    }
    for (let i = 0; i < 30; i++) await recordCall(world.context, { ...made, refused: 'signature' })
    assert.equal((await call(listCalls, { keyword: '/x', page_no: 1, page_size: 20 })).pageTotal, 20)
  })

  it('lets in no more calls in a minute than the key has, and says when there is one again', async () => {
    const { settings_version: version } = await own()
    await call(saveSettings, { app_id: 'payouts', base_version: String(version), settings: { ...settings, per_minute: 6 } })
    assert.equal(await atDoor(), 'admitted')
    assert.equal(await atDoor(), 'rate 300006')
  })
})

describe('settings of a key', () => {
  before(withKey)
  after(() => world.close())
  const save = async (changes: Partial<KeySettings>, by = ann) => {
    const { settings_version: version, settings: present } = await own()
    return call(saveSettings, { app_id: 'payouts', base_version: String(version), settings: { ...present!, ...changes } }, by)
  }
  const isRefused = (name: string) => (error: unknown) => error instanceof AppError && error.errorName === name

  it('narrow at once, and widen only when a second person confirms it', async () => {
    assert.equal((await save({ permissions: ['wallet.read'] })).state, 'in_force')
    assert.equal(await atDoor({ permission: 'withdraw.create' }), 'permission 300572')
    const asked = await save({ addresses: [...settings.addresses, '198.51.100.1'] })
    assert.equal(asked.state, 'waiting')
    assert.equal(await atDoor({ address: '198.51.100.1' }), 'address 100007')
    const decision = { app_id: 'payouts', version: String(asked.version), confirmed: 'true' as const }
    await assert.rejects(call(decideSettings, { ...decision, confirmed: true }), isRefused('key_needs_another_person'))
    await call(decideSettings, { ...decision, confirmed: true }, ben)
    assert.equal(await atDoor({ address: '198.51.100.1' }), 'admitted')
    await assert.rejects(call(decideSettings, { ...decision, confirmed: true }, ben), isRefused('state_changed'))
  })

  it('switch the key off at once by one person or by the key itself, and what was asked for before is overtaken', async () => {
    const asked = await save({ per_minute: 600 })
    assert.equal((await own()).waiting.length, 1)
    assert.equal((await call(saveStatus, { app_id: 'payouts', status: 'off' }, cleo)).state, 'in_force')
    assert.equal(await atDoor(), 'off 300570')
    assert.deepEqual([(await own()).status, (await own()).waiting.length], ['off', 0])
    await assert.rejects(call(decideSettings, { app_id: 'payouts', version: String(asked.version), confirmed: true }, ben), isRefused('state_changed'))
    const on = await call(saveStatus, { app_id: 'payouts', status: 'on' }, cleo)
    assert.equal(on.state, 'waiting')
    await call(decideSettings, { app_id: 'payouts', version: String(on.version), confirmed: true }, ben)
    assert.equal(await atDoor(), 'admitted')
    await switchOffItself(world.context, keyOf())
    assert.equal(await atDoor(), 'off 300570')
    const log = await call(listSettingsLog, { page_no: 1, page_size: 20 })
    assert.deepEqual([log.list[0]!.user, log.list[0]!.after.is_on], [null, false])
  })

  it('are announced to the pages that are open, whoever wrote or decided them', async () => {
    const told = async () => {
      const { rows } = await inOrganisation((tx) =>
        sql<{ n: string }>`select count(*)::text as n from outbox where org_id = ${tx.orgId} and topic = 'machine.changed'`.execute(tx),
      )
      return Number(rows[0]!.n)
    }
    const tells = async (act: () => Promise<unknown>) => {
      const before = await told()
      await act()
      assert.equal(await told(), before + 1)
    }
    await tells(() => save({ permissions: [] }))
    const { settings_version: version } = await own()
    await tells(() => save({ permissions: ['kyt.read'] }))
    await tells(() => call(decideSettings, { app_id: 'payouts', version: String(version + 1), confirmed: true }, ben))
    await tells(() => call(saveStatus, { app_id: 'payouts', status: 'on' }))
  })

  it('do not widen a key while it is off, as if that were nothing', async () => {
    assert.equal((await save({ per_minute: 6000 })).state, 'waiting')
  })

  it('of a new key count with the change of the policy that it came by, and not before', async () => {
    const { draft } = await keyDraft('people')
    const other = { ...draft, app_id: 'reports', name: 'Reports', public_key: 'ef'.repeat(32), rule: null }
    const { id } = await call(saveMachine, { request_id: fresh(), draft: other, settings })
    const pending = (await call(listMachines, {})).list.find(({ app_id: each }) => each === 'reports')!
    assert.deepEqual([pending.status, pending.pending, pending.settings, pending.waiting.length], ['pending', 'create', null, 1])
    const keyId = keyIdOf({ orgId: world.orgId, machineId: 'reports' })
    assert.equal(await atDoor({ keyId }), 'unknown 100005')
    await decided(id)
    assert.equal(await atDoor({ keyId }), 'admitted')
  })
})

describe('checking a pair of keys', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const nonce = '5a'.repeat(16)
  const signed = (text: string, key = privateKey) => sign(null, Buffer.from(text), key).toString('base64')
  const check = async (signature: string, app_id = 'payouts') => (await call(checkKeyPair, { app_id, nonce, signature })).matches
  const text = () => keyCheckText(keyIdOf(keyOf()), nonce)
  let changeId: string

  before(async () => {
    await openPolicyWorld()
    const { draft } = await keyDraft('people')
    const public_key = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('hex')
    changeId = (await call(saveMachine, { request_id: fresh(), draft: { ...draft, public_key } })).id
  })
  after(() => world.close())

  it('says whether the private half is the one of the key, before people approve it and after', async () => {
    assert.equal(await check(signed(text())), true)
    await decided(changeId)
    assert.equal(await check(signed(text())), true)
    assert.equal(await check(signed(text(), generateKeyPairSync('ed25519').privateKey)), false)
    for (const other of [keyCheckText(keyIdOf({ orgId: world.orgId, machineId: 'reports' }), nonce), keyCheckText(keyIdOf(keyOf()), '5b'.repeat(16)), ''])
      assert.equal(await check(signed(other)), false, other)
    assert.equal(await check(Buffer.alloc(64).toString('base64')), false)
  })

  it('checks a key of P-256 by what OpenSSL signs, in DER or as r and s, and a co-signer has none', async () => {
    const { privateKey: own, publicKey: point } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { x = '', y = '' } = point.export({ format: 'jwk' })
    const public_key = `0${2 + (Buffer.from(y, 'base64url').at(-1)! & 1)}${Buffer.from(x, 'base64url').toString('hex')}`
    const { draft } = await keyDraft('people')
    await assert.rejects(call(saveMachine, { request_id: fresh(), draft: { ...guard, base_version: draft.base_version, public_key } }), AppError)
    await decided((await call(saveMachine, { request_id: fresh(), draft: { ...draft, public_key } })).id)
    const by = (dsaEncoding: 'der' | 'ieee-p1363', key = own) => sign('sha256', Buffer.from(text()), { key, dsaEncoding }).toString('base64')
    assert.deepEqual([await check(by('der')), await check(by('ieee-p1363'))], [true, true])
    const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
    assert.deepEqual([await check(by('der', stranger)), await check(signed(text()))], [false, false])
  })

  it('checks keys of programs alone', async () => {
    await assert.rejects(check(signed(text()), 'ghost'), (error) => error instanceof AppError && error.errorName === 'resource_not_found')
    await assert.rejects(check('AAAA'), AppError)
  })
})
