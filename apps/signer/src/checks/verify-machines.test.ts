import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { codecFor } from '@holdfast/chain-evm/codec'
import { decode, encode } from '@holdfast/encoding'
import { signEd25519 } from '@holdfast/encoding/ed25519'
import {
  type BatchIntent,
  intentShape,
  intentHash,
  type MachineDecision,
  machineMessage,
  type MachineSignature,
  machineSignatureShape,
  oneSpelling,
} from '@holdfast/intent'
import { type Machine, type NamedRule, partyOfMachine } from '@holdfast/policy'
import type { SignRequest } from '@holdfast/protocol'
import { ed25519 } from '@noble/curves/ed25519.js'
import { p256 } from '@noble/curves/nist.js'
import { dayLimit, namedRule, NOWHERE, personOf } from '../../../../packages/policy/src/testing/named-rules.ts'
import { batchOf, lineRequest } from '../testing/batch-of.ts'
import type { Log } from '../testing/log-of.ts'
import { CLOCK_TOLERANCE_MS } from '../state/approver-counters.ts'
import { CHAIN, COIN, DAY_MS, NOW_MS } from '../testing/organisation-of.ts'
import { RECIPIENT_ADDRESS } from '../testing/order-of.ts'
import type { Member } from '../testing/people.ts'
import { ann, type Attempt, attemptOf, ben, checkOf, cleo, type Hooks, ORDER_MAX, organisationWith, registerOf } from '../testing/world-of.ts'
import { verifySignRequest } from './verify.ts'

const secretOf = (fill: number) => new Uint8Array(32).fill(fill)
const machineOf = (id: string, kind: string, fill: number): Machine => ({
  id,
  name: id,
  kind,
  publicKey: ed25519.getPublicKey(secretOf(fill)),
  purpose: '',
  expiresAtMs: BigInt(NOW_MS + 3_600_000),
})
const API = machineOf('payouts', 'api', 51)
const GUARD = machineOf('guard', 'coSigner', 52)
const machine = (id: string) => ({ kind: 'machine' as const, id })
const asks = { kind: 'askers' as const, who: [machine('payouts')] }
const people = { need: 1n, who: [ben, cleo].map(({ person }) => personOf(person)) }
const guarded = { need: 1n, who: [machine('guard')] }
const limits = [dayLimit({ amounts: [{ chain: CHAIN, asset: '', max: ORDER_MAX }], maxCount: 3n })]
const fees = [{ chain: CHAIN, max: 10n ** 18n }]

const BY_PEOPLE = namedRule('people', { conditions: [asks], steps: [people] })
const BY_BOTH = namedRule('both', { conditions: [asks], steps: [guarded, people] })
const CHECKED = namedRule('checked', { conditions: [asks], limits, action: { kind: 'checked', machine: 'guard', fees, mayStop: [], expiresAfterMs: 0n } })
const PASSING = namedRule('passing', {
  conditions: [asks, { kind: 'destinations', ...NOWHERE, addresses: [{ name: 'Supplier', chain: CHAIN, address: RECIPIENT_ADDRESS, memo: null }] }],
  limits,
  action: { kind: 'pass', fees, mayStop: [], expiresAfterMs: 0n },
})

type Sign = (message: Uint8Array, secretKey: Uint8Array) => Uint8Array
type Said = { by: Machine; decision: MachineDecision; fill: number; changes?: Partial<MachineSignature>; sign?: Sign }
const ASK: Said = { by: API, decision: 'ask', fill: 51 }
const YES: Said = { by: GUARD, decision: 'approve', fill: 52 }
const NO: Said = { by: GUARD, decision: 'reject', fill: 52 }

/** What machines sign of the order of a request, or of the batch behind it, in the log beside everything else. */
function speaking(said: readonly Said[], of?: BatchIntent): NonNullable<Hooks['request']> {
  return (request: SignRequest, log: Log) => {
    const intent = of ?? decode(intentShape, request.intent)
    const encoded = said.map(({ by, decision, fill, changes, sign = signEd25519 }) => {
      const statement = {
        genesis: intent.genesis,
        intentHash: intentHash(intent),
        policyHash: intent.policyHash,
        machine: by.id,
        decision,
        signedAtMs: BigInt(NOW_MS),
        ...changes,
      }
      return encode(machineSignatureShape, { ...statement, signature: sign(machineMessage(statement), secretOf(fill)) })
    })
    const places = [...request.logged.map(({ index }) => Number(index)), ...encoded.map((body) => log.append('approval', body))]
    const batch = request.batch && { ...request.batch, logged: log.logged(Number(request.batch.logged.index)) }
    return { approvals: [...request.approvals, ...encoded], checkpoint: log.note(), logged: places.map((index) => log.logged(index)), batch }
  }
}

function attempt(rule: NamedRule, said: readonly Said[], hooks: Hooks = {}, api = API): Attempt {
  const organisation = organisationWith({ rules: [rule], machines: [api, GUARD] })
  return attemptOf({
    organisation,
    order: { asset: COIN, amount: ORDER_MAX },
    proposed: () => ({ initiator: partyOfMachine(API) }),
    approvers: [ben],
    request: speaking(said),
    ...hooks,
  })
}

