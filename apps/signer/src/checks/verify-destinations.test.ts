import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { buildTransfer, codecFor } from '@holdfast/chain-evm/codec'
import type { Condition, NamedRule } from '@holdfast/policy'
import type { SignRequest } from '@holdfast/protocol'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import fc from 'fast-check'
import { dayLimit, namedRule, NOWHERE, personOf } from '../../../../packages/policy/src/testing/named-rules.ts'
import { CHAIN, COIN, NOW_MS, TOKEN } from '../testing/organisation-of.ts'
import { addressOf, draftOf, OTHER_ADDRESS, RECIPIENT_ADDRESS } from '../testing/order-of.ts'
import { acme, ann, attemptOf, ben, checkOf, cleo, type Hooks, key, ORDER_MAX, organisationWith } from '../testing/world-of.ts'
import type { Register } from '../state/register.ts'
import { verifySignRequest } from './verify.ts'

/** The secret of the test organisation's key, whose shares nobody has. */
const keySecret = sha256(new TextEncoder().encode('key'))
const strangersSecret = sha256(new TextEncoder().encode('stranger'))

const OWN_PATH = [1n, 3n]
const OWN = addressOf(key, OWN_PATH)
const own = { address: OWN, keyId: key.keyId, path: OWN_PATH }

type Places = Partial<Extract<Condition, { kind: 'destinations' }>>

const limits = [dayLimit({ amounts: [{ chain: CHAIN, asset: '', max: ORDER_MAX }] })]
const to = (given: Places): NamedRule['conditions'] => [{ kind: 'destinations', ...NOWHERE, addresses: [], ...given }]
const pass = (given: Places) =>
  namedRule('pass', { conditions: to(given), limits, action: { kind: 'pass', mayStop: [personOf(cleo.person)], expiresAfterMs: 0n } })
const one = (given: Places) => namedRule('one', { conditions: to(given), steps: [{ need: 1n, who: [personOf(ben.person)] }] })

/** What a signer says of a payment by one rule, which the person who asks has signed, and Ben if `approvers` says so. */
function verdictOf(rule: NamedRule, payee: string, hooks: Hooks = {}): string {
  const { request, view } = attemptOf({
    organisation: organisationWith({ rules: [rule] }),
    approvers: rule.action.kind === 'pass' ? [ann] : [ben],
    ...hooks,
    order: { asset: COIN, amount: ORDER_MAX, changes: { to: payee }, ...hooks.order },
  })
  return checkOf(() => verifySignRequest(request, view))
}

/** A payment of before, signed by the organisation's key at the beginning of its tree. */
function earlier({
  payee = RECIPIENT_ADDRESS,
  amount = 1n,
  secret = keySecret,
}: {
  payee?: string
  amount?: bigint
  secret?: Uint8Array
} = {}): SignRequest['paid'][number] {
  const from = addressOf(key, [])
  const { transaction } = draftOf({
    fingerprint: acme.fingerprint,
    policy: acme.policy,
    key,
    initiator: ann,
    asset: COIN,
    amount,
    changes: { from, to: payee },
  })
  const unsigned = buildTransfer(transaction)
  const codec = codecFor(CHAIN)!
  const signatures = codec.sighashes(unsigned).map((digest) => {
    const signature = secp256k1.sign(digest, secret, { prehash: false, format: 'recovered' })
    return { r: signature.slice(1, 33), s: signature.slice(33), recovery: signature[0]! }
  })
  return { address: payee, keyId: key.keyId, path: [], raw: codec.attach(unsigned, signatures).raw }
}

const list =
  (state: 'listed' | 'cooling', lists: string[] = [], memo: string | null = null) =>
  (register: Register) => {
    const id = new Uint8Array(16).fill(7)
    const name = Buffer.from(id).toString('hex')
    const usableAtMs = state === 'listed' ? NOW_MS : NOW_MS + 1
    register.book.entries.set(name, { id, name: 'Supplier', chains: [CHAIN], address: RECIPIENT_ADDRESS, memo, lists, sinceMs: NOW_MS - 1, usableAtMs })
    register.book.places.set(JSON.stringify([CHAIN, RECIPIENT_ADDRESS, memo]), name)
  }

