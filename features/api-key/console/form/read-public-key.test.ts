import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { test } from 'node:test'
import { isPointOfP256 } from '@holdfast/intent'
import fc from 'fast-check'
import { machineDraft } from '../../contract.ts'
import { readPublicKey } from './read-public-key.ts'

const pem = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString()
const jwk = (key: KeyObject) => JSON.stringify(key.export({ format: 'jwk' }))
const der = (key: KeyObject) => key.export({ type: 'spki', format: 'der' })

test('a key that OpenSSL made is read alike in PEM, as a JSON Web Key and in digits, and says which it is', () => {
  for (let i = 0; i < 20; i++) {
    const { publicKey } = generateKeyPairSync('ed25519')
    const wanted = { hex: der(publicKey).subarray(-32).toString('hex'), algorithm: 'Ed25519' }
    for (const text of [pem(publicKey), jwk(publicKey), wanted.hex, ` ${wanted.hex.toUpperCase()}\n`]) assert.deepEqual(readPublicKey(text), wanted)
    const point = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey
    const uncompressed = der(point).subarray(-65).toString('hex')
    const read = readPublicKey(pem(point))
    assert.ok('hex' in read && read.algorithm === 'P-256' && isPointOfP256(Uint8Array.from(Buffer.from(read.hex, 'hex'))))
    assert.equal(read.hex.slice(2), uncompressed.slice(2, 66))
    for (const text of [jwk(point), uncompressed, read.hex]) assert.deepEqual(readPublicKey(text), read)
    assert.ok(machineDraft.shape.public_key.safeParse(read.hex).success)
  }
})

test('a private key, a key of another curve and a point beside the curve are told apart and never taken', () => {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const fault = (text: string) => {
    const read = readPublicKey(text)
    return 'fault' in read ? read.fault : read
  }
  for (const type of ['pkcs8', 'sec1'] as const) assert.equal(fault(pair.privateKey.export({ type, format: 'pem' }).toString()), 'private')
  assert.equal(fault(jwk(pair.privateKey)), 'private')
  assert.equal(fault(generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()), 'private')
  const others = ['secp256k1', 'P-384'].map((namedCurve) => generateKeyPairSync('ec', { namedCurve }).publicKey)
  for (const other of [...others, generateKeyPairSync('x25519').publicKey, generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey]) {
    assert.equal(fault(pem(other)), 'other')
    assert.equal(fault(jwk(other)), 'other')
  }
  const good = der(pair.publicKey).subarray(-65).toString('hex')
  const beside = `${good.slice(0, -1)}${good.endsWith('0') ? '1' : '0'}`
  assert.equal(fault(beside), 'point')
  assert.equal(fault(`04${'0'.repeat(128)}`), 'point')
  for (const text of ['', '{', '{}', 'abc', '02', `05${good.slice(2, 66)}`, '-----BEGIN PUBLIC KEY-----', pem(pair.publicKey).slice(0, 60)])
    assert.ok(['unread', 'other'].includes(String(fault(text))), text)
})

test('whatever is pasted, what is taken is a key that the call takes', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json(), fc.stringMatching(/^[0-9a-f]{60,70}$/)), (text) => {
      const read = readPublicKey(text)
      assert.ok('fault' in read || machineDraft.shape.public_key.safeParse(read.hex).success)
    }),
  )
})
