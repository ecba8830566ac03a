import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import { fromHex, toHex } from './index.ts'
import { recoverSecp256k1 } from './recover-secp256k1.ts'

const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 })
const ORDER = secp256k1.Point.Fn.ORDER

test('the key is the one that the curve library recovers, the first time and every time after it, or none', () => {
  const scalar = fc.bigInt({ min: 0n, max: 2n ** 256n })
  const recovery = fc.integer({ min: -1, max: 5 })
  const recovered = (digest: Uint8Array, r: bigint, s: bigint, id: number) => {
    try {
      return toHex(new secp256k1.Signature(r, s, id).recoverPublicKey(digest).toBytes(true))
    } catch {
      return undefined
    }
  }
  fc.assert(
    fc.property(bytes32, scalar, scalar, recovery, (digest, r, s, id) => {
      const wanted = recovered(digest, r, s, id)
      for (let i = 0; i < 2; i++)
        if (wanted === undefined) assert.throws(() => recoverSecp256k1(digest, { r, s, recovery: id }))
        else assert.equal(recoverSecp256k1(digest, { r, s, recovery: id }), wanted)
    }),
    { numRuns: 100 },
  )
})

test('another digest, half or recovery id is another question, also right after one that was answered', () => {
  fc.assert(
    fc.property(bytes32, bytes32, (secret, digest) => {
      if (!secp256k1.utils.isValidSecretKey(secret)) return
      const made = secp256k1.sign(digest, secret, { prehash: false, format: 'recovered' })
      const { r, s, recovery = 0 } = secp256k1.Signature.fromBytes(made, 'recovered')
      const own = toHex(secp256k1.getPublicKey(secret, true))
      assert.equal(recoverSecp256k1(digest, { r, s, recovery }), own)
      assert.notEqual(recoverSecp256k1(digest, { r, s, recovery: recovery ^ 1 }), own)
      assert.notEqual(recoverSecp256k1(digest, { r, s: ORDER - s, recovery }), own)
      assert.equal(recoverSecp256k1(digest, { r, s: ORDER - s, recovery: recovery ^ 1 }), own)
      const other = Uint8Array.from(digest)
      other[31]! ^= 1
      assert.notEqual(recoverSecp256k1(other, { r, s, recovery }), own)
      assert.equal(fromHex(recoverSecp256k1(digest, { r, s, recovery })).length, 33)
    }),
    { numRuns: 20 },
  )
})