describe('what a signer knows of a destination', () => {
  it('is its own whitelist: what is listed by its clock, and nothing that waits or bears another memo', () => {
    assert.equal(verdictOf(one({ listed: true }), RECIPIENT_ADDRESS, { register: list('listed') }), 'signed')
    assert.equal(verdictOf(one({ listed: true }), RECIPIENT_ADDRESS, { register: list('cooling') }), 'c5')
    assert.equal(verdictOf(one({ listed: true }), RECIPIENT_ADDRESS, { register: list('listed', [], 'A-1') }), 'c5')
    assert.equal(verdictOf(one({ listed: true }), OTHER_ADDRESS, { register: list('listed') }), 'c5')
    assert.equal(verdictOf(one({ listed: true }), RECIPIENT_ADDRESS), 'c5')
  })

  it('is on which of the lists an address stands', () => {
    assert.equal(verdictOf(one({ lists: ['Suppliers'] }), RECIPIENT_ADDRESS, { register: list('listed', ['Suppliers']) }), 'signed')
    assert.equal(verdictOf(one({ lists: ['Exchanges'] }), RECIPIENT_ADDRESS, { register: list('listed', ['Suppliers']) }), 'c5')
    assert.equal(verdictOf(one({ lists: ['Suppliers'] }), RECIPIENT_ADDRESS, { register: list('cooling', ['Suppliers']) }), 'c5')
  })

  it('is that an address is its own, where a key it holds leads there', () => {
    const says = (place: Partial<typeof own>) => ({ request: () => ({ own: [{ ...own, ...place }] }) })
    assert.equal(verdictOf(one({ own: true }), OWN, says({})), 'signed')
    assert.equal(verdictOf(one({ own: true }), OWN), 'c5', 'what the server does not say is not known')
    assert.equal(verdictOf(one({ own: true }), RECIPIENT_ADDRESS, says({ address: RECIPIENT_ADDRESS })), 'c5')
    assert.equal(verdictOf(one({ own: true }), OWN, says({ keyId: new Uint8Array(32) })), 'c5')
    assert.equal(verdictOf(one({ own: true }), OWN, says({ path: [1n, 4n] })), 'c5')
    const far = [1n, 2n ** 30n]
    const lost = addressOf(key, far)
    assert.equal(verdictOf(one({ own: true }), lost, says({ address: lost, path: far })), 'c5', 'nobody would find what is paid there')
    const retired = (register: Register) => void register.outOfUse.add(Buffer.from(key.keyId).toString('hex'))
    const other = (register: Register) => {
      register.keys.set('other', { ...register.keys.get(Buffer.from(key.keyId).toString('hex'))!, keyId: new Uint8Array(32).fill(1) })
    }
    assert.equal(verdictOf(one({ own: true }), OWN, { ...says({}), register: other }), 'signed')
    assert.notEqual(verdictOf(one({ own: true }), OWN, { ...says({}), register: retired }), 'signed')
  })

  it('is that it was paid before, where the signatures of its own key prove it', () => {
    const says = (paid: SignRequest['paid'][number]) => ({ request: () => ({ paid: [paid] }) })
    const rule = one({ paidBefore: true })
    assert.equal(verdictOf(rule, RECIPIENT_ADDRESS, says(earlier())), 'signed')
    assert.equal(verdictOf(rule, RECIPIENT_ADDRESS), 'c5')
    assert.equal(verdictOf(rule, RECIPIENT_ADDRESS, says(earlier({ secret: strangersSecret }))), 'c5', 'signed by somebody else')
    assert.equal(verdictOf(rule, RECIPIENT_ADDRESS, says({ ...earlier({ payee: OTHER_ADDRESS }), address: RECIPIENT_ADDRESS })), 'c5', 'paid somebody else')
    assert.equal(verdictOf(rule, RECIPIENT_ADDRESS, says({ ...earlier(), raw: Uint8Array.of(1) })), 'c5')
    assert.equal(verdictOf(rule, RECIPIENT_ADDRESS, says({ ...earlier(), path: [0n, 7n] })), 'c5')
  })

  it('is not what a server makes of any byte of a proof', () => {
    const proof = earlier()
    fc.assert(
      fc.property(fc.nat(proof.raw.length - 1), fc.nat(7), (at, bit) => {
        const raw = proof.raw.map((byte, i) => (i === at ? byte ^ (1 << bit) : byte))
        assert.equal(verdictOf(one({ paidBefore: true }), RECIPIENT_ADDRESS, { request: () => ({ paid: [{ ...proof, raw }] }) }), 'c5')
      }),
      { numRuns: 60 },
    )
  })
})

describe('a rule that passes payments by the signature of the person who asks', () => {
  const listed = { register: list('listed') }

  it('wants that signature, and no other in its place', () => {
    assert.equal(verdictOf(pass({ listed: true }), RECIPIENT_ADDRESS, listed), 'signed')
    assert.equal(verdictOf(pass({ listed: true }), RECIPIENT_ADDRESS, { ...listed, approvers: [] }), 'c5')
    assert.equal(verdictOf(pass({ listed: true }), RECIPIENT_ADDRESS, { ...listed, approvers: [ben, cleo] }), 'c5')
    assert.equal(verdictOf(pass({ listed: true }), RECIPIENT_ADDRESS, { ...listed, order: { initiator: ben } }), 'c5')
  })

  it('pays own and listed addresses, and nobody else', () => {
    const isOwn = { request: () => ({ own: [own] }) }
    assert.equal(verdictOf(pass({ own: true }), OWN, isOwn), 'signed')
    assert.equal(verdictOf(pass({ own: true }), RECIPIENT_ADDRESS, isOwn), 'c5')
    assert.equal(verdictOf(pass({ listed: true }), OTHER_ADDRESS, listed), 'c5')
    assert.equal(verdictOf(pass({ listed: true }), RECIPIENT_ADDRESS, { register: list('cooling') }), 'c5')
  })

  it('pays so much and no more, whatever the asker signs', () => {
    const spent = (register: Register) => {
      list('listed')(register)
      register.spends.set('earlier', { ruleId: 'pass', asset: `${CHAIN}|`, amount: 1n, atMs: NOW_MS - 1 })
    }
    assert.equal(verdictOf(pass({ listed: true }), RECIPIENT_ADDRESS, { register: spent }), 'c9')
    assert.equal(verdictOf(pass({ listed: true }), RECIPIENT_ADDRESS, { ...listed, order: { asset: TOKEN } }), 'c9')
  })

  it('is stopped by the no of whoever it names', () => {
    const no = { ...listed, approval: (member: typeof ann) => (member === cleo ? { decision: 'reject' as const } : {}) }
    assert.equal(verdictOf(pass({ listed: true }), RECIPIENT_ADDRESS, { ...no, approvers: [ann, cleo] }), 'c6')
  })
})
