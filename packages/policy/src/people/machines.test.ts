import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encode, equalBytes, toHex } from '@holdfast/encoding'
import { signEd25519 } from '@holdfast/encoding/ed25519'
import {
  approvalShape,
  type Intent,
  intentHash,
  isPointOfP256,
  type MachineDecision,
  machineMessage,
  type MachineSignature,
  oneSpelling,
  readSpoken,
} from '@holdfast/intent'
import { ed25519 } from '@noble/curves/ed25519.js'
import { p256 } from '@noble/curves/nist.js'
import {
  ApprovalRefused,
  checkPolicy,
  countApprovals,
  describePolicy,
  describeRule,
  evaluateOrder,
  findSpeaker,
  inThirdForm,
  loosens,
  type Machine,
  type NamedRule,
  partsTouched,
  partyOfMachine,
  type Policy,
  policyHash,
  PolicyRefused,
  type ThirdForm,
} from '../index.ts'
import { approveBy, dayLimit, namedRule, NOWHERE, personOf, thirdForm } from '../testing/named-rules.ts'
import { CHAIN, member, sampleApproval, samplePolicy, sampleTransfer } from '../testing/sample-organisation.ts'

const members = [0, 1, 2].map(member)
const [ann, ben, cleo] = members as [(typeof members)[0], (typeof members)[0], (typeof members)[0]]
const secretOf = (fill: number) => new Uint8Array(32).fill(fill)

const machineOf = (id: string, kind: string, fill: number, changes: Partial<Machine> = {}): Machine => ({
  id,
  name: `${id} name`,
  kind,
  publicKey: ed25519.getPublicKey(secretOf(fill)),
  purpose: '',
  expiresAtMs: 2_000_000_000_000n,
  ...changes,
})
const API = machineOf('payouts', 'api', 41)
const CO_SIGNER = machineOf('guard', 'coSigner', 42)
const machine = (id: string) => ({ kind: 'machine' as const, id })
const asks = { kind: 'askers' as const, who: [machine('payouts')] }

const withRules = (rules: NamedRule[], changes: Partial<ThirdForm> = {}): ThirdForm => thirdForm(members, { machines: [API, CO_SIGNER], rules, ...changes })

const BY_PEOPLE = namedRule('people', { conditions: [asks], steps: [{ need: 1n, who: [ann, ben].map(personOf) }] })
const BY_BOTH = namedRule('both', {
  conditions: [asks],
  steps: [
    { need: 1n, who: [machine('guard')] },
    { need: 1n, who: [ann, ben].map(personOf) },
  ],
})
const LIMITS = [dayLimit({ amounts: [{ chain: CHAIN, asset: '', max: 10n ** 19n }], maxCount: 5n })]
const FEES = [{ chain: CHAIN, max: 10n ** 16n }]
const CHECKED = namedRule('checked', {
  conditions: [asks],
  limits: LIMITS,
  action: { kind: 'checked', machine: 'guard', fees: FEES, mayStop: [], expiresAfterMs: 0n },
})
const PASSING = namedRule('passing', {
  conditions: [asks, { kind: 'destinations', ...NOWHERE, own: true, addresses: [] }],
  limits: LIMITS,
  action: { kind: 'pass', fees: FEES, mayStop: [], expiresAfterMs: 0n },
})

function signed(
  policy: Policy,
  intent: Intent,
  by: Machine,
  decision: MachineDecision,
  fill: number,
  changes: Partial<MachineSignature> = {},
): MachineSignature {
  const said = {
    genesis: intent.genesis,
    intentHash: intentHash(intent),
    policyHash: policyHash(policy),
    machine: by.id,
    decision,
    signedAtMs: 20_000n,
    ...changes,
  }
  return { ...said, signature: signEd25519(machineMessage(said), secretOf(fill)) }
}

