import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { test } from 'node:test'
import { concatBytes, fromHex } from '@holdfast/encoding'
import { signEd25519 } from '@holdfast/encoding/ed25519'
import { signWithTorsion } from '@holdfast/encoding/testing/torsion-signature'
import { ed25519 } from '@noble/curves/ed25519.js'
import { p256 } from '@noble/curves/nist.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import { algorithmOf, isPointOfP256, isSignedByKey, oneSpelling, rawSignature } from './machine-key.ts'
import { isSignedByMachine, machineMessage } from './machine-signature.ts'

const secret = new Uint8Array(32).fill(7)
const key = p256.getPublicKey(secret)
const edKey = ed25519.getPublicKey(secret)
const { Fn, Fp } = p256.Point
const message = new TextEncoder().encode('"@method": GET')
const good = p256.sign(message, secret, { format: 'compact' })
const scalar = (value: bigint) => fromHex(value.toString(16).padStart(64, '0'))
const integer = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
const twin = (signature: Uint8Array) => concatBytes(signature.slice(0, 32), scalar(Fn.ORDER - integer(signature.slice(32))))

test('what OpenSSL signs with a key of either algorithm holds by that key, over that message, and by no other', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.uint8Array({ maxLength: 200 }), (one, other) => {
      const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const { x = '', y = '' } = createPublicKey(pair.privateKey).export({ format: 'jwk' })
      const publicKey = Uint8Array.from([2 + (Buffer.from(y, 'base64url').at(-1)! & 1), ...Buffer.from(x, 'base64url')])
      const signature = new Uint8Array(sign('sha256', one, { key: pair.privateKey, dsaEncoding: 'ieee-p1363' }))
      assert.ok(isSignedByKey(signature, one, publicKey))
      assert.deepEqual(oneSpelling(rawSignature(new Uint8Array(sign('sha256', one, pair.privateKey)))).length, 64)
      assert.equal(isSignedByKey(signature, other, publicKey), Buffer.from(one).equals(other))
      assert.ok(!isSignedByKey(signature, one, key) && !isSignedByKey(signature, one, edKey))
      assert.ok(isSignedByKey(signEd25519(one, secret), one, edKey) && !isSignedByKey(signEd25519(one, secret), one, publicKey))
    }),
    { numRuns: 30 },
  )
})

test('a key says its algorithm by its own bytes, and one algorithm is never checked by the key of the other', () => {
  assert.deepEqual([algorithmOf(edKey), algorithmOf(key)], ['ed25519', 'ecdsa-p256-sha256'])
  // The x of a point of P-256 is not that key: as 32 bytes it is read as a key of Ed25519, and what the point signed is nothing under that.
  assert.ok(!isSignedByKey(good, message, key.slice(1)))
  const uncompressed = p256.getPublicKey(secret, false)
  const hybrid = Uint8Array.from([6 + (uncompressed[64]! & 1), ...uncompressed.slice(1)])
  const strange = [
    uncompressed,
    hybrid,
    new Uint8Array(33),
    Uint8Array.from([5, ...key.slice(1)]),
    Uint8Array.from([0, ...edKey]),
    new Uint8Array(),
    key.slice(0, 31),
  ]
  for (const other of strange) {
    assert.equal(algorithmOf(other), undefined)
    assert.ok(!isSignedByKey(good, message, other) && !isPointOfP256(other))
  }
})

test('a point that is not on the curve, or is of another curve, is no key and signs nothing', () => {
  const off = Array.from({ length: 64 }, (_, i) => Uint8Array.from([2, ...scalar(BigInt(i))])).filter((each) => !isPointOfP256(each))
  assert.ok(off.length > 16, 'half of all x have no point')
  for (const each of [...off, Uint8Array.from([2, ...scalar(Fp.ORDER)]), Uint8Array.from([3, ...scalar(Fp.ORDER + 5n)])])
    assert.ok(!isPointOfP256(each) && !isSignedByKey(good, message, each))
  const bitcoin = secp256k1.sign(message, secret, { format: 'compact' })
  assert.ok(!isSignedByKey(bitcoin, message, secp256k1.getPublicKey(secret)) && !isSignedByKey(bitcoin, message, key))
})

test('r and s are 64 bytes of numbers between 1 and the order, and nothing else is taken', () => {
  const der = p256.sign(message, secret, { format: 'der' })
  const [r, s] = [integer(good.slice(0, 32)), integer(good.slice(32))]
  const others = [
    der,
    new Uint8Array(64),
    new Uint8Array(),
    good.slice(0, 63),
    concatBytes(good, Uint8Array.of(0)),
    concatBytes(Uint8Array.of(0), good.slice(0, 32), Uint8Array.of(0), good.slice(32)),
    concatBytes(scalar(0n), good.slice(32)),
    concatBytes(good.slice(0, 32), scalar(0n)),
    concatBytes(scalar(Fn.ORDER), good.slice(32)),
    concatBytes(good.slice(0, 32), scalar(Fn.ORDER)),
    concatBytes(scalar(s), scalar(r)),
    new Uint8Array(64).fill(255),
  ]
  for (const other of others) assert.ok(!isSignedByKey(other, message, key))
  assert.deepEqual(rawSignature(der), good)
  for (const other of [good, der.slice(1), concatBytes(der, Uint8Array.of(0)), new Uint8Array()]) assert.throws(() => rawSignature(other), TypeError)
})

test('of an order a signature of P-256 has one spelling: whoever sees it cannot hand it in as another', () => {
  const statement = {
    genesis: new Uint8Array(32),
    intentHash: new Uint8Array(32),
    policyHash: new Uint8Array(32),
    machine: 'payouts',
    decision: 'ask',
    signedAtMs: 1n,
  }
  for (let fill = 1; fill < 20; fill++) {
    const by = new Uint8Array(32).fill(fill)
    const raw = p256.sign(machineMessage(statement), by, { lowS: false, format: 'compact' })
    const low = oneSpelling(raw)
    const high = twin(low)
    const publicKey = p256.getPublicKey(by)
    assert.deepEqual(oneSpelling(high), low)
    assert.ok(isSignedByKey(low, machineMessage(statement), publicKey) && isSignedByKey(high, machineMessage(statement), publicKey))
    assert.ok(isSignedByMachine({ ...statement, signature: low }, publicKey))
    assert.ok(!isSignedByMachine({ ...statement, signature: high }, publicKey))
    assert.ok(!isSignedByMachine({ ...statement, decision: 'approve', signature: low }, publicKey))
  }
})

test('a key of Ed25519 of small order, under which anything is signed by zeros, is none', () => {
  const identity = Uint8Array.from([1, ...new Uint8Array(31)])
  assert.ok(!isSignedByKey(concatBytes(identity, new Uint8Array(32)), message, identity))
  assert.ok(!isSignedByKey(new Uint8Array(64), message, new Uint8Array(32)))
  for (const parts of [{ inR: 1 }, { inKey: 4 }, { inR: 3, inKey: 5 }]) {
    const { signature, publicKey } = signWithTorsion(secret, message, parts)
    assert.ok(!isSignedByKey(signature, message, publicKey))
  }
})
