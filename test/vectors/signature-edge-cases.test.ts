import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyEd25519 } from '@holdfast/encoding/ed25519'
import { FROST_ED25519, FROST_TAPROOT, PROTOCOL, verifyByRootKey } from '@holdfast/mpc'
import { ed25519 } from '@noble/curves/ed25519.js'
import { p256 } from '@noble/curves/nist.js'
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import { bytes32, type Curve, counts, deviceSigned, ecdsaByOpenSsl, integer, joined, keyFor, passkeySigned, sha256 } from './judge-signature.ts'

// Signatures at the edges of their formats, each judged by OpenSSL as well, under keys that are made to fit.

/** DER of a sequence of two integers. */
function der(r: bigint, s: bigint): Uint8Array {
  const item = (value: bigint) => {
    const hex = value.toString(16)
    const digits = Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex')
    const content = digits[0]! & 0x80 ? joined(Uint8Array.of(0), digits) : digits
    return joined(Uint8Array.of(2, content.length), content)
  }
  const content = joined(item(r), item(s))
  return joined(Uint8Array.of(0x30, content.length), content)
}

/** x coordinates of points: small ones, those next to n, and those from n on, which are reduced. */
function nonceXs(curve: Curve): bigint[] {
  const { Fp, Fn } = curve.Point
  const near = [1n, Fn.ORDER - 12n, Fn.ORDER + 1n, Fp.ORDER - 12n].flatMap((from) => Array.from({ length: 12 }, (_, i) => from + BigInt(i)))
  return near.filter((x) => x < Fp.ORDER && x !== Fn.ORDER && keyFor(curve, x, 1n, deviceSigned) !== null)
}

test('a device key or a passkey counts with every value that ECDSA knows, and with none beside them', () => {
  const { Fp, Fn } = p256.Point
  const xs = nonceXs(p256)
  assert.ok(xs.some((x) => x > Fn.ORDER) && xs.some((x) => x < 20n))
  for (const x of xs) {
    for (const s of [1n, 2n, Fn.ORDER >> 1n, (Fn.ORDER >> 1n) + 1n, Fn.ORDER - 1n]) {
      const r = x % Fn.ORDER
      for (const [kind, message] of [
        ['device', deviceSigned],
        ['webauthn', passkeySigned],
      ] as const) {
        const key = keyFor(p256, x, s, message)!
        const [write, form] = kind === 'device' ? ([(a: bigint, b: bigint) => joined(bytes32(a), bytes32(b)), 'ieee-p1363'] as const) : ([der, 'der'] as const)
        assert.ok(ecdsaByOpenSsl(p256, key, message, write(r, s), form))
        assert.ok(counts(kind, key, write(r, s)), `${kind} x ${x} s ${s}`)
        const beside = [
          [r + Fn.ORDER, s],
          [r, s + Fn.ORDER],
          [x, s],
          [s, r],
          [0n, s],
          [r, 0n],
          [Fn.ORDER, s],
          [r, Fn.ORDER],
          [Fp.ORDER, s],
        ] as const
        for (const [a, b] of beside) {
          if (a >> 256n || b >> 256n || (a === r && b === s)) continue
          assert.ok(!counts(kind, key, write(a, b)), `${kind} ${a} ${b}`)
        }
      }
    }
  }
})

test('a passkey counts with the one DER encoding of its signature alone', () => {
  const { Fn } = p256.Point
  const key = keyFor(p256, 5n, Fn.ORDER - 3n, passkeySigned) ?? keyFor(p256, 6n, Fn.ORDER - 3n, passkeySigned)!
  const r = keyFor(p256, 5n, Fn.ORDER - 3n, passkeySigned) ? 5n : 6n
  const right = der(r, Fn.ORDER - 3n)
  assert.ok(counts('webauthn', key, right))
  const content = right.subarray(2)
  const [first, second] = [content.subarray(0, 3), content.subarray(3)]
  const wrong = {
    'long form of the length': joined(Uint8Array.of(0x30, 0x81, content.length), content),
    'indefinite length': joined(Uint8Array.of(0x30, 0x80), content, Uint8Array.of(0, 0)),
    'a byte behind it': joined(right, Uint8Array.of(0)),
    'a byte inside, behind the integers': joined(Uint8Array.of(0x30, content.length + 1), content, Uint8Array.of(0)),
    'a third integer': joined(Uint8Array.of(0x30, content.length + 3), content, Uint8Array.of(2, 1, 1)),
    'a zero before r': joined(Uint8Array.of(0x30, content.length + 1, 2, 2, 0), first.subarray(2), second),
    's without its zero, which makes it negative': joined(Uint8Array.of(0x30, content.length - 1), first, Uint8Array.of(2, 32), second.subarray(3)),
    'r without content': joined(Uint8Array.of(0x30, content.length - 1, 2, 0), second),
    'no second integer': joined(Uint8Array.of(0x30, 3), first),
    'a set in place of the sequence': joined(Uint8Array.of(0x31), right.subarray(1)),
    'a string in place of the integer': joined(Uint8Array.of(0x30, content.length, 4), content.subarray(1)),
    'r and s one after the other': joined(bytes32(r), bytes32(Fn.ORDER - 3n)),
    nothing: new Uint8Array(),
  }
  for (const [what, signature] of Object.entries(wrong)) assert.ok(!counts('webauthn', key, signature), what)
  fc.assert(
    fc.property(fc.nat(right.length - 1), fc.integer({ min: 1, max: 255 }), fc.constantFrom('change', 'insert', 'remove', 'cut'), (at, by, how) => {
      const middle = { change: [right[at]! ^ by, ...right.subarray(at + 1)], insert: [by, ...right.subarray(at)], remove: right.subarray(at + 1), cut: [] }[how]
      assert.ok(!counts('webauthn', key, Uint8Array.from([...right.subarray(0, at), ...middle])), `${how} at ${at} by ${by}`)
    }),
    { numRuns: 300 },
  )
})