function orderUnder(rule: NamedRule) {
  const policy = withRules([rule])
  checkPolicy(policy)
  const intent = sampleTransfer(policy, partyOfMachine(API))
  const outcome = evaluateOrder(policy, intent)
  assert.equal(outcome.kind, 'needs')
  const steps = outcome.kind === 'needs' ? outcome.steps : []
  const tally = (approvals: Parameters<typeof countApprovals>[0]['approvals'], machines: MachineSignature[], atMs?: number) =>
    countApprovals({ policy, intent, approvals, machines, steps, ...(atMs !== undefined && { atMs }) })
  return { policy, intent, tally, ask: signed(policy, intent, API, 'ask', 41), guard: signed(policy, intent, CO_SIGNER, 'approve', 42) }
}

const code = (wanted: string) => (error: unknown) => error instanceof ApprovalRefused && error.refusal.code === wanted

test('what a machine asks for needs its own signature beside the people of its rule', () => {
  const { policy, intent, tally, ask } = orderUnder(BY_PEOPLE)
  const yes = sampleApproval(ann, intent, policy)
  assert.deepEqual([tally([yes], []).met, tally([yes], []).missing], [false, 1])
  assert.deepEqual([tally([], [ask]).met, tally([], [ask]).missing], [false, 1])
  const whole = tally([yes], [ask])
  assert.deepEqual([whole.met, whole.approvedBy.map(({ name }) => name)], [true, ['Person 1']])
})

test('a rule that names no machine lets none ask, and one that names it lets no other', () => {
  const open = withRules([namedRule('open', { steps: [{ need: 1n, who: [personOf(ann)] }] })])
  const denied = evaluateOrder(open, sampleTransfer(open, partyOfMachine(API)))
  assert.deepEqual(denied.kind === 'deny' && denied.reason, 'initiator-not-allowed')
  const named = withRules([BY_PEOPLE])
  for (const stranger of [partyOfMachine(CO_SIGNER), partyOfMachine({ id: 'nobody' }), cleo.id])
    assert.equal(evaluateOrder(named, sampleTransfer(named, stranger)).kind, 'deny')
})

test('a co-signer counts in its own step only, and its no is enough', () => {
  const { policy, intent, tally, ask, guard } = orderUnder(BY_BOTH)
  const yes = sampleApproval(ben, intent, policy)
  assert.deepEqual([tally([yes], [ask]).met, tally([], [ask, guard]).met], [false, false])
  const whole = tally([yes], [ask, guard])
  assert.deepEqual([whole.met, whole.filled], [true, [[partyOfMachine(CO_SIGNER)], [ben.id]]])
  const two = tally([yes, sampleApproval(ann, intent, policy)], [ask])
  assert.equal(two.met, false)
  const no = signed(policy, intent, CO_SIGNER, 'reject', 42)
  assert.deepEqual(
    tally([yes], [ask, no]).rejectedBy.map(({ name }) => name),
    ['guard name (co-signer)'],
  )
})

test('the approval of a co-signer fills no step of people', () => {
  const { tally, ask, guard } = orderUnder(BY_PEOPLE)
  assert.deepEqual([tally([], [ask, guard]).met, tally([], [ask, guard]).missing], [false, 1])
})

test('a rule passes what a machine asks for by its signature alone, or with that of a co-signer', () => {
  const passing = orderUnder(PASSING)
  assert.equal(passing.tally([], []).met, false)
  assert.equal(passing.tally([], [passing.ask]).met, true)
  const checked = orderUnder(CHECKED)
  assert.deepEqual(checked.tally([], [checked.ask]).met, false)
  assert.deepEqual(checked.tally([], [checked.guard]).met, false)
  assert.equal(checked.tally([], [checked.ask, checked.guard]).met, true)
})

