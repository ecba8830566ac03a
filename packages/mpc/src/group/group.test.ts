import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import { CheckedPoint, ed25519Group } from './group-ed25519.ts'
import { bytesToInteger, ORDER, parsePoint, parseScalar, randomScalar, reduce, scalarBytes, wideScalar } from './group.ts'
import { ProtocolFault } from '../index.ts'
import { checkedRandom, hedgedRandom } from '../round/randomness.ts'
import { hash32, refusalOf } from '../testing/run-parties.ts'

const bigEndian = (value: bigint, length: number): Uint8Array => new Uint8Array(Buffer.from(value.toString(16).padStart(2 * length, '0'), 'hex'))

test('scalars are read back as written, and zero and the order and above are refused', () => {
  fc.assert(fc.property(fc.bigInt(1n, ORDER - 1n), (k) => assert.equal(parseScalar(scalarBytes(k), 2, 'a scalar'), k)))
  for (const bad of [0n, ORDER, ORDER + 1n, (1n << 256n) - 1n]) {
    const refusal = refusalOf(() => parseScalar(bigEndian(bad, 32), 2, 'a scalar'))
    assert.ok(refusal instanceof ProtocolFault && refusal.peer === 2)
  }
  for (const length of [0, 31, 33]) refusalOf(() => parseScalar(new Uint8Array(length).fill(1), 2, 'a scalar'))
})

test('points off the curve, infinity and other encodings are refused', () => {
  const good = secp256k1.Point.BASE.multiply(7n)
  assert.ok(parsePoint(good.toBytes(true), 2, 'a point').equals(good))
  const offCurve = new Uint8Array(33).fill(0)
  offCurve.set([2, ...bigEndian(5n, 32)])
  const beyondField = new Uint8Array([2, ...bigEndian(secp256k1.Point.Fp.ORDER + 1n, 32)])
  const bad = [
    offCurve,
    beyondField,
    new Uint8Array(33),
    Uint8Array.of(0),
    good.toBytes(false),
    good.toBytes(true).subarray(0, 32),
    new Uint8Array([4, ...good.toBytes(true).subarray(1)]),
    new Uint8Array([0, ...good.toBytes(true).subarray(1)]),
  ]
  for (const encoded of bad) {
    const refusal = refusalOf(() => parsePoint(encoded, 3, 'a point'))
    assert.ok(refusal instanceof ProtocolFault && refusal.peer === 3)
  }
})

test('points of edwards25519 at infinity or with a part of small order are refused', () => {
  const smallOrder = ed25519.Point.fromHex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a')
  const good = ed25519.Point.BASE.multiply(9n)
  ed25519Group.checkPoint(good.toBytes(), 2, 'a point')
  for (const point of [ed25519.Point.ZERO, smallOrder, good.add(smallOrder)]) {
    const refusal = refusalOf(() => ed25519Group.checkPoint(point.toBytes(), 2, 'a point'))
    assert.ok(refusal instanceof ProtocolFault && refusal.peer === 2)
  }
})

test('a point remembered is the point of its bytes, and one that was refused is refused again', () => {
  const smallOrder = ed25519.Point.fromHex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a')
  const good = Array.from({ length: 70 }, (_, i) => ed25519.Point.BASE.multiplyUnsafe(BigInt(i + 1)))
  const bad = [smallOrder.toBytes(), good[3]!.add(smallOrder).toBytes(), new Uint8Array(32).fill(0xff), new Uint8Array(31)]
  // Twice, and more points than are remembered.
  for (const _time of [1, 2]) {
    for (const point of good) assert.ok(CheckedPoint.fromBytes(point.toBytes()).equals(point))
    for (const encoded of bad) assert.throws(() => CheckedPoint.fromBytes(encoded))
  }
  const given = good[0]!.toBytes()
  const decoded = CheckedPoint.fromBytes(given)
  given.fill(0)
  assert.ok(decoded.equals(good[0]!) && CheckedPoint.fromBytes(good[0]!.toBytes()).equals(good[0]!))
})

test('a wide reduction is the remainder of all 48 bytes', () => {
  fc.assert(fc.property(fc.uint8Array({ minLength: 48, maxLength: 48 }), (uniform) => assert.equal(wideScalar(uniform), bytesToInteger(uniform) % ORDER)))
  assert.throws(() => wideScalar(new Uint8Array(32)), RangeError)
})

test('reduction gives 0..q-1 for negative values too', () => {
  fc.assert(
    fc.property(fc.bigInt(), (value) => {
      const reduced = reduce(value)
      assert.ok(reduced >= 0n && reduced < ORDER)
      assert.equal((value - reduced) % ORDER, 0n)
    }),
  )
})

test('a random source that gives too little, or only zeros, is refused', () => {
  refusalOf(() => checkedRandom((length) => new Uint8Array(length - 1))(32))
  refusalOf(() => checkedRandom((length) => new Uint8Array(length))(32))
  refusalOf(() => checkedRandom(() => undefined as never)(32))
  refusalOf(() => randomScalar((length) => new Uint8Array(length)))
})

test('a stuck random source still gives different nonces in different sessions and to different secrets', () => {
  const stuck = (length: number) => new Uint8Array(length).fill(7)
  const drawn = [
    ['s1', 'a'],
    ['s2', 'a'],
    ['s1', 'b'],
  ].map(([secret, session]) => Buffer.from(hedgedRandom(stuck, hash32(secret!), hash32(session!))(32)).toString('hex'))
  const draw = hedgedRandom(stuck, hash32('s1'), hash32('a'))
  drawn.push(...[draw(32), draw(32), draw(33).subarray(0, 32)].map((bytes) => Buffer.from(bytes).toString('hex')))
  assert.equal(new Set(drawn).size, drawn.length - 1, 'only the same secret, session and position may repeat')
})
