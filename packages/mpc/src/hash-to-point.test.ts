import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secp256k1, secp256k1_hasher } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import { hashToPoint, mapToPoint } from './hash-to-point.ts'
import { toPoint } from './point-arithmetic.ts'

const P = secp256k1.Point.Fp.ORDER

test('hashing to a point gives what the library gives, for any message and domain', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme-ascii' }), (message, domain) => {
      const point = hashToPoint(message, domain)
      point.assertValidity()
      assert.ok(point.equals(secp256k1_hasher.hashToCurve(message, { DST: domain })))
    }),
    { numRuns: 300 },
  )
})

test('the map takes every field element, also those at which its fractions degenerate, to the point the library takes it to', () => {
  // u = 0 and Z u^2 = -1 make the denominator of the map zero.
  const special = [0n, 1n, P - 1n, P - 2n, secp256k1.Point.Fp.inv(secp256k1.Point.Fp.sqrt(11n))]
  // The library's types speak of extension fields, which this field is not.
  const libraryMap = secp256k1_hasher.mapToCurve as unknown as (u: bigint) => ReturnType<typeof toPoint>
  const checked = (u: bigint) => assert.ok(toPoint(mapToPoint(u)).equals(libraryMap(u)))
  special.forEach(checked)
  fc.assert(fc.property(fc.bigInt({ min: 0n, max: P - 1n }), checked), { numRuns: 300 })
})

test('the vectors of RFC 9380, appendix J.8.1', () => {
  const domain = 'QUUX-V01-CS02-with-secp256k1_XMD:SHA-256_SSWU_RO_'
  for (const [message, x, y] of [
    ['', 'c1cae290e291aee617ebaef1be6d73861479c48b841eaba9b7b5852ddfeb1346', '64fa678e07ae116126f08b022a94af6de15985c996c3a91b64c406a960e51067'],
    ['abc', '3377e01eab42db296b512293120c6cee72b6ecf9f9205760bd9ff11fb3cb2c4b', '7f95890f33efebd1044d382a01b1bee0900fb6116f94688d487c6c7b9c8371f6'],
  ] as const) {
    const affine = hashToPoint(new TextEncoder().encode(message), domain).toAffine()
    assert.deepEqual([affine.x, affine.y], [BigInt(`0x${x}`), BigInt(`0x${y}`)])
  }
})