test('a machine signature that is not exactly its own of this order is refused', () => {
  const { policy, intent, tally, ask, guard } = orderUnder(BY_BOTH)
  const other = sampleTransfer(policy, partyOfMachine(API), { nonce: new Uint8Array(32).fill(99) })
  const foreign = { ...intent, genesis: new Uint8Array(32).fill(77) }
  const byPerson = sampleTransfer(policy, ann.id)
  const cases: [string, MachineSignature][] = [
    ['machine-strange-key', signed(policy, intent, API, 'ask', 43)],
    ['machine-strange-key', { ...ask, signedAtMs: 20_001n }],
    ['machine-strange-key', { ...guard, decision: 'reject' }],
    ['approval-other-order', signed(policy, other, API, 'ask', 41)],
    ['approval-other-organisation', signed(policy, foreign, API, 'ask', 41)],
    ['approval-other-policy', signed(withRules([BY_PEOPLE]), intent, API, 'ask', 41)],
    ['machine-unknown', signed(policy, intent, machineOf('ghost', 'api', 41), 'ask', 41)],
    ['machine-out-of-place', signed(policy, intent, API, 'approve', 41)],
    ['machine-out-of-place', signed(policy, intent, CO_SIGNER, 'ask', 42)],
    ['approval-out-of-time', signed(policy, intent, API, 'ask', 41, { signedAtMs: 9_999n })],
  ]
  for (const [wanted, given] of cases) assert.throws(() => tally([], [given]), code(wanted), wanted)
  const asked = () => countApprovals({ policy, intent: byPerson, approvals: [], machines: [signed(policy, byPerson, API, 'ask', 41)], steps: [] })
  assert.throws(asked, code('machine-out-of-place'))
})

test('a machine with a key of P-256 asks by that key alone, whose algorithm the policy says', () => {
  const key = { ...API, publicKey: p256.getPublicKey(secretOf(41)) }
  const policy = withRules([BY_PEOPLE], { machines: [key, CO_SIGNER] })
  checkPolicy(policy)
  const intent = sampleTransfer(policy, partyOfMachine(key))
  const unsigned = signed(policy, intent, key, 'ask', 41)
  const outcome = evaluateOrder(policy, intent)
  const steps = outcome.kind === 'needs' ? outcome.steps : []
  const approvals = [sampleApproval(ann, intent, policy)]
  const by = (signature: Uint8Array) => countApprovals({ policy, intent, approvals, machines: [{ ...unsigned, signature }], steps })
  const own = oneSpelling(p256.sign(machineMessage(unsigned), secretOf(41), { format: 'compact' }))
  assert.equal(by(own).met, true)
  const stranger = oneSpelling(p256.sign(machineMessage(unsigned), secretOf(43), { format: 'compact' }))
  for (const other of [unsigned.signature, stranger, own.toReversed(), new Uint8Array(64)]) assert.throws(() => by(other), code('machine-strange-key'))
  const words = describePolicy(policy, 'en-US').join()
  assert.match(words, new RegExp(`key of P-256 ${toHex(key.publicKey)}`))
  assert.match(words, new RegExp(`key ${toHex(CO_SIGNER.publicKey)}`))
  assert.ok(loosens(withRules([BY_PEOPLE]), policy), 'another key is another machine')
})

test('a key of P-256 is a point of its curve, of an API key or a screener and of no other machine', () => {
  const point = p256.getPublicKey(secretOf(41))
  const offCurve = Array.from({ length: 8 }, (_, i) => Uint8Array.from([2, ...new Uint8Array(31), i])).filter((each) => !isPointOfP256(each))
  const strange: Machine[] = [
    ...[...offCurve, point.slice(1, 32), Uint8Array.from([4, ...point.slice(1)]), new Uint8Array(33)].map((publicKey) => ({ ...API, publicKey })),
    ...['coSigner', 'apiRsa'].map((kind) => machineOf('other', kind, 1, { publicKey: point })),
  ]
  assert.ok(offCurve.length > 0)
  for (const kind of ['api', 'screener']) checkPolicy(withRules([], { machines: [machineOf('own', kind, 1, { publicKey: point })] }))
  for (const each of strange) assert.throws(() => checkPolicy(withRules([], { machines: [each] })), /none that a machine of its kind/)
})

