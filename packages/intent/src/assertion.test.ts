import assert from 'node:assert/strict'
import { createHash, createSign, generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { p256 } from '@noble/curves/nist.js'
import fc from 'fast-check'
import { type Assertion, counterOf, verifyAssertion } from './assertion.ts'
import { AssertionRefused } from './assertion-refused.ts'

// A passkey made by another library (OpenSSL), to check our reading of WebAuthn against.
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const jwk = publicKey.export({ format: 'jwk' }) as { x: string; y: string }
const y = Buffer.from(jwk.y, 'base64url')
const credential = {
  id: new Uint8Array(16).fill(3),
  kind: 'webauthn',
  backupEligible: false,
  label: 'key',
  publicKey: Uint8Array.from([2 + (y[31]! & 1), ...Buffer.from(jwk.x, 'base64url')]),
}
const origins = [{ origin: 'https://approve.example', rpId: 'approve.example' }]
const challenge = new Uint8Array(32).fill(4)

type Changes = { type?: string; challenge?: Uint8Array; origin?: string; rpId?: string; flags?: number; crossOrigin?: unknown; counter?: number }
/** `more`: members of the client data. `json`: what is made of its text. `tail`: bytes behind the authenticator data. */
type Odd = { more?: Record<string, unknown>; json?: (text: string) => string; tail?: number[] }

function passkeyAssertion(changes: Changes & Odd = {}): Assertion {
  const { type = 'webauthn.get', origin = 'https://approve.example', json = (text) => text, more = {} } = changes
  const { crossOrigin = false, counter = 1 } = changes
  const signed = Buffer.from(changes.challenge ?? challenge).toString('base64url')
  const clientDataJson = Buffer.from(json(JSON.stringify({ type, challenge: signed, origin, crossOrigin, ...more })))
  const sha256 = (value: Uint8Array | string) => createHash('sha256').update(value).digest()
  const authenticatorData = Buffer.concat([
    sha256(changes.rpId ?? 'approve.example'),
    Buffer.from([changes.flags ?? 0x05, 0, 0, 0, counter, ...(changes.tail ?? [])]),
  ])
  const signature = createSign('sha256').update(authenticatorData).update(sha256(clientDataJson)).sign(privateKey)
  const plain = (value: Buffer) => new Uint8Array(value)
  return {
    kind: 'webauthn',
    credentialId: credential.id,
    authenticatorData: plain(authenticatorData),
    clientDataJson: plain(clientDataJson),
    signature: plain(signature),
  }
}

test('a passkey assertion counts with the exact challenge, origin, relying party, presence and verification', () => {
  const check = (assertion: Assertion) => verifyAssertion({ assertion, credential, challenge, origins })
  for (let i = 0; i < 20; i++) check(passkeyAssertion())
  const wrong = [
    { type: 'webauthn.create' },
    { challenge: new Uint8Array(32) },
    { origin: 'https://console.example' },
    { origin: 'https://approve.example.evil' },
    { rpId: 'example' },
    { flags: 0x04 },
    { flags: 0x01 },
    { flags: 0x0d },
    { crossOrigin: true },
    { crossOrigin: 'true' },
    { crossOrigin: 0 },
    { crossOrigin: null },
    { more: { topOrigin: 'https://evil.example' } },
    { more: { topOrigin: null } },
    { more: { challenge: ['x'] } },
    { flags: 0x05 | 0x10 },
    { flags: 0x05 | 0x02 },
    { flags: 0x05 | 0x20 },
    { flags: 0x05 | 0x40 },
    { flags: 0x05 | 0x40, tail: Array<number>(40).fill(7) },
    { flags: 0x05 | 0x80 },
    { flags: 0x05 | 0x80, tail: [0xa0] },
    { tail: [0] },
  ]
  for (const change of wrong) assert.throws(() => check(passkeyAssertion(change)), AssertionRefused, JSON.stringify(change))
})

test('an assertion with any byte changed is refused', () => {
  const good = passkeyAssertion() as Extract<Assertion, { kind: 'webauthn' }>
  fc.assert(
    fc.property(
      fc.constantFrom('credentialId' as const, 'authenticatorData' as const, 'clientDataJson' as const, 'signature' as const),
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      (field, place, flip) => {
        const changed = { ...good, [field]: good[field].slice() }
        changed[field][place % changed[field].length]! ^= flip
        assert.throws(() => verifyAssertion({ assertion: changed, credential, challenge, origins }), AssertionRefused)
      },
    ),
    { numRuns: 300 },
  )
})

test('client data may have members that a browser adds, and has each member once, in plain JSON', () => {
  const check = (changes: Odd) => verifyAssertion({ assertion: passkeyAssertion(changes), credential, challenge, origins })
  // What Chromium adds at random, how older Android writes it, and what it said of itself.
  check({ more: { other_keys_can_be_added_here: 'do not compare clientDataJSON against a template. See https://goo.gl/yabPex' } })
  check({ json: (text) => text.replaceAll('/', '\\/'), more: { androidPackageName: 'com.android.chrome' } })
  const odd: ((text: string) => string)[] = [
    (text) => text.replace('{', '{"origin":"https://evil.example",'),
    (text) => text.replace('{', '{"crossOrigin":true,'),
    (text) => text.replace('{', '{"topOrigin":"https://evil.example",').replace('topOrigin', 'top\\u004frigin'),
    (text) => text.replace('{', '{"cross\\u004frigin" : true,'),
    (text) => `\u{feff}${text}`,
    (text) => `[${text}]`,
    (text) => `${text}{}`,
    () => 'null',
    () => '',
  ]
  for (const json of odd) assert.throws(() => check({ json }), AssertionRefused, json('{"a":1}'))
})

test('whatever bytes stand in place of authenticator data and client data, the answer is a refusal or exactly what was read', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), fc.oneof(fc.string(), fc.json()), (data, json) => {
      const assertion = { kind: 'webauthn', credentialId: credential.id, authenticatorData: data, signature: new Uint8Array(70) } as const
      const clientDataJson = new TextEncoder().encode(json)
      assert.throws(() => verifyAssertion({ assertion: { ...assertion, clientDataJson }, credential, challenge, origins }), AssertionRefused)
    }),
    { numRuns: 500 },
  )
})

test('the counter of a passkey is read whole, and what does not count has none', () => {
  assert.equal(counterOf(passkeyAssertion({ counter: 201 })), 201)
  assert.equal(counterOf(passkeyAssertion({ counter: 0 })), 0)
  const high = passkeyAssertion() as Extract<Assertion, { kind: 'webauthn' }>
  high.authenticatorData.set([0xff, 0, 0, 1], 33)
  assert.equal(counterOf(high), 0xff000001)
  assert.equal(counterOf({ kind: 'device', credentialId: credential.id, origin: 'https://approve.example', signature: new Uint8Array(64) }), 0)
})

test('both values of s that fit a signature are taken: authenticators give either', () => {
  const low = passkeyAssertion() as Extract<Assertion, { kind: 'webauthn' }>
  const { r, s } = p256.Signature.fromBytes(low.signature, 'der')
  const other = new p256.Signature(r, p256.Point.Fn.ORDER - s).toBytes('der')
  for (const signature of [low.signature, other]) verifyAssertion({ assertion: { ...low, signature }, credential, challenge, origins })
})