test('ECDSA signatures of keys are verified with every nonce, low s alone, and no value out of range', () => {
  const { Fp, Fn } = secp256k1.Point
  const message = new TextEncoder().encode('what is signed')
  const takes = (key: Uint8Array, r: bigint, s: bigint) => verifyByRootKey(PROTOCOL, joined(bytes32(r), bytes32(s)), sha256(message), key)
  const half = Fn.ORDER >> 1n
  for (const x of nonceXs(secp256k1)) {
    for (const s of [1n, 2n, half, half + 1n, Fn.ORDER - 1n]) {
      const [r, key] = [x % Fn.ORDER, keyFor(secp256k1, x, s, message)!]
      assert.ok(ecdsaByOpenSsl(secp256k1, key, message, joined(bytes32(r), bytes32(s)), 'ieee-p1363'))
      assert.equal(takes(key, r, s), s <= half, `x ${x} s ${s}`)
      // The opposite s is a signature of the same, and the only other one.
      assert.equal(takes(key, r, Fn.ORDER - s), s > half)
      for (const [a, b] of [
        [r + Fn.ORDER, s],
        [x, s],
        [r, s + Fn.ORDER],
        [0n, s],
        [r, 0n],
        [Fn.ORDER, s],
        [r, Fn.ORDER],
        [Fp.ORDER, s],
      ] as const) {
        if (!(a >> 256n) && !(b >> 256n) && a !== r) assert.ok(!takes(key, a, b))
        if (!(b >> 256n) && b !== s) assert.ok(!takes(key, a >> 256n ? r : a, b))
      }
    }
  }
})

test('taproot signatures are verified with even nonces below p and s below n alone', () => {
  const message = sha256(Uint8Array.of(1))
  const { Fp, Fn } = secp256k1.Point
  const key = new Uint8Array(32).fill(9)
  const publicKey = secp256k1.getPublicKey(key, true)
  const right = schnorr.sign(message, key, new Uint8Array(32))
  const takes = (signature: Uint8Array) => verifyByRootKey(FROST_TAPROOT, signature, message, publicKey)
  assert.ok(takes(right))
  const [r, s] = [integer(right.subarray(0, 32)), integer(right.subarray(32))]
  const values = [0n, 1n, Fn.ORDER - 1n, Fn.ORDER, Fn.ORDER + 1n, Fp.ORDER - 1n, Fp.ORDER, Fp.ORDER + 1n, (1n << 256n) - 1n]
  for (const value of values) {
    assert.ok(!takes(joined(bytes32(r), bytes32(value))))
    for (const other of [s, ...values]) assert.ok(!takes(joined(bytes32(value), bytes32(other))))
  }
  assert.ok(!takes(joined(bytes32(r), bytes32(Fn.ORDER - s))))
  assert.ok(!takes(right.subarray(1)) && !takes(joined(right, Uint8Array.of(0))))
})

test('Ed25519 signatures have one form: s below the order, points canonical', () => {
  const order = ed25519.Point.Fn.ORDER
  const field = ed25519.Point.Fp.ORDER
  const little = (value: bigint) => bytes32(value).reverse()
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.uint8Array({ maxLength: 80 }), (secret, message) => {
      const publicKey = ed25519.getPublicKey(secret)
      const right = ed25519.sign(message, secret)
      const verifiers = [verifyEd25519, (...given: [Uint8Array, Uint8Array, Uint8Array]) => verifyByRootKey(FROST_ED25519, ...given)]
      const s = integer(right.slice(32).reverse())
      for (const takes of verifiers) {
        assert.ok(takes(right, message, publicKey))
        for (let multiple = s + order; multiple >> 256n === 0n; multiple += order)
          assert.ok(!takes(joined(right.subarray(0, 32), little(multiple)), message, publicKey))
        for (const value of [0n, 1n, order, order - s]) if (value !== s) assert.ok(!takes(joined(right.subarray(0, 32), little(value)), message, publicKey))
        // The points y = 0 to 18 have a second form, y + p, and the identity a third, with the sign of its x.
        for (let y = 0n; y < 19n; y++) {
          for (const sign of [0n, 1n << 255n]) {
            const second = little(field + y + sign)
            assert.ok(!takes(joined(second, right.subarray(32)), message, publicKey))
            assert.ok(!takes(joined(second, little(0n)), message, second))
            assert.ok(!takes(joined(little(y + sign), little(0n)), message, little(y + sign)))
          }
        }
      }
    }),
    { numRuns: 3 },
  )
})