test('an expired machine asks for nothing and approves nothing', () => {
  const { policy, intent, tally, ask } = orderUnder(BY_PEOPLE)
  const yes = sampleApproval(ann, intent, policy)
  const end = Number(API.expiresAtMs)
  assert.equal(tally([yes], [ask], end - 1).met, true)
  assert.throws(() => tally([yes], [ask], end), code('machine-expired'))
  assert.throws(() => tally([yes], [signed(policy, intent, API, 'ask', 41, { signedAtMs: API.expiresAtMs })]), code('machine-expired'))
  const late = evaluateOrder(policy, intent, { atMs: end })
  assert.deepEqual(late.kind === 'deny' && late.reason, 'machine-expired')
})

test('a machine governs nothing: what it signs of a change of the policy is refused', () => {
  const policy = withRules([BY_PEOPLE])
  const change = {
    ...sampleTransfer(policy, partyOfMachine(API)),
    kind: 'policyChange' as const,
    newPolicy: new Uint8Array(1),
    reason: '',
  } as unknown as Intent
  const steps = [{ need: 1, eligible: [partyOfMachine(API)] }]
  const ask = { ...signed(policy, sampleTransfer(policy, ann.id), API, 'ask', 41), intentHash: new Uint8Array(32) }
  assert.throws(() => countApprovals({ policy, intent: change, approvals: [], machines: [ask], steps }))
})

test('a policy names machines where they can act and nowhere else', () => {
  const refusedRules: [NamedRule, RegExp][] = [
    [namedRule('r', { conditions: [{ kind: 'askers', who: [machine('guard')] }], steps: [{ need: 1n, who: [personOf(ann)] }] }), /none that can do this/],
    [namedRule('r', { conditions: [asks], steps: [{ need: 1n, who: [machine('payouts')] }] }), /none that can do this/],
    [namedRule('r', { conditions: [asks], steps: [{ need: 1n, who: [machine('guard'), personOf(ann)] }] }), /step of its own/],
    [namedRule('r', { conditions: [asks], steps: [{ need: 1n, who: [machine('guard')] }] }), /asks for no person/],
    [namedRule('r', { conditions: [asks], action: { ...CHECKED.action, machine: 'payouts' } as NamedRule['action'], limits: LIMITS }), /none that can do this/],
    [namedRule('r', { conditions: [asks], action: CHECKED.action }), /set a limit of amounts/],
    [namedRule('r', { conditions: [asks], action: PASSING.action, limits: LIMITS }), /own, listed or named/],
  ]
  for (const [rule, reason] of refusedRules)
    assert.throws(
      () => checkPolicy(withRules([rule])),
      (error) => error instanceof PolicyRefused && reason.test(error.message),
    )
  const twin = { ...samplePolicy(members, 2), people: [{ ...samplePolicy(members, 2).people[0]!, id: partyOfMachine(API) }] }
  assert.throws(() => checkPolicy({ ...inThirdForm(twin), machines: [API], rules: [] }), /goes by the id of a person/)
})

test('a machine that is added, or lives longer, and a co-signer that is taken out loosen the policy and touch the part of machines', () => {
  const before = withRules([BY_BOTH])
  const later = { ...API, expiresAtMs: API.expiresAtMs + 1n }
  assert.equal(loosens(before, { ...before, version: 2n, machines: [API, CO_SIGNER, machineOf('third', 'api', 44)] }), true)
  assert.equal(loosens(before, { ...before, version: 2n, machines: [later, CO_SIGNER] }), true)
  assert.equal(loosens(before, { ...before, version: 2n, machines: [{ ...API, expiresAtMs: 30_000n }, CO_SIGNER] }), false)
  const withoutStep = namedRule('both', { conditions: [asks], action: approveBy([{ need: 1n, who: [ann, ben].map(personOf) }]) })
  assert.equal(loosens(before, { ...before, version: 2n, rules: [withoutStep] }), true)
  assert.equal(loosens(withRules([CHECKED]), { ...withRules([CHECKED]), version: 2n, rules: [{ ...CHECKED, action: PASSING.action }] }), true)
  assert.deepEqual(partsTouched(before, { ...before, version: 2n, machines: [later, CO_SIGNER] }), ['machines'])
})

