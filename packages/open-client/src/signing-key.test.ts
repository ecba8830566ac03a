import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { test } from 'node:test'
import { readSignature } from '@holdfast/http-signatures'
import { isSignedByKey, rawSignature } from '@holdfast/intent'
import { createOpenClient } from './create-open-client.ts'
import { importKey } from './import-key.ts'
import type { RemoteKey } from './signing-key.ts'

const KEY_ID = '01990000-0000-7000-8000-000000000001.payouts'
const pairs = { ed25519: generateKeyPairSync('ed25519'), p256: generateKeyPairSync('ec', { namedCurve: 'P-256' }) }
const pemOf = (key: KeyObject, type: 'pkcs8' | 'sec1' = 'pkcs8') => key.export({ type, format: 'pem' }).toString()

function publicKeyOf(key: KeyObject): Uint8Array {
  const { x = '', y } = key.export({ format: 'jwk' })
  const first = Buffer.from(x, 'base64url')
  return y === undefined ? Uint8Array.from(first) : Uint8Array.from([2 + (Buffer.from(y, 'base64url').at(-1)! & 1), ...first])
}

/** What a call with a key sends, read as the door reads it. */
async function callWith(key: CryptoKey | RemoteKey) {
  let sent: { headers: Record<string, string>; url: URL } | undefined
  const fetch = (async (url: string, { headers }: RequestInit) => {
    sent = { url: new URL(url), headers: headers as Record<string, string> }
    return { status: 200, json: async () => ({ code: '0', msg: '', data: null }) }
  }) as unknown as typeof globalThis.fetch
  await createOpenClient({ baseUrl: 'https://console.example', keyId: KEY_ID, key, fetch }).call('openWallets', {})
  assert.ok(sent)
  return readSignature({ method: 'GET', authority: sent.url.host, path: sent.url.pathname, query: '', headers: sent.headers }, false)
}

for (const [name, { privateKey, publicKey }] of Object.entries(pairs))
  test(`a call is signed with a key of ${name}, which the call names by its algorithm`, async () => {
    const { algorithm, signature, base } = await callWith(await importKey(pemOf(privateKey)))
    assert.equal(algorithm, name === 'p256' ? 'ecdsa-p256-sha256' : 'ed25519')
    assert.ok(isSignedByKey(signature, new TextEncoder().encode(base), publicKeyOf(publicKey)))
  })

test('a key that a service keeps signs, whatever of both values of s it gives, and the one spelling is sent', async () => {
  const { privateKey, publicKey } = pairs.p256
  const halves = new Set<boolean>()
  const remote: RemoteKey = {
    algorithm: 'ecdsa-p256-sha256',
    sign: async (message) => {
      const raw = rawSignature(new Uint8Array(sign('sha256', message, privateKey)))
      halves.add(raw[32]! < 0x80)
      return raw
    },
  }
  for (let i = 0; i < 40 || halves.size < 2; i++) {
    const { signature, base } = await callWith(remote)
    assert.ok(signature[32]! < 0x80)
    assert.ok(isSignedByKey(signature, new TextEncoder().encode(base), publicKeyOf(publicKey)))
  }
  const der = { ...remote, sign: async (message: Uint8Array) => new Uint8Array(sign('sha256', message, privateKey)) }
  await assert.rejects(callWith(der), /rawSignature/)
})

test('a private key of another algorithm or in another form is refused by a sentence that says which are taken', async () => {
  await assert.rejects(importKey(pemOf(generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).privateKey)), /Ed25519 or of P-256/)
  await assert.rejects(importKey(pemOf(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey)), /Ed25519 or of P-256/)
  await assert.rejects(importKey(pemOf(pairs.p256.privateKey, 'sec1')), /BEGIN PRIVATE KEY/)
  await assert.rejects(importKey(pairs.p256.publicKey.export({ type: 'spki', format: 'pem' }).toString()), /BEGIN PRIVATE KEY/)
  await assert.rejects(callWith(await crypto.subtle.importKey('raw', new Uint8Array(32), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])), TypeError)
})
