import assert from 'node:assert/strict'
import { test } from 'node:test'
import { concatBytes, fromHex } from '@holdfast/encoding'
import { signEd25519 } from '@holdfast/encoding/ed25519'
import type { ReadSignature } from '@holdfast/http-signatures'
import { ed25519 } from '@noble/curves/ed25519.js'
import { p256 } from '@noble/curves/nist.js'
import { isCallSigned } from './open-door.ts'

const secret = new Uint8Array(32).fill(9)
const base = '"@method": GET'
const message = new TextEncoder().encode(base)
const keys = { ed25519: ed25519.getPublicKey(secret), 'ecdsa-p256-sha256': p256.getPublicKey(secret) }
const signatures = { ed25519: signEd25519(message, secret), 'ecdsa-p256-sha256': p256.sign(message, secret, { format: 'compact' }) }
const call = (signature: Uint8Array, algorithm: ReadSignature['algorithm']): ReadSignature => ({
  ...{ keyId: 'k', created: 1, nonce: 'abcdefghijklmnop', components: [] },
  ...{ base, signature, algorithm },
})

test('a call is checked by the algorithm of its key: what it says itself is only taken where it is the same', () => {
  for (const owned of ['ed25519', 'ecdsa-p256-sha256'] as const)
    for (const by of ['ed25519', 'ecdsa-p256-sha256'] as const)
      for (const said of [null, 'ed25519', 'ecdsa-p256-sha256'] as const)
        assert.equal(isCallSigned(call(signatures[by], said), keys[owned]), by === owned && (said === null || said === owned), `${owned} ${by} ${said}`)
})

test('a call is signed by r and s in 64 bytes, either s, and by nothing that another curve or DER says', () => {
  const [good, key] = [signatures['ecdsa-p256-sha256'], keys['ecdsa-p256-sha256']]
  const s = BigInt(`0x${Buffer.from(good.slice(32)).toString('hex')}`)
  const twin = concatBytes(good.slice(0, 32), fromHex((p256.Point.Fn.ORDER - s).toString(16).padStart(64, '0')))
  // Libraries of RFC 9421 give either. Both are one call, which its nonce lets in once.
  assert.ok(isCallSigned(call(twin, null), key))
  for (const other of [p256.sign(message, secret, { format: 'der' }), new Uint8Array(64), good.slice(1)]) assert.ok(!isCallSigned(call(other, null), key))
})