test('what people signed before machines had words keeps its bytes, and reads as before', () => {
  const policy = samplePolicy(members, 2)
  const approval = sampleApproval(ben, sampleTransfer(policy, ann.id), policy)
  const bytes = encode(approvalShape, approval)
  const { approvals, machines } = readSpoken([bytes])
  assert.deepEqual([approvals.length, machines.length], [1, 0])
  assert.ok(equalBytes(encode(approvalShape, approvals[0]!), bytes))
})

test('whoever reads an order reads that a machine asks for it', () => {
  const policy = withRules([BY_PEOPLE])
  assert.deepEqual(findSpeaker(policy, partyOfMachine(API)), { id: partyOfMachine(API), name: 'payouts name (API)', isMachine: true })
  assert.equal(findSpeaker(policy, new Uint8Array(16)), undefined)
})

test('what is asked at door two is decided by people or a co-signer, and needs and takes no signature of who asks', () => {
  const door = machineOf('payouts', 'apiRsa', 43)
  const under = (rule: NamedRule) => {
    const policy = withRules([rule], { machines: [door, CO_SIGNER] })
    checkPolicy(policy)
    const intent = sampleTransfer(policy, partyOfMachine(door))
    const outcome = evaluateOrder(policy, intent)
    assert.equal(outcome.kind, 'needs')
    const steps = outcome.kind === 'needs' ? outcome.steps : []
    const tally = (approvals: Parameters<typeof countApprovals>[0]['approvals'], machines: MachineSignature[] = []) =>
      countApprovals({ policy, intent, approvals, machines, steps })
    return { policy, intent, tally, guard: signed(policy, intent, CO_SIGNER, 'approve', 42) }
  }
  const people = under(BY_PEOPLE)
  assert.deepEqual([people.tally([]).met, people.tally([]).missing], [false, 1])
  assert.equal(people.tally([sampleApproval(ann, people.intent, people.policy)]).met, true)
  const ask = signed(people.policy, people.intent, door, 'ask', 43)
  assert.throws(() => people.tally([sampleApproval(ann, people.intent, people.policy)], [ask]), code('machine-out-of-place'))
  const both = under(BY_BOTH)
  assert.deepEqual([both.tally([], [both.guard]).met, both.tally([sampleApproval(ben, both.intent, both.policy)]).met], [false, false])
  assert.equal(both.tally([sampleApproval(ben, both.intent, both.policy)], [both.guard]).met, true)
  const checked = under(CHECKED)
  assert.deepEqual([checked.tally([]).met, checked.tally([], [checked.guard]).met], [false, true])
  assert.match(findSpeaker(people.policy, partyOfMachine(door))?.name ?? '', /door two/)
  assert.match(describeRule(CHECKED, checked.policy, 'en-US'), /by the approval of the machine “guard name” alone/)
})

test('no rule passes what is asked at door two without people and without a co-signer', () => {
  const door = machineOf('payouts', 'apiRsa', 43)
  assert.throws(() => checkPolicy(withRules([PASSING], { machines: [door] })), PolicyRefused)
  // Where others may ask under such a rule, it is still none for this one.
  const shared = { ...PASSING, conditions: [{ kind: 'askers' as const, who: [machine('payouts'), personOf(ann)] }, ...PASSING.conditions.slice(1)] }
  const policy = withRules([shared], { machines: [door] })
  checkPolicy(policy)
  assert.equal(evaluateOrder(policy, sampleTransfer(policy, partyOfMachine(door))).kind, 'deny')
  const before = withRules([BY_PEOPLE], { machines: [API] })
  assert.ok(loosens(before, withRules([BY_PEOPLE], { machines: [{ ...API, kind: 'apiRsa' }] })), 'a key that signs becomes one that does not')
  assert.ok(!loosens(withRules([], { machines: [door] }), withRules([], { machines: [] })))
})
