import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { bool, bytes, decode, digest, encode, EncodingFault, fromHex, list, optional, type Shape, struct, text, toHex, uint, union } from './index.ts'

const inner = struct('test/inner/v1', { n: uint(256), name: text(64) })
const shape = struct('test/outer/v1', {
  id: bytes(4),
  blob: bytes(),
  label: text(200),
  amount: uint(256),
  flag: bool(),
  maybe: optional(uint()),
  items: list(inner, 10),
  choice: union({ one: struct('test/one/v1', { a: uint() }), two: struct('test/two/v1', { b: text() }) }),
})
const nfc = fc
  .string({ unit: 'grapheme', maxLength: 20 })
  .map((value) => value.normalize('NFC'))
  .filter((value) => value.isWellFormed() && new TextEncoder().encode(value).length <= 64)
const plain = { noNullPrototype: true }
const bytesOf = (minLength: number, maxLength: number) => fc.uint8Array({ minLength, maxLength })
const values = fc.record(
  {
    id: bytesOf(4, 4),
    blob: bytesOf(0, 40),
    label: nfc,
    amount: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
    flag: fc.boolean(),
    maybe: fc.option(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })),
    items: fc.array(fc.record({ n: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), name: nfc }, plain), { maxLength: 5 }),
    choice: fc.oneof(
      fc.record({ kind: fc.constant('one' as const), a: fc.bigInt({ min: 0n, max: 9n }) }, plain),
      fc.record({ kind: fc.constant('two' as const), b: nfc }, plain),
    ),
  },
  plain,
)

test('what is encoded decodes to the same value', () => {
  fc.assert(
    fc.property(values, (value) => {
      assert.deepEqual(decode(shape, encode(shape, value)), value)
    }),
    { numRuns: 2000 },
  )
})

test('different values have different bytes', () => {
  const seen = new Map<string, string>()
  const written = (value: unknown) =>
    JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}n` : each instanceof Uint8Array ? toHex(each) : each))
  fc.assert(
    fc.property(values, (value) => {
      const encoded = toHex(encode(shape, value))
      assert.equal(seen.get(encoded) ?? written(value), written(value))
      seen.set(encoded, written(value))
    }),
    { numRuns: 2000 },
  )
})

test('every byte string but the canonical one is refused', () => {
  fc.assert(
    fc.property(values, fc.nat(), fc.integer({ min: 1, max: 255 }), (value, place, flip) => {
      const encoded = encode(shape, value)
      const changed = encoded.slice()
      changed[place % changed.length]! ^= flip
      try {
        const decoded = decode(shape, changed)
        // A flip that decodes at all is another value, with exactly these bytes as its encoding.
        assert.deepEqual(encode(shape, decoded), changed)
      } catch (error) {
        assert.ok(error instanceof EncodingFault, String(error))
      }
    }),
    { numRuns: 5000 },
  )
})

test('cut, lengthened and random bytes are refused with an encoding error', () => {
  fc.assert(
    fc.property(values, fc.nat(), (value, cut) => {
      const encoded = encode(shape, value)
      assert.throws(() => decode(shape, encoded.slice(0, cut % encoded.length)), EncodingFault)
      assert.throws(() => decode(shape, Uint8Array.of(...encoded, 0)), EncodingFault)
    }),
    { numRuns: 500 },
  )
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (random) => {
      assert.throws(() => decode(shape, random), EncodingFault)
    }),
    { numRuns: 2000 },
  )
})

test('values that do not fit are refused', () => {
  const refuse = (each: Shape, value: unknown) => assert.throws(() => (encode as (shape: Shape, value: unknown) => Uint8Array)(each, value), EncodingFault)
  refuse(bytes(4), new Uint8Array(3))
  refuse(bytes(4), 'abcd')
  refuse(text(4), 'abcde')
  refuse(text(), 'e\u0301')
  refuse(text(), '\ud800')
  refuse(uint(8), 256n)
  refuse(uint(), -1n)
  refuse(uint(), 1)
  refuse(bool(), 1)
  refuse(list(uint(), 1), [1n, 2n])
  refuse(inner, { n: 1n })
  refuse(inner, { n: 1n, name: '', more: 1n })
  refuse(union({ one: inner }), { kind: 'toString' })
})

test('only what a record itself holds is encoded: not what it inherits or computes, and no list with holes', () => {
  const refuse = (each: Shape, value: unknown) => assert.throws(() => (encode as (shape: Shape, value: unknown) => Uint8Array)(each, value), EncodingFault)
  const whole = { n: 1n, name: 'x' }
  refuse(inner, Object.create(whole))
  refuse(inner, Object.assign(Object.create({ n: 1n }), { name: 'x' }))
  let read = 0n
  refuse(inner, Object.defineProperty({ name: 'x' }, 'n', { enumerable: true, get: () => read++ }))
  assert.equal(read, 0n)
  refuse(inner, { ...whole, ...{ n: undefined } })
  refuse(inner, { name: 'x', ['__proto__']: { n: 1n } })
  refuse(union({ one: inner }), Object.assign(Object.create({ kind: 'one' }), whole))
  refuse(union({ one: inner }), { kind: ['one'], ...whole })
  const holes: bigint[] = [1n]
  holes.length = 3
  refuse(list(uint(), 5), holes)
  assert.deepEqual(encode(inner, Object.assign(Object.create(null), whole)), encode(inner, whole))
})

test('integers with leading zeros and texts outside NFC are refused', () => {
  assert.throws(() => decode(uint(), fromHex('03000000020001')), EncodingFault)
  assert.throws(() => decode(text(), fromHex('020000000365cc81')), EncodingFault)
  assert.throws(() => decode(text(), fromHex('0200000001ff')), EncodingFault)
  assert.equal(decode(uint(), fromHex('0300000000')), 0n)
})

test('the tag separates the domains', () => {
  const other = struct('test/inner/v2', inner.fields)
  const value = { n: 1n, name: 'x' }
  assert.notDeepEqual(digest(inner, value), digest(other, value))
  assert.throws(() => decode(other, encode(inner, value)), EncodingFault)
})
