import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { toHex } from '@holdfast/encoding'
import type { DelegationStatement } from '@holdfast/intent'
import type { Word } from '@holdfast/protocol'
import { ed25519 } from '@noble/curves/ed25519.js'
import { personOf } from '../../../../../packages/policy/src/testing/named-rules.ts'
import { DAY_MS, NOW_MS, organisationOf } from '../../testing/organisation-of.ts'
import { approve, approveFor, type ApprovalOptions, delegate, makeMember, type Member } from '../../testing/people.ts'
import { acme, ann, type Attempt, attemptOf, ben, checkOf, cleo, type Hooks, outsider, signSecrets } from '../../testing/world-of.ts'
import { applyEvent } from '../../state/register.ts'
import type { Refused } from '../refused.ts'
import { checkStillGood, verifySignRequest } from '../verify.ts'
import { checkTogether } from '../words.ts'

const [dora, eve] = ['Dora', 'Eve'].map(makeMember) as [Member, Member]
const organisation = organisationOf({
  members: [ann, ben, cleo, dora, eve],
  signKeys: signSecrets.map((secret) => ed25519.getPublicKey(secret)),
  policy: { rules: acme.policy.rules, deputies: [dora, eve, ben, ann].map(({ person }) => personOf(person)) },
})
const { policy, fingerprint } = organisation

type Given = {
  by?: Member
  away?: Member
  statement?: Partial<DelegationStatement>
  options?: ApprovalOptions
  beside?: Member[]
  key?: Member['keys'][number]
}

/** Ben and, for Cleo, Dora: what an honest server brings where Cleo is away, but for what a test wants. */
function attempt({ by = dora, away = cleo, statement, options, beside = [ben], key }: Given = {}, hooks: Hooks = {}): Attempt {
  const named = delegate(away, by, fingerprint, { nowMs: NOW_MS, ...(key && { key }), ...statement })
  const approved: Hooks['approved'] = (_, { intent }) => [
    ...beside.map((each) => approve(each, intent, policy)),
    approveFor(by, away, named, intent, policy, options),
  ]
  return attemptOf({ organisation, approved, ...hooks })
}

const verdictOf = ({ request, view }: Attempt) => checkOf(() => verifySignRequest(request, view))
const NOTHING = { spends: [], older: 0n, olderCount: 0n }
/** By which check it is refused, and for what. */
const because = ({ request, view }: Attempt, check: string, why: RegExp, message?: string) =>
  assert.throws(
    () => verifySignRequest(request, view),
    (cause: Refused) => cause.check === check && why.test(cause.message),
    message,
  )
const heard = (sequence: bigint, person = cleo): Hooks => ({
  register: (register) => applyEvent(register, { kind: 'delegationEnded', person: person.person.id, sequence }, NOW_MS, 1),
})

