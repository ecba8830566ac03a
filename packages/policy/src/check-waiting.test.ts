import { type Approval, approvalChallenge, type Assertion, deviceMessage, pushChallenge, waitingChallenge } from '@holdfast/intent'
import { p256 } from '@noble/curves/nist.js'
import { sha256 } from '@noble/hashes/sha2.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checkPush, checkWaiting } from './check-waiting.ts'
import type { Policy } from './policy.ts'

const NOW_MS = 1_700_000_000_000
const ORIGIN = 'https://approve.example'
const secret = sha256(Uint8Array.of(1))
const credential = { id: sha256(Uint8Array.of(2)), kind: 'device', publicKey: p256.getPublicKey(secret, true), backupEligible: false, label: '' }
const ann = { id: new Uint8Array(16).fill(1), name: 'Ann', credentials: [credential] }
const policy = { people: [ann], origins: [{ origin: ORIGIN, rpId: 'approve.example' }] } as unknown as Policy

const statement = { atMs: BigInt(NOW_MS), nonce: sha256(Uint8Array.of(3)) }
const signed = (challenge: Uint8Array, origin = ORIGIN, key = secret): Assertion => ({
  kind: 'device',
  credentialId: credential.id,
  origin,
  signature: p256.sign(deviceMessage(challenge, origin), key, { lowS: false }),
})
const refused = (code: string) => (cause: { refusal?: { code: string } }) => cause.refusal?.code === code

describe('the question what waits', () => {
  it('names whoever asks by the key that the policy gives them', () => {
    assert.equal(checkWaiting({ statement, assertion: signed(waitingChallenge(statement)) }, policy, NOW_MS).name, 'Ann')
  })

  it('is answered to no other key, from no other page and at no other time', () => {
    const assertion = signed(waitingChallenge(statement))
    const nobody = { ...policy, people: [] }
    assert.throws(() => checkWaiting({ statement, assertion }, nobody, NOW_MS), refused('waiting-strange-key'))
    for (const apartMs of [-300_001, 300_001]) {
      assert.throws(() => checkWaiting({ statement, assertion }, policy, NOW_MS + apartMs), refused('waiting-out-of-time'))
    }
    const elsewhere = signed(waitingChallenge(statement), 'https://evil.example')
    assert.throws(() => checkWaiting({ statement, assertion: elsewhere }, policy, NOW_MS), refused('assertion-other-origin'))
    const forged = signed(waitingChallenge(statement), ORIGIN, sha256(Uint8Array.of(9)))
    assert.throws(() => checkWaiting({ statement, assertion: forged }, policy, NOW_MS), refused('assertion-signature'))
    const other = { ...statement, nonce: new Uint8Array(32) }
    assert.throws(() => checkWaiting({ statement: other, assertion }, policy, NOW_MS), refused('assertion-signature'))
  })

  it('is never an approval, and an approval is never such a question', () => {
    const hash = sha256(Uint8Array.of(4))
    const approval: Omit<Approval, 'assertion'> = {
      genesis: hash,
      intentHash: hash,
      policyHash: hash,
      person: ann.id,
      decision: 'approve',
      locale: 'en-US',
      renderHash: hash,
      signedAtMs: statement.atMs,
    }
    assert.notDeepEqual(approvalChallenge(approval), waitingChallenge(statement))
    const assertion = signed(approvalChallenge(approval))
    assert.throws(() => checkWaiting({ statement, assertion }, policy, NOW_MS), refused('assertion-signature'))
  })
})

describe('the wish to be told on a device', () => {
  const wish = { ...statement, endpoint: 'https://push.example/1', on: true, serverKey: new Uint8Array(65).fill(4) }

  it('counts for the owner of the key, just now and as it was signed, and is never a question nor an approval', () => {
    const assertion = signed(pushChallenge(wish))
    assert.equal(checkPush({ statement: wish, assertion }, policy, NOW_MS).name, 'Ann')
    for (const apartMs of [-300_001, 300_001]) {
      assert.throws(() => checkPush({ statement: wish, assertion }, policy, NOW_MS + apartMs), refused('waiting-out-of-time'))
    }
    assert.throws(() => checkPush({ statement: wish, assertion }, { ...policy, people: [] }, NOW_MS), refused('waiting-strange-key'))
    for (const change of [{ on: false }, { endpoint: 'https://push.example/2' }, { serverKey: new Uint8Array(65) }, { atMs: wish.atMs + 1n }]) {
      assert.throws(() => checkPush({ statement: { ...wish, ...change }, assertion }, policy, NOW_MS), refused('assertion-signature'))
    }
    assert.throws(() => checkPush({ statement: wish, assertion: signed(waitingChallenge(statement)) }, policy, NOW_MS), refused('assertion-signature'))
    assert.throws(() => checkWaiting({ statement, assertion }, policy, NOW_MS), refused('assertion-signature'))
  })
})
