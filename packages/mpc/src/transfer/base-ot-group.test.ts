import assert from 'node:assert/strict'
import { test } from 'node:test'
import { p256 } from '@noble/curves/nist.js'
import fc from 'fast-check'
import { chooseBaseOts, answerBaseOts, openBaseOts } from './base-ot.ts'
import { decodePoint, nativeExponent, normalized, parseBaseOtPoint, pureExponent, randomPoint, toExponent } from './base-ot-group.ts'
import { scalarBytes } from '../group/group.ts'
import { ProtocolFault } from '../index.ts'
import { LAMBDA_C } from '../round/parameters.ts'
import { hash32, refusalOf, seededRandom } from '../testing/run-parties.ts'

const Curve = p256.Point
const ORDER = Curve.Fn.ORDER
const scalar = fc.oneof(fc.bigInt(1n, ORDER - 1n), fc.constantFrom(1n, 2n, 3n, ORDER - 1n, ORDER - 2n, ORDER >> 1n))
const hexOf = (encoded: Uint8Array) => Buffer.from(encoded).toString('hex')

test('the native exponent is what runs here, and the pure one gives the same points and the same shared coordinates', () => {
  assert.equal(toExponent, nativeExponent)
  fc.assert(
    fc.property(scalar, scalar, (secret, at) => {
      const [native, pure] = [nativeExponent, pureExponent].map((make) => make(scalarBytes(secret))) as [
        ReturnType<typeof toExponent>,
        ReturnType<typeof toExponent>,
      ]
      assert.ok(native.point.equals(pure.point))
      const point = Curve.BASE.multiplyUnsafe(at)
      assert.equal(hexOf(native.sharedX(point)), hexOf(pure.sharedX(point)))
      assert.equal(native.sharedX(point).length, 32)
    }),
    { numRuns: 15 },
  )
})

test('a shared coordinate that begins with a zero byte keeps its 32 bytes', () => {
  const secret = scalarBytes(5n)
  const at = Array.from({ length: 4000 }, (_, i) => i + 1).find((k) => nativeExponent(secret).sharedX(Curve.BASE.multiplyUnsafe(BigInt(k)))[0] === 0)!
  const point = Curve.BASE.multiplyUnsafe(BigInt(at))
  assert.equal(hexOf(nativeExponent(secret).sharedX(point)), hexOf(pureExponent(secret).sharedX(point)))
})

test('base OTs are byte for byte the same with native and with pure multiplication', () => {
  const [native, pure] = [nativeExponent, pureExponent].map((make) => {
    const chosen = chooseBaseOts(hash32('base'), seededRandom('choices')(LAMBDA_C / 8), seededRandom('receiver'), make)
    const sent = answerBaseOts(hash32('base'), chosen.message, 1, seededRandom('sender'), make)
    return [chosen.message, sent.answer, sent.keys, openBaseOts(hash32('base'), chosen, sent.answer, 2)].map(hexOf)
  })
  assert.deepEqual(native, pure)
})

test('zero and scalars not below the order are no exponents', () => {
  for (const bad of [0n, ORDER, ORDER + 1n]) for (const make of [nativeExponent, pureExponent]) assert.throws(() => make(scalarBytes(bad)))
})

test('drawn points lie on the curve and have both signs', () => {
  const random = seededRandom('points')
  const points = Array.from({ length: 40 }, () => randomPoint(random))
  for (const point of points) point.assertValidity()
  assert.equal(new Set(points.map((point) => point.toAffine().y & 1n)).size, 2)
  assert.equal(new Set(points.map((point) => point.toHex(true))).size, points.length)
})

test('whatever 33 bytes are decoded, OpenSSL and the curve library find the same point or none', () => {
  const prefix = fc.oneof(fc.constantFrom(2, 3), fc.nat(255))
  const field = fc.oneof(
    fc.bigInt(0n, (1n << 256n) - 1n),
    fc.bigInt(-9n, 9n).map((by) => Curve.Fp.ORDER + by),
    fc.nat(9).map(BigInt),
  )
  fc.assert(
    fc.property(prefix, field, (first, x) => {
      const encoded = Uint8Array.of(first, ...scalarBytes(x))
      const [native, pure] = [true, false].map((isNative) => decodePoint(encoded, isNative))
      assert.equal(native?.toHex(), pure?.toHex())
    }),
    { numRuns: 300 },
  )
})

test('points off the curve, infinity and other encodings are refused, and normalising changes no point', () => {
  const good = Curve.BASE.multiply(7n)
  assert.ok(parseBaseOtPoint(good.toBytes(true), 2, 'a point').equals(good))
  const compressed = good.toBytes(true)
  const offCurve = [0, 1, 2, 3, 4].map((x) => Uint8Array.of(2, ...scalarBytes(BigInt(x)))).filter((encoded) => !isOnCurve(encoded))
  assert.ok(offCurve.length > 0)
  const bad = [
    ...offCurve,
    Uint8Array.of(2, ...scalarBytes(Curve.Fp.ORDER + 5n)),
    new Uint8Array(33),
    Uint8Array.of(0),
    good.toBytes(false),
    compressed.subarray(0, 32),
    Uint8Array.of(4, ...compressed.subarray(1)),
  ]
  for (const encoded of bad) {
    const refusal = refusalOf(() => parseBaseOtPoint(encoded, 3, 'a point'))
    assert.ok(refusal instanceof ProtocolFault && refusal.peer === 3)
  }
  const sums = [good.double().add(good), good.negate().double()]
  normalized(sums).forEach((point, i) => assert.ok(point.equals(sums[i]!)))
})

/** Whether x^3 - 3 x + b is a square. */
function isOnCurve(encoded: Uint8Array): boolean {
  const { Fp } = Curve
  const x = BigInt(`0x${hexOf(encoded.subarray(1))}`)
  const { a, b } = Curve.CURVE()
  const right = Fp.create(x ** 3n + a * x + b)
  return Fp.pow(right, (Fp.ORDER - 1n) / 2n) === 1n
}