const verdictOf = ({ request, view }: Attempt) => checkOf(() => verifySignRequest(request, view))
const alone = { approvers: [] }

describe('machines, by a signer', () => {
  it('ask by a signature of their own, beside the people of the rule', () => {
    assert.equal(verdictOf(attempt(BY_PEOPLE, [ASK])), 'signed')
    assert.equal(verdictOf(attempt(BY_PEOPLE, [])), 'c5')
    assert.equal(verdictOf(attempt(BY_PEOPLE, [ASK], alone)), 'c5')
  })

  it('have what they ask for passed within the limits that people set, and what a co-signer checked', () => {
    assert.equal(verdictOf(attempt(PASSING, [ASK], alone)), 'signed')
    assert.equal(verdictOf(attempt(PASSING, [], alone)), 'c5')
    assert.equal(verdictOf(attempt(CHECKED, [ASK, YES], alone)), 'signed')
    assert.equal(verdictOf(attempt(CHECKED, [ASK], alone)), 'c5')
    assert.equal(verdictOf(attempt(CHECKED, [YES], alone)), 'c5')
    assert.equal(verdictOf(attempt(CHECKED, [ASK, YES], { ...alone, order: { asset: COIN, amount: ORDER_MAX + 1n } })), 'c9')
    const dear = { proposed: () => ({ initiator: partyOfMachine(API), feeCap: 10n ** 18n + 1n }) }
    assert.equal(verdictOf(attempt(CHECKED, [ASK, YES], { ...alone, ...dear })), 'c5')
  })

  it('approve in the step of a co-signer and in no step of people', () => {
    assert.equal(verdictOf(attempt(BY_BOTH, [ASK, YES])), 'signed')
    assert.equal(verdictOf(attempt(BY_BOTH, [ASK])), 'c5')
    assert.equal(verdictOf(attempt(BY_BOTH, [ASK], { approvers: [ben, cleo] })), 'c5')
    assert.equal(verdictOf(attempt(BY_BOTH, [ASK, YES], alone)), 'c5')
    assert.equal(verdictOf(attempt(BY_PEOPLE, [ASK, YES], alone)), 'c5')
  })

  it('approve a batch as a whole in the step of a co-signer, and no line of it by itself', () => {
    const organisation = organisationWith({ rules: [namedRule('both', { steps: [guarded, people] })], machines: [API, GUARD] })
    const batch = batchOf({}, organisation)
    const verdict = (said: readonly Said[], { approvers = [ben], of = batch }: { approvers?: Member[]; of?: BatchIntent | undefined } = {}) => {
      const { request, log } = lineRequest({ organisation, batch, number: 1, approvers })
      const asked = { ...request, ...speaking(said, of)(request, log) }
      return checkOf(() => verifySignRequest(asked, { party: 1, register: registerOf(organisation, log), nowMs: NOW_MS, codecFor }))
    }
    assert.equal(verdict([YES]), 'signed')
    assert.equal(verdict([]), 'c5')
    assert.equal(verdict([], { approvers: [ben, cleo] }), 'c5')
    assert.equal(verdict([YES], { approvers: [] }), 'c5')
    assert.equal(verdict([YES], { of: batchOf({ remark: 'another' }, organisation) }), 'c5')
    assert.notEqual(verdict([NO]), 'signed')
  })

  it('stop what they look at by a no, as people do', () => {
    assert.equal(verdictOf(attempt(BY_BOTH, [ASK, YES, NO])), 'c6')
    assert.equal(verdictOf(attempt(BY_PEOPLE, [ASK, NO])), 'signed')
  })

  it('are refused for another order, organisation or policy, by another key, or out of their place', () => {
    const other = new Uint8Array(32).fill(9)
    const forged: Said[] = [
      { ...ASK, fill: 53 },
      { ...ASK, fill: 52 },
      { ...ASK, changes: { intentHash: other } },
      { ...ASK, changes: { genesis: other } },
      { ...ASK, changes: { policyHash: other } },
      { ...ASK, by: { ...API, id: 'ghost' } },
      { ...ASK, by: GUARD, fill: 52 },
      { ...ASK, decision: 'approve' },
      { ...ASK, changes: { signedAtMs: BigInt(NOW_MS + 3_599_999) } },
      { ...ASK, changes: { signedAtMs: 1n } },
    ]
    for (const said of forged) assert.equal(verdictOf(attempt(BY_PEOPLE, [said])), 'c5')
  })

  it('ask by a key of P-256 that the policy names, in its one spelling, and by none of another algorithm', () => {
    const api = { ...API, publicKey: p256.getPublicKey(secretOf(51)) }
    const low: Sign = (message, secretKey) => oneSpelling(p256.sign(message, secretKey, { format: 'compact' }))
    const high: Sign = (message, secretKey) => {
      const signature = low(message, secretKey)
      const s = p256.Point.Fn.fromBytes(signature.slice(32))
      return Uint8Array.from([...signature.slice(0, 32), ...p256.Point.Fn.toBytes(p256.Point.Fn.neg(s))])
    }
    const verdict = (sign: Sign, fill = 51) => verdictOf(attempt(BY_PEOPLE, [{ ...ASK, by: api, fill, sign }], {}, api))
    assert.equal(verdict(low), 'signed')
    for (const sign of [high, signEd25519, () => new Uint8Array(64)]) assert.equal(verdict(sign), 'c5')
    assert.equal(verdict(low, 53), 'c5')
    assert.equal(verdictOf(attempt(BY_PEOPLE, [{ ...ASK, sign: low }])), 'c5', 'the policy names a key of Ed25519')
  })

  it('get no further than their rule where their key is stolen and the server with it', () => {
    const byKey = (changes: object): Hooks => ({ ...alone, proposed: () => ({ initiator: partyOfMachine(API), ...changes }) })
    assert.equal(verdictOf(attempt(PASSING, [ASK], byKey({}))), 'signed')
    const further: Hooks[] = [
      byKey({ to: `0x${'de'.repeat(20)}` }),
      byKey({ feeCap: 10n ** 18n + 1n }),
      { ...alone, order: { asset: COIN, amount: ORDER_MAX + 1n } },
    ]
    for (const hooks of further) assert.match(verdictOf(attempt(PASSING, [ASK], hooks)), /^c[59]$/)
    // What the key signs again, or as a co-signer, stands for nobody else.
    const stolen: Said[] = [ASK, { ...ASK, decision: 'approve' }, { ...YES, fill: 51 }, { ...ASK, by: GUARD }]
    for (const rule of [BY_PEOPLE, BY_BOTH, CHECKED]) for (const said of stolen) assert.equal(verdictOf(attempt(rule, [ASK, said], alone)), 'c5')
  })

  it('satisfy the step of a co-signer and no other, where its key is stolen and the server with it', () => {
    const stolen: Said[] = [YES, { ...YES, decision: 'ask' }, { ...YES, by: API }, { ...ASK, fill: 52 }]
    for (const rule of [BY_PEOPLE, BY_BOTH, CHECKED, PASSING]) for (const said of stolen) assert.equal(verdictOf(attempt(rule, [YES, said], alone)), 'c5')
    const byAnn: Hooks = { ...alone, proposed: () => ({ initiator: ann.person.id }) }
    const open = namedRule('open', { steps: [guarded, people] })
    assert.equal(verdictOf(attempt(open, [YES], byAnn)), 'c5')
    assert.equal(verdictOf(attempt(open, [YES], { ...byAnn, approvers: [ben] })), 'signed')
  })

  it('ask for nothing in the place of a person, nor a person in theirs', () => {
    const byAnn = { proposed: () => ({ initiator: ann.person.id }) }
    assert.equal(verdictOf(attempt(BY_PEOPLE, [ASK], byAnn)), 'c5')
    const open = namedRule('open', { steps: [people] })
    assert.equal(verdictOf(attempt(open, [ASK])), 'c5')
    assert.equal(verdictOf(attempt(open, [], byAnn)), 'signed')
  })

  it('are left to the other signers by one that was repaired after they spoke', () => {
    const anew = (agoMs: number): Hooks => ({ ...alone, register: (register) => void (register.beganAnewAtMs = NOW_MS - agoMs) })
    const later = (said: Said): Said => ({ ...said, changes: { signedAtMs: BigInt(NOW_MS + 1) } })
    const verdict = (said: readonly Said[], agoMs: number) => {
      const approval = () => ({ changes: { signedAtMs: BigInt(NOW_MS + 1) } })
      return verdictOf(attempt(BY_BOTH, said, { ...anew(agoMs), approvers: [ben], approval }))
    }
    const ago = CLOCK_TOLERANCE_MS
    assert.equal(verdict([later(ASK), later(YES)], ago), 'signed')
    assert.equal(verdict([ASK, later(YES)], ago), 'c12')
    assert.equal(verdict([later(ASK), YES], ago), 'c12')
    assert.equal(verdictOf(attempt(CHECKED, [ASK, YES], anew(DAY_MS))), 'signed')
    assert.equal(verdictOf(attempt(CHECKED, [ASK, YES], anew(DAY_MS - 1))), 'c12', 'the window of the rule')
  })

  it('end with their time, by the clock of the signer', () => {
    const at = (ms: number): Hooks => ({ view: (view) => ({ nowMs: view.nowMs + ms }) })
    assert.equal(verdictOf(attempt(BY_BOTH, [ASK, YES], at(3_599_999))), 'signed')
    assert.equal(verdictOf(attempt(BY_BOTH, [ASK, YES], at(3_600_000))), 'c5')
  })

  it('stand in the log like everything that is said of an order', () => {
    const unlogged: Hooks = {
      request: (request, log) => {
        const spoken = speaking([ASK])(request, log)
        return { ...spoken, logged: spoken.logged!.slice(0, -1) }
      },
    }
    assert.equal(verdictOf(attempt(BY_PEOPLE, [ASK], unlogged)), 'c11')
  })
})
