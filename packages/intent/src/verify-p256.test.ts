import assert from 'node:assert/strict'
import { test } from 'node:test'
import { p256 } from '@noble/curves/nist.js'
import fc from 'fast-check'
import { pureP256, verifyP256 } from './verify-p256.ts'

const message = fc.uint8Array({ maxLength: 100 })
const format = fc.constantFrom('compact' as const, 'der' as const)

/** What the approval page says, where it says anything. */
const purely: typeof pureP256 = (...asked) => {
  try {
    return pureP256(...asked)
  } catch {
    return false
  }
}

test('OpenSSL and the approval page say the same of every signature and key, however often they are asked', () => {
  const where = fc.constantFrom('nothing', 'signature', 'key', 'message')
  fc.assert(
    fc.property(message, format, where, fc.boolean(), fc.nat(), (signed, form, changed, isCompressed, bit) => {
      const secret = p256.utils.randomSecretKey()
      const given = { signature: p256.sign(signed, secret, { format: form, lowS: false }), key: p256.getPublicKey(secret, isCompressed), message: signed }
      if (changed !== 'nothing' && given[changed].length > 0) {
        const bytes = (given[changed] = Uint8Array.from(given[changed]))
        bytes[(bit >> 3) % bytes.length]! ^= 1 << (bit & 7)
      }
      for (let i = 0; i < 2; i++)
        assert.equal(verifyP256(given.signature, given.message, given.key, form), purely(given.signature, given.message, given.key, form), changed)
      if (changed === 'nothing') assert.ok(verifyP256(given.signature, given.message, given.key, form))
    }),
    { numRuns: 200 },
  )
})