describe('a vote for somebody who is away, by a signer', () => {
  it('leads to a signature where it takes her seat, and where it does not there is one missing', () => {
    assert.equal(verdictOf(attempt()), 'signed')
    assert.equal(verdictOf(attempt({ beside: [] })), 'c5')
    assert.equal(verdictOf(attemptOf({ organisation, approvers: [ben, dora] })), 'c5', 'her delegate has no seat of his own')
  })

  it('c5: counts by no statement that is forged, of another organisation, by a lost key, or to somebody who may not stand in', () => {
    because(attempt({ key: ben.keys[0] }), 'c5', /not one of Cleo's/)
    because(attempt({ key: makeMember('Cleo of before').keys[0] }), 'c5', /not one of Cleo's/, 'a lost key, which the policy names no more')
    because(attempt({ statement: { genesis: acme.fingerprint } }), 'c5', /another organisation/)
    because(attempt({ away: outsider }), 'c5', /made by somebody who is not in the policy/)
    because(attempt({ by: outsider }), 'c5', /names somebody who is not in the policy/)
    because(attempt({ by: cleo, away: ben, beside: [] }), 'c5', /Cleo is not among those who may stand in/)
    because(attempt({ statement: { delegate: ben.person.id } }), 'c5', /whom the statement does not name/)
    because(attempt({ statement: { untilMs: 0n } }), 'c5', /only ends/)
    const { deputies: _, ...former } = policy as typeof policy & { deputies: unknown }
    const before = organisationOf({
      members: organisation.members,
      signKeys: organisation.genesis.signers.map(({ signKey }) => signKey),
      policy: { rules: former.rules },
    })
    const named = delegate(cleo, dora, before.fingerprint, { nowMs: NOW_MS })
    const approved: Hooks['approved'] = (_, { intent }) => [approve(ben, intent, before.policy), approveFor(dora, cleo, named, intent, before.policy)]
    because(attemptOf({ organisation: before, approved }), 'c5', /Dora is not among those who may stand in/, 'by a policy of a former form')
  })

  it('c5: counts for nobody where one of the two asked, and no human and no seat counts twice', () => {
    because(attempt({ by: ann }), 'c5', /one of the two asked/, 'the delegate asked')
    because(attempt({ away: ann }), 'c5', /one of the two asked/, 'who named the delegate asked')
    because(attempt({ by: ben }), 'c5', /^1 approval.s. missing/, 'Ben for himself and for Cleo')
    because(attempt({ beside: [cleo] }), 'c5', /^1 approval.s. missing/, 'Cleo herself and by her delegate')
    const both: Hooks['approved'] = (_, { intent }) =>
      [ben, cleo].map((away) => approveFor(dora, away, delegate(away, dora, fingerprint, { nowMs: NOW_MS }), intent, policy))
    because(attemptOf({ organisation, approved: both }), 'c5', /^1 approval.s. missing/, 'Dora for two')
    const chained: Hooks['approved'] = (_, { intent }) => [
      approve(ben, intent, policy),
      { ...approveFor(dora, cleo, delegate(cleo, ben, fingerprint, { nowMs: NOW_MS }), intent, policy) },
    ]
    because(attemptOf({ organisation, approved: chained }), 'c5', /whom the statement does not name/, 'a second hop')
  })

  it('c5: counts in the time that was signed, by the signer’s own clock too, and again at the signature', () => {
    because(attempt({ statement: { fromMs: BigInt(NOW_MS + 1) } }), 'c5', /did not say so/, 'too early')
    because(attempt({ statement: { untilMs: BigInt(NOW_MS - 60_000) } }), 'c5', /did not say so/, 'expired')
    because(attempt({ statement: { untilMs: BigInt(NOW_MS) } }), 'c5', /has passed/, 'dated back')
    because(attempt({ statement: { untilMs: BigInt(NOW_MS + 31 * DAY_MS) } }), 'c5', /more than 30 days/, 'too long')
    const { request, view } = attempt({ statement: { untilMs: BigInt(NOW_MS + 1000) } })
    const order = verifySignRequest(request, view)
    checkStillGood(order, 2, { ...view, nowMs: NOW_MS + 999 })
    assert.equal(
      checkOf(() => checkStillGood(order, 2, { ...view, nowMs: NOW_MS + 1000 })),
      'c5',
    )
  })

  it('c5: counts by a passkey of the delegate whose counter went on', () => {
    const options = { key: dora.keys[1], twist: { counter: 5 } }
    const counted = verifySignRequest(attempt({ options }).request, attempt({ options }).view).counted
    assert.deepEqual(
      counted.map(({ kind }) => kind),
      ['counted', 'delegationEnded'],
    )
    const seen = (counter: bigint, challenge = new Uint8Array(32)): Hooks => ({
      register: (register) => {
        const credentialId = dora.keys[1].credential.id
        applyEvent(register, { kind: 'counted', credentialId, counter, signedAtMs: BigInt(NOW_MS - 59_000), challenge }, NOW_MS, 1)
      },
    })
    because(attempt({ options }, seen(5n)), 'c5', /counter of this passkey/)
    assert.equal(verdictOf(attempt({ options }, seen(4n))), 'signed')
  })

  it('c11: counts with its own bytes in the log, and serves for its order alone', () => {
    const left: Hooks['request'] = (request) => ({ logged: request.logged.slice(0, -1) })
    assert.equal(verdictOf(attempt({}, { request: left })), 'c11')
    const other = attempt({ statement: { nonce: new Uint8Array(32).fill(9) } }).request.approvals.at(-1)!
    const swapped: Hooks['request'] = (request) => ({ approvals: [...request.approvals.slice(0, -1), other] })
    assert.equal(verdictOf(attempt({}, { request: swapped })), 'c11', 'another word than the log has')
    const replayed = attempt({}, { proposed: () => ({ amount: 7n }) }).request.approvals.at(-1)!
    assert.equal(verdictOf(attempt({}, { request: (request) => ({ approvals: [...request.approvals.slice(0, -1), replayed] }) })), 'c5')
  })

  it('c6: counts no more where she has ended it, by this signer, by another one’s word, or by what stands beside it', () => {
    assert.equal(verdictOf(attempt({}, heard(1n))), 'signed', 'what was heard is this statement')
    assert.equal(verdictOf(attempt({}, heard(2n))), 'c6')
    assert.equal(verdictOf(attempt({}, heard(2n, ben))), 'signed', 'of somebody else')
    const { request, view } = attempt()
    const order = verifySignRequest(request, view)
    const word = (person: Member, sequence: bigint) =>
      ({ voted: [], ended: [{ person: person.person.id, sequence }], binding: null, counted: [NOTHING] }) as unknown as Word
    const told = (by: Member, sequence: bigint) => checkOf(() => checkTogether(order, [word(by, sequence)], view))
    assert.deepEqual([told(cleo, 2n), told(cleo, 1n), told(ben, 2n)], ['c6', 'signed', 'signed'])
    applyEvent(view.register, { kind: 'delegationEnded', person: cleo.person.id, sequence: 2n }, NOW_MS, 1)
    assert.equal(
      checkOf(() => checkStillGood(order, 2, view)),
      'c6',
      'ended between join and signature',
    )
    const twice: Hooks['approved'] = (_, { intent }) => [
      approve(ben, intent, policy),
      approveFor(dora, cleo, delegate(cleo, dora, fingerprint, { nowMs: NOW_MS }), intent, policy),
      approveFor(eve, cleo, delegate(cleo, eve, fingerprint, { nowMs: NOW_MS, sequence: 2n }), intent, policy),
    ]
    assert.equal(verdictOf(attemptOf({ organisation, approved: twice })), 'c6')
  })

  it('teaches a signer the newest statement of whoever is away', () => {
    const { request, view } = attempt({ statement: { sequence: 4n } })
    const { counted } = verifySignRequest(request, view)
    assert.deepEqual(counted, [{ kind: 'delegationEnded', person: cleo.person.id, sequence: 4n }])
    for (const event of counted) applyEvent(view.register, event, NOW_MS, 1)
    assert.equal(view.register.ended.get(toHex(cleo.person.id)), 4n)
    applyEvent(view.register, { kind: 'delegationEnded', person: cleo.person.id, sequence: 3n }, NOW_MS, 1)
    assert.equal(view.register.ended.get(toHex(cleo.person.id)), 4n, 'no lower one counts after it')
  })
})
