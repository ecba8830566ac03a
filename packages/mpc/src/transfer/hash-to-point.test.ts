import assert from 'node:assert/strict'
import { test } from 'node:test'
import { p256, p256_hasher } from '@noble/curves/nist.js'
import fc from 'fast-check'
import { hashToPoint, mapToPoint } from './hash-to-point.ts'

const P = p256.Point.Fp.ORDER

test('hashing to a point gives what the library gives, for any message and domain', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme-ascii' }), (message, domain) => {
      const point = hashToPoint(message, domain)
      point.assertValidity()
      assert.ok(point.equals(p256_hasher.hashToCurve(message, { DST: domain })))
    }),
    { numRuns: 300 },
  )
})

test('the map takes every field element, also those at which its fractions degenerate, to the point the library takes it to', () => {
  // u = 0 and Z u^2 = -1 make the denominator of the map zero.
  const special = [0n, 1n, P - 1n, P - 2n, p256.Point.Fp.inv(p256.Point.Fp.sqrt(10n))]
  // The library's types speak of extension fields, which this field is not.
  const libraryMap = p256_hasher.mapToCurve as unknown as (u: bigint) => ReturnType<typeof mapToPoint>
  const checked = (u: bigint) => assert.ok(mapToPoint(u).equals(libraryMap(u)))
  special.forEach(checked)
  fc.assert(fc.property(fc.bigInt({ min: 0n, max: P - 1n }), checked), { numRuns: 300 })
})

test('the vectors of RFC 9380, appendix J.1.1', () => {
  const domain = 'QUUX-V01-CS02-with-P256_XMD:SHA-256_SSWU_RO_'
  for (const [message, x, y] of [
    ['', '2c15230b26dbc6fc9a37051158c95b79656e17a1a920b11394ca91c44247d3e4', '8a7a74985cc5c776cdfe4b1f19884970453912e9d31528c060be9ab5c43e8415'],
    ['abc', '0bb8b87485551aa43ed54f009230450b492fead5f1cc91658775dac4a3388a0f', '5c41b3d0731a27a7b14bc0bf0ccded2d8751f83493404c84a88e71ffd424212e'],
  ] as const) {
    const affine = hashToPoint(new TextEncoder().encode(message), domain).toAffine()
    assert.deepEqual([affine.x, affine.y], [BigInt(`0x${x}`), BigInt(`0x${y}`)])
  }
})
