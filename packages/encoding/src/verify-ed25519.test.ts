import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import { test } from 'node:test'
import { ED25519_TORSION_SUBGROUP, ed25519 } from '@noble/curves/ed25519.js'
import fc from 'fast-check'
import { signWithTorsion } from './testing/torsion-signature.ts'
import { signEd25519 } from './sign-ed25519.ts'
import { pureEquation, verifyEd25519 } from './verify-ed25519.ts'

const secret = fc.uint8Array({ minLength: 32, maxLength: 32 })
const message = fc.uint8Array({ maxLength: 200 })
const fromHex = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'))

function openSslVerifies(signature: Uint8Array, signed: Uint8Array, publicKey: Uint8Array): boolean {
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey).toString('base64url') }, format: 'jwk' })
  return verify(null, signed, key, signature)
}

/** What a browser says of a key that may be one. */
function purelyVerifies(signature: Uint8Array, signed: Uint8Array, publicKey: Uint8Array): boolean {
  return pureEquation(publicKey)(signature, signed)
}

test('a signature that OpenSSL makes is the one that the curve library makes', () => {
  fc.assert(fc.property(secret, message, (key, signed) => assert.deepEqual(signEd25519(signed, key), ed25519.sign(signed, key))))
  assert.throws(() => signEd25519(Uint8Array.of(1), new Uint8Array(31)))
})

test('a browser and OpenSSL say the same of every signature, whatever it was made from', () => {
  fc.assert(
    fc.property(secret, message, fc.nat(7), fc.nat(511), fc.boolean(), (key, signed, inR, bit, isChanged) => {
      const { signature, publicKey } = signWithTorsion(key, signed, { inR })
      const given = Uint8Array.from(signature)
      if (isChanged) given[bit >> 3]! ^= 1 << (bit & 7)
      assert.equal(purelyVerifies(given, signed, publicKey), openSslVerifies(given, signed, publicKey))
    }),
    { numRuns: 200 },
  )
})

test('an honest signature verifies, and no other message, key or changed bit does', () => {
  fc.assert(
    fc.property(secret, message, fc.nat(511), (key, signed, bit) => {
      const publicKey = ed25519.getPublicKey(key)
      const signature = ed25519.sign(signed, key)
      assert.ok(verifyEd25519(signature, signed, publicKey))
      assert.ok(!verifyEd25519(signature, Uint8Array.of(...signed, 0), publicKey))
      assert.ok(!verifyEd25519(signature, signed, ed25519.getPublicKey(key.map((byte) => byte ^ 1))))
      const changed = Uint8Array.from(signature)
      changed[bit >> 3]! ^= 1 << (bit & 7)
      assert.equal(verifyEd25519(changed, signed, publicKey), openSslVerifies(changed, signed, publicKey))
      assert.ok(!verifyEd25519(changed, signed, publicKey))
    }),
    { numRuns: 30 },
  )
})

test('a signature whose nonce point or key has a part of small order is none, though verifiers with the cofactor take it', () => {
  fc.assert(
    fc.property(secret, message, fc.integer({ min: 1, max: 7 }), fc.boolean(), (key, signed, part, inKey) => {
      const made = signWithTorsion(key, signed, inKey ? { inKey: part } : { inR: part })
      assert.ok(ed25519.verify(made.signature, signed, made.publicKey, { zip215: false }), 'the attack is real')
      assert.ok(!verifyEd25519(made.signature, signed, made.publicKey))
      if (!inKey) assert.ok(!purelyVerifies(made.signature, signed, made.publicKey))
      const plain = signWithTorsion(key, signed, {})
      assert.ok(verifyEd25519(plain.signature, signed, plain.publicKey))
    }),
    { numRuns: 30 },
  )
})

test('what verifies here verifies in OpenSSL', () => {
  fc.assert(
    fc.property(secret, message, fc.nat(7), fc.nat(7), (key, signed, inR, inKey) => {
      const { signature, publicKey } = signWithTorsion(key, signed, { inR, inKey })
      if (verifyEd25519(signature, signed, publicKey)) assert.ok(openSslVerifies(signature, signed, publicKey))
      assert.equal(verifyEd25519(signature, signed, publicKey), inR === 0 && inKey === 0)
    }),
    { numRuns: 60 },
  )
})

test('keys and nonce points of small order, scalars of the order and above, other encodings and other lengths are refused', () => {
  const key = new Uint8Array(32).fill(7)
  const signed = new Uint8Array(3)
  const publicKey = ed25519.getPublicKey(key)
  const signature = ed25519.sign(signed, key)
  for (const small of ED25519_TORSION_SUBGROUP.map(fromHex)) {
    // S = 0 and a key of small order: a signature of everything, for whoever multiplies by the cofactor.
    assert.ok(!verifyEd25519(Uint8Array.of(...small, ...new Uint8Array(32)), signed, small))
  }
  const s = ed25519.Point.Fn.fromBytes(signature.slice(32)) + ed25519.Point.Fn.ORDER
  const above = fromHex(s.toString(16).padStart(64, '0')).reverse()
  assert.ok(!verifyEd25519(Uint8Array.of(...signature.slice(0, 32), ...above), signed, publicKey))
  // y >= p: the encoding of a point that has a shorter one.
  const unreduced = fromHex(`${'ee'}${'ff'.repeat(30)}7f`)
  assert.ok(!verifyEd25519(signature, signed, unreduced))
  assert.ok(!verifyEd25519(signature.slice(1), signed, publicKey))
  assert.ok(!verifyEd25519(signature, signed, publicKey.slice(1)))
  assert.ok(!verifyEd25519(new Uint8Array(0), signed, new Uint8Array(0)))
})
