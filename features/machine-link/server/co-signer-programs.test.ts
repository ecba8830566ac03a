import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { VERSION } from '../../../apps/co-signer/src/co-signer.ts'
import { DECIDES_ON_BATCHES, isOlder } from './co-signer-programs.ts'

const version = fc.tuple(fc.nat(20), fc.nat(20), fc.nat(20))
const textOf = (numbers: readonly number[]) => numbers.join('.')

it('versions come one after the other by their numbers, the first that differs deciding', () => {
  fc.assert(
    fc.property(version, version, (one, other) => {
      const rank = ([major, minor, patch]: readonly [number, number, number]) => major * 10_000 + minor * 100 + patch
      assert.equal(isOlder(textOf(one), textOf(other)), rank(one) < rank(other))
    }),
  )
  for (const odd of ['', '1', '1.1', 'v1.1.0', '1.1.0-beta', '1.1.0.0']) assert.equal(isOlder(odd, DECIDES_ON_BATCHES), true)
})

it('the co-signer of this release decides on batches', () => {
  assert.equal(isOlder(VERSION, DECIDES_ON_BATCHES), false)
  assert.equal(isOlder('1.0.0', DECIDES_ON_BATCHES), true)
})
