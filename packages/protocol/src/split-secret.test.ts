import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { combineParts, splitSecret } from './split-secret.ts'

const randomFrom = (seed: string) => {
  let counter = 0
  return (length: number) => new Uint8Array(createHash('shake256', { outputLength: length }).update(`${seed}/${counter++}`).digest())
}
const cases = fc
  .record({
    count: fc.integer({ min: 1, max: 16 }),
    secret: fc.uint8Array({ minLength: 1, maxLength: 90 }),
    seed: fc.string(),
    order: fc.infiniteStream(fc.nat()),
  })
  .chain((given) => fc.integer({ min: 1, max: given.count }).map((threshold) => ({ ...given, threshold })))

test('any threshold of the parts give the secret again, and every other part with it', () => {
  fc.assert(
    fc.property(cases, ({ count, threshold, secret, seed, order }) => {
      const parts = splitSecret(secret, threshold, count, randomFrom(seed))
      assert.equal(parts.length, count)
      const ranks = parts.map((part) => ({ part, rank: order.next().value as number }))
      const chosen = ranks.sort((a, b) => a.rank - b.rank).slice(0, threshold)
      const given = chosen.map((each) => each.part)
      assert.deepEqual(combineParts(given), secret)
      for (const part of parts) assert.deepEqual(combineParts(given, part.x), part.y)
    }),
    { numRuns: 300 },
  )
})

test('one part too few fits every secret alike', () => {
  // Two of three: with one part, each of the 256 values of a byte belongs to exactly one choice of the other part.
  const [part] = splitSecret(Uint8Array.of(7), 2, 3, randomFrom('x'))
  const secrets = Array.from({ length: 256 }, (_, y) => combineParts([part!, { x: 2, y: Uint8Array.of(y) }])[0])
  assert.equal(new Set(secrets).size, 256)
})

test('a changed part gives another secret, and parts that cannot belong together are refused', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 40 }), fc.nat(), fc.integer({ min: 1, max: 255 }), (secret, place, flip) => {
      const [one, two] = splitSecret(secret, 2, 3, randomFrom('y'))
      const y = one!.y.slice()
      y[place % y.length]! ^= flip
      assert.notDeepEqual(combineParts([{ x: 1, y }, two!]), secret)
    }),
  )
  assert.throws(() => splitSecret(Uint8Array.of(1), 3, 2, randomFrom('z')), RangeError)
  assert.throws(() => splitSecret(Uint8Array.of(1), 0, 2, randomFrom('z')), RangeError)
  assert.throws(() => splitSecret(Uint8Array.of(1), 1, 256, randomFrom('z')), RangeError)
  assert.throws(() => combineParts([]), RangeError)
  const part = { x: 1, y: Uint8Array.of(1) }
  assert.throws(() => combineParts([part, part]), RangeError)
  assert.throws(() => combineParts([part, { x: 2, y: Uint8Array.of(1, 2) }]), RangeError)
  assert.throws(() => combineParts([{ x: 0, y: Uint8Array.of(1) }]), RangeError)
})
