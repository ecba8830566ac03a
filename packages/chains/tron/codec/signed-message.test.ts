import { toHex } from '@holdfast/encoding'
import fc from 'fast-check'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TronWeb, utils } from 'tronweb'
import { isSignedBy } from './signed-message.ts'

test('a message is signed by the address whose key signed it, as every wallet signs it, and by no other', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), fc.uint8Array({ minLength: 31, maxLength: 31 }), fc.nat(129), (message, secret, at) => {
      const key = `01${toHex(secret)}`
      const address = TronWeb.address.fromPrivateKey(key) as string
      const signature = utils.message.signMessage(message, key)
      assert.equal(isSignedBy(address, message, signature), true)
      assert.equal(isSignedBy(address, `${message}.`, signature), false)
      assert.equal(isSignedBy(TronWeb.address.fromPrivateKey(`02${toHex(secret)}`) as string, message, signature), false)
      const digit = signature[2 + at] === '0' ? '1' : '0'
      assert.equal(isSignedBy(address, message, `${signature.slice(0, 2 + at)}${digit}${signature.slice(3 + at)}`), false)
    }),
    { numRuns: 40 },
  )
})

test('what is no signature is nobody’s', () => {
  const address = TronWeb.address.fromPrivateKey('01'.repeat(32)) as string
  for (const bad of ['', '0x', 'zz'.repeat(65), '00'.repeat(65), 'ff'.repeat(65), `${'11'.repeat(64)}1d`])
    assert.equal(isSignedBy(address, 'x', bad), false, bad)
})
