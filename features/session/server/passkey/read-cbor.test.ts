import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Cbor, CborFault, readCbor } from './read-cbor.ts'
import { isSoundKey } from './sound-passkey.ts'
import { cbor } from '../testing/test-authenticator.ts'

const leaf = fc.oneof(fc.integer({ min: -70_000, max: 70_000 }), fc.string({ maxLength: 300 }), fc.uint8Array({ maxLength: 300 }))
const item: fc.Arbitrary<Cbor> = fc.oneof(
  leaf,
  fc
    .uniqueArray(fc.tuple(fc.oneof(fc.integer(), fc.string()), leaf), { selector: ([name]) => name, maxLength: 5 })
    .map((entries) => new Map<number | string, Cbor>(entries)),
)

test('an item is read as it was written, and neither a part of it nor more than it is read', () => {
  fc.assert(
    fc.property(item, fc.nat(), fc.uint8Array({ minLength: 1, maxLength: 4 }), (value, cut, more) => {
      const bytes = new Uint8Array(cbor(value as never))
      assert.deepEqual(readCbor(bytes), value)
      assert.throws(() => readCbor(bytes.subarray(0, cut % bytes.length)), CborFault)
      assert.throws(() => readCbor(Buffer.concat([bytes, more])), CborFault)
    }),
    { numRuns: 500 },
  )
})

test('whatever bytes there are, they are read or refused', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
      try {
        readCbor(bytes)
      } catch (cause) {
        assert.ok(cause instanceof CborFault, String(cause))
      }
      isSoundKey(bytes)
    }),
    { numRuns: 3000 },
  )
  // Nested deeper than a stack, longer than memory, and the same name twice.
  for (const hex of [
    '81'.repeat(5000),
    '9affffffff',
    'baffffffff',
    '5affffffff',
    'a201020102',
    'a1f600',
    '1817',
    '190001',
    'c100',
    'fb3ff0000000000000',
    '5f',
    '62c328',
    '',
  ])
    assert.throws(() => readCbor(new Uint8Array(Buffer.from(hex, 'hex'))), CborFault, hex)
})

test('keys of the three kinds that authenticators make are sound, and what only looks like one is not', () => {
  const part = (jwk: unknown, name: string) => new Uint8Array(Buffer.from((jwk as Record<string, string>)[name]!, 'base64url'))
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' })
  const ed = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'jwk' })
  const weak = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' })
  const isSound = (...entries: [number, Cbor][]) => isSoundKey(new Uint8Array(cbor(new Map(entries) as never)))
  const [x, y] = [part(ec, 'x'), part(ec, 'y')]
  assert.ok(isSound([1, 2], [3, -7], [-1, 1], [-2, x], [-3, y]))
  assert.ok(isSound([1, 1], [3, -8], [-1, 6], [-2, part(ed, 'x')]))
  assert.ok(isSound([1, 3], [3, -257], [-1, part(rsa, 'n')], [-2, part(rsa, 'e')]))
  assert.ok(!isSound([1, 2], [3, -7], [-1, 2], [-2, x], [-3, y]), 'another curve')
  assert.ok(!isSound([1, 2], [3, -257], [-1, 1], [-2, x], [-3, y]), 'another algorithm')
  assert.ok(!isSound([1, 2], [3, -7], [-1, 1], [-2, y], [-3, x]), 'beside the curve')
  for (const point of [`01${'00'.repeat(31)}`, `ec${'ff'.repeat(30)}7f`, '00'.repeat(32)])
    assert.ok(!isSound([1, 1], [3, -8], [-1, 6], [-2, new Uint8Array(Buffer.from(point, 'hex'))]), 'a point that verifies what nobody signed')
  assert.ok(!isSound([1, 3], [3, -257], [-1, part(weak, 'n')], [-2, part(weak, 'e')]), 'a modulus that can be factored')
  assert.ok(!isSound([1, 3], [3, -257], [-1, part(rsa, 'n')], [-2, Uint8Array.of(1)]), 'an exponent that signs nothing')
})
