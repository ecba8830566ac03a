import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signWithTorsion } from '@holdfast/encoding/testing/torsion-signature'
import { ed25519 } from '@noble/curves/ed25519.js'
import { openSigned, pinStatementShape, signMessage } from './statements.ts'

test('a statement is its signer’s word only where every verifier says so: a signature with a part of small order opens nothing', () => {
  const secretKey = new Uint8Array(32).fill(7)
  const publicKey = ed25519.getPublicKey(secretKey)
  const signed = signMessage(pinStatementShape, { genesis: new Uint8Array(32), party: 1n, atMs: 5n }, 1n, secretKey)
  assert.equal(openSigned(pinStatementShape, signed, publicKey)?.atMs, 5n)
  for (let part = 1; part < 8; part++) {
    const made = signWithTorsion(secretKey, signed.message, { inR: part })
    assert.ok(ed25519.verify(made.signature, signed.message, publicKey, { zip215: false }), 'the attack is real')
    assert.equal(openSigned(pinStatementShape, { ...signed, signature: made.signature }, publicKey), undefined)
  }
})
