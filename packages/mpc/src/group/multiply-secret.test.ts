import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import { ORDER, reduce } from './group.ts'
import { BETA, blindedScalar, LAMBDA, multiplyGenerator, multiplyGeneratorPublic, multiplySecret, oddDigits, splitScalar } from './multiply-secret.ts'
import { addPoints, doublePoint, INFINITY, toPoint } from './point-arithmetic.ts'
import { seededRandom } from '../testing/run-parties.ts'

const Curve = secp256k1.Point
const scalar = fc.oneof(
  fc.bigInt(1n, ORDER - 1n),
  fc.constantFrom(1n, 2n, 15n, 16n, ORDER - 1n, ORDER - 2n, ORDER >> 1n, LAMBDA, ORDER - LAMBDA, 1n << 128n, (1n << 128n) - 1n),
)

test('the endomorphism constants are cube roots of one that fit each other', () => {
  assert.equal(LAMBDA ** 3n % ORDER, 1n)
  assert.equal(BETA ** 3n % Curve.Fp.ORDER, 1n)
  const { x, y } = Curve.BASE.toAffine()
  assert.deepEqual(Curve.BASE.multiply(LAMBDA).toAffine(), { x: Curve.Fp.mul(x, BETA), y })
})

test('a split scalar is the same scalar in two short parts', () => {
  fc.assert(
    fc.property(scalar, (k) => {
      const { first, second } = splitScalar(k)
      assert.equal(reduce(first + second * LAMBDA), k)
      for (const part of [first, second]) assert.ok((part < 0n ? -part : part) < 1n << 129n)
    }),
    { numRuns: 2000 },
  )
})

test('the digits of a half are all odd, whatever it is, so that no multiplication adds infinity', () => {
  const half = fc.oneof(fc.bigInt(-(1n << 129n) + 1n, (1n << 129n) - 1n), fc.constantFrom(0n, 1n, -1n, 2n, (1n << 129n) - 1n, -(1n << 129n) + 1n))
  fc.assert(
    fc.property(half, (value) => {
      const digits = oddDigits(value | 1n)
      assert.equal(digits.length, 34)
      assert.ok(digits.every((digit) => (digit & 1) === 1 && Math.abs(digit) < 16))
      assert.equal(
        digits.reduce((sum, digit, i) => sum + BigInt(digit) * 16n ** BigInt(i), 0n),
        value | 1n,
      )
    }),
    { numRuns: 2000 },
  )
})

test('no digit of a blinded scalar is the digit of the scalar more often than by chance, the upper ones least of all', () => {
  const draw = seededRandom('digits')
  const draws = 3000
  // By chance 12 of 3,000; more than 40 is less likely than 2^-32 for each.
  for (const fixed of [1n, ORDER - 1n, reduce(3n ** 200n), 1n << 255n]) {
    const hits = Array.from({ length: 32 }, () => 0)
    for (let i = 0; i < draws; i++) {
      const blinded = blindedScalar(fixed, draw)
      for (let at = 0; at < 32; at++) if (BigInt.asUintN(8, blinded >> BigInt(8 * at)) === BigInt.asUintN(8, fixed >> BigInt(8 * at))) hits[at]! += 1
    }
    assert.ok(Math.max(...hits) < 40, `${hits.join(' ')} of ${draws}`)
  }
})

test('multiplying by a secret gives what the library gives', () => {
  fc.assert(
    fc.property(scalar, scalar, (k, at) => {
      const point = Curve.BASE.multiply(at)
      assert.ok(multiplySecret(point, k, seededRandom(`${k}`)).equals(point.multiply(k)))
    }),
    { numRuns: 60 },
  )
})

test('the generator is multiplied as the library does, whatever the blinding', () => {
  const blinds = [seededRandom('blind'), (length: number) => new Uint8Array(length), (length: number) => new Uint8Array(length).fill(0xff)]
  fc.assert(
    fc.property(scalar, fc.constantFrom(...blinds), (k, blind) => {
      const expected = Curve.BASE.multiply(k)
      assert.ok(multiplyGenerator(k, blind).equals(expected))
      assert.ok(multiplyGeneratorPublic(k).equals(expected))
    }),
    { numRuns: 40 },
  )
  assert.ok(multiplyGeneratorPublic(0n).is0())
})

test('points are added and doubled as the library does, also infinity, equal and opposite points, in any coordinates', () => {
  const known = [INFINITY, Curve.ZERO, Curve.BASE, Curve.BASE.negate(), Curve.BASE.double(), Curve.BASE.multiply(LAMBDA)]
  const scaled = fc
    .tuple(
      fc.oneof(
        fc.constantFrom(...known),
        scalar.map((k) => Curve.BASE.multiply(k)),
      ),
      fc.bigInt(1n, Curve.Fp.ORDER - 1n),
    )
    .map(([{ X, Y, Z }, by]) => ({ X: Curve.Fp.mul(X, by), Y: Curve.Fp.mul(Y, by), Z: Curve.Fp.mul(Z, by) }))
  fc.assert(
    fc.property(scaled, scaled, (a, b) => {
      assert.ok(toPoint(addPoints(a, b)).equals(toPoint(a).add(toPoint(b))))
      assert.ok(toPoint(doublePoint(a)).equals(toPoint(a).double()))
      for (const { X, Y, Z } of [addPoints(a, b), doublePoint(a)]) assert.ok([X, Y, Z].every((each) => each >= 0n && each < Curve.Fp.ORDER))
    }),
    { numRuns: 300 },
  )
})

test('zero and scalars not below the order are refused', () => {
  for (const k of [0n, -1n, ORDER, ORDER + 1n]) {
    assert.throws(() => multiplySecret(Curve.BASE, k, seededRandom('blind')), RangeError)
    assert.throws(() => multiplyGenerator(k, seededRandom('blind')), RangeError)
  }
})
