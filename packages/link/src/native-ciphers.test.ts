import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chacha20poly1305 } from '@noble/ciphers/chacha.js'
import { x25519 } from '@noble/curves/ed25519.js'
import fc from 'fast-check'
import { openBytes, sealBytes } from './chacha20-poly1305.ts'
import { agreementKeyOf, agreeOn } from './x25519.ts'

const bytesOf = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
const attempt = (act: () => Uint8Array): Uint8Array | 'refused' => {
  try {
    return act()
  } catch {
    return 'refused'
  }
}

test('what is sealed is what the cipher library seals, and what it opens is opened, to the last changed bit', () => {
  const bound = fc.option(fc.uint8Array({ maxLength: 80 }), { nil: undefined })
  fc.assert(
    fc.property(bytesOf(32), bytesOf(12), fc.uint8Array({ maxLength: 600 }), bound, fc.nat(), fc.boolean(), (key, nonce, content, of, place, isChanged) => {
      const sealed = sealBytes(key, nonce, content, of)
      assert.deepEqual(sealed, chacha20poly1305(key, nonce, of).encrypt(content))
      if (isChanged) sealed[(place >> 3) % sealed.length]! ^= 1 << (place & 7)
      const opened = attempt(() => openBytes(key, nonce, sealed, of))
      assert.deepEqual(
        opened,
        attempt(() => chacha20poly1305(key, nonce, of).decrypt(sealed)),
      )
      assert.deepEqual(opened, isChanged ? 'refused' : content)
      assert.equal(
        attempt(() => openBytes(key, nonce, sealed, Uint8Array.of(...(of ?? []), 1))),
        'refused',
      )
    }),
  )
})

test('random and short bytes are refused, and so are keys and nonces of another length', () => {
  const [key, nonce] = [new Uint8Array(32).fill(1), new Uint8Array(12)]
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (random) =>
      assert.equal(
        attempt(() => openBytes(key, nonce, random)),
        'refused',
      ),
    ),
  )
  const lengths: [number, number][] = [
    [31, 12],
    [33, 12],
    [32, 11],
    [32, 13],
    [32, 8],
    [32, 24],
  ]
  for (const [ofKey, ofNonce] of lengths) {
    const given = [new Uint8Array(ofKey), new Uint8Array(ofNonce)] as const
    assert.throws(() => sealBytes(...given, key))
    assert.throws(() => openBytes(...given, sealBytes(key, nonce, key)))
  }
})

const P = 2n ** 255n - 19n
const littleEndian = (value: bigint): Uint8Array => Uint8Array.from({ length: 32 }, (_, i) => Number((value >> BigInt(8 * i)) & 255n))
/** The points of small order, in each form they have (RFC 7748 takes those not below the prime as well). */
const SMALL = [
  0n,
  1n,
  325606250916557431795983626356110631294008115727848805560023387167927233504n,
  39382357235489614581723060781553021112529911719440698176882885853963445705823n,
  P - 1n,
  P,
  P + 1n,
].map(littleEndian)

test('two agree on what the curve library agrees on, for any bytes that are given as a public key', () => {
  const odd = fc.oneof(
    bytesOf(32),
    fc.bigInt({ min: P - 40n, max: 2n ** 255n - 1n }).map(littleEndian),
    fc.bigInt({ min: 2n ** 255n, max: 2n ** 256n - 1n }).map(littleEndian),
    fc.constantFrom(...SMALL),
  )
  fc.assert(
    fc.property(bytesOf(32), odd, (secretKey, publicKey) => {
      assert.deepEqual(agreementKeyOf(secretKey), x25519.getPublicKey(secretKey))
      assert.deepEqual(
        attempt(() => agreeOn(secretKey, publicKey)),
        attempt(() => x25519.getSharedSecret(secretKey, publicKey)),
      )
    }),
    { numRuns: 200 },
  )
})

test('a public key of small order is refused, and so are keys of another length', () => {
  const secretKey = new Uint8Array(32).fill(7)
  for (const publicKey of SMALL) assert.throws(() => agreeOn(secretKey, publicKey))
  for (const length of [0, 31, 33]) {
    assert.throws(() => agreeOn(secretKey, new Uint8Array(length).fill(9)))
    assert.throws(() => agreeOn(new Uint8Array(length).fill(9), agreementKeyOf(secretKey)))
    assert.throws(() => agreementKeyOf(new Uint8Array(length)))
  }
})
