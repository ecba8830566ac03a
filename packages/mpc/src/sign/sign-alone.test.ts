import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import { test } from 'node:test'
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import {
  childSecret,
  derivePublicKey,
  FROST_ED25519,
  FROST_TAPROOT,
  PROTOCOL,
  PROTOCOLS,
  publicKeyOf,
  recoverSecret,
  signAlone,
  verifyByRootKey,
  verifyingKeyOf,
} from '../index.ts'
import { generateKey, hash32 } from '../testing/run-parties.ts'

const keys = PROTOCOLS.map((protocol) => {
  const shares = [...generateKey('alone', protocol).values()]
  return { protocol, share: shares[0]!, secret: recoverSecret([shares[0]!, shares[2]!]) }
})

test('a rebuilt key of every kind signs as itself, and its signature is taken for no other words', () => {
  for (const { protocol, share, secret } of keys) {
    assert.deepEqual(Buffer.from(publicKeyOf(protocol, secret)), Buffer.from(share.publicKey), protocol)
    const { signature } = signAlone(protocol, secret, hash32('words'))
    assert.ok(verifyByRootKey(protocol, signature, hash32('words'), share.publicKey), protocol)
    assert.ok(!verifyByRootKey(protocol, signature, hash32('other words'), share.publicKey), protocol)
    assert.deepEqual(signAlone(protocol, secret, hash32('words')).signature, signature, 'the same words have one signature')
  }
})

test('a child of a rebuilt key signs under the public key that its address was made of', () => {
  const path = fc.array(fc.nat(0x7fffffff), { maxLength: 4 })
  fc.assert(
    fc.property(path, fc.uint8Array({ minLength: 32, maxLength: 32 }), (indices, message) => {
      for (const { protocol, share, secret } of keys) {
        const child = childSecret(protocol, secret, share.chainCode, indices)
        const publicKey = derivePublicKey(protocol, share.publicKey, share.chainCode, indices)
        assert.deepEqual(Buffer.from(verifyingKeyOf(protocol, child)), Buffer.from(publicKey))
        const { signature, recovery } = signAlone(protocol, child, message)
        if (protocol === FROST_TAPROOT) assert.ok(schnorr.verify(signature, message, publicKey))
        if (protocol === FROST_ED25519) {
          const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey).toString('base64url') }, format: 'jwk' })
          assert.ok(verify(null, message, key, signature), 'OpenSSL takes it')
        }
        if (protocol !== PROTOCOL) continue
        const recovered = secp256k1.Signature.fromBytes(Uint8Array.of(recovery, ...signature), 'recovered').recoverPublicKey(message)
        assert.deepEqual(Buffer.from(recovered.toBytes(true)), Buffer.from(publicKey))
      }
    }),
    { numRuns: 25 },
  )
})

test('no secret outside the group and no digest of another length is signed with', () => {
  for (const { protocol } of keys) for (const secret of [0n, -1n, 1n << 256n]) assert.throws(() => signAlone(protocol, secret, hash32('x')), RangeError)
  assert.throws(() => signAlone(PROTOCOL, 5n, new Uint8Array(31)), RangeError)
  assert.throws(() => publicKeyOf(PROTOCOL, 0n), RangeError)
})
