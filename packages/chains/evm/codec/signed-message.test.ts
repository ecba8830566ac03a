import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toHex } from '@holdfast/encoding'
import fc from 'fast-check'
import { privateKeyToAccount } from 'viem/accounts'
import { messageSigner } from './signed-message.ts'

test('a message names the address whose key signed it, as every wallet signs it, and no other', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.uint8Array({ minLength: 31, maxLength: 31 }),
      fc.nat(129),
      async (message, secret, at) => {
        const account = privateKeyToAccount(`0x01${toHex(secret)}`)
        const signature = await account.signMessage({ message })
        assert.equal(messageSigner(message, signature), account.address)
        assert.notEqual(messageSigner(`${message}.`, signature), account.address)
        const digit = signature[2 + at] === '0' ? '1' : '0'
        assert.notEqual(messageSigner(message, `${signature.slice(0, 2 + at)}${digit}${signature.slice(3 + at)}`), account.address)
      },
    ),
    { numRuns: 40 },
  )
})

test('what is no signature is nobody’s', () => {
  for (const bad of ['', '0x', 'zz'.repeat(65), '00'.repeat(65), 'ff'.repeat(65), `${'11'.repeat(64)}1d`]) assert.equal(messageSigner('x', bad), undefined, bad)
})
