import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signWithTorsion } from '@holdfast/encoding/testing/torsion-signature'
import { ed25519 } from '@noble/curves/ed25519.js'
import fc from 'fast-check'
import { CheckpointRefused, cosign, formatCheckpoint, parseCheckpoint, verifyCosignature } from './index.ts'

const secretKey = new Uint8Array(32).fill(7)
const publicKey = ed25519.getPublicKey(secretKey)
const checkpoint = { genesis: new Uint8Array(32).fill(0xab), size: 42, root: new Uint8Array(32).fill(9) }
const note = formatCheckpoint(checkpoint, [cosign(checkpoint, 'signer-1', secretKey)])

test('a checkpoint reads back as it was written, with its cosignature', () => {
  const read = parseCheckpoint(note)
  assert.deepEqual(read.checkpoint, checkpoint)
  assert.ok(verifyCosignature(read, 'signer-1', publicKey))
  assert.ok(!verifyCosignature(read, 'signer-2', publicKey))
  assert.ok(!verifyCosignature(read, 'signer-1', ed25519.getPublicKey(new Uint8Array(32).fill(8))))
})

test('a cosignature with a part of small order is none', () => {
  const read = parseCheckpoint(note)
  const body = new TextEncoder().encode(note.slice(0, note.indexOf('\n\n') + 1))
  const [honest] = read.signatures
  const withSignature = (signature: Uint8Array) => ({ ...read, signatures: [{ ...honest!, signature }] })
  assert.ok(verifyCosignature(withSignature(signWithTorsion(secretKey, body, {}).signature), 'signer-1', publicKey))
  assert.ok(!verifyCosignature(withSignature(signWithTorsion(secretKey, body, { inR: 3 }).signature), 'signer-1', publicKey))
})

test('a note with any character changed is refused or no longer cosigned', () => {
  fc.assert(
    fc.property(fc.nat(note.length - 1), fc.constantFrom('0', 'a', 'Z', '\n', ' ', '='), (place, character) => {
      const changed = note.slice(0, place) + character + note.slice(place + 1)
      if (changed === note) return
      try {
        assert.ok(!verifyCosignature(parseCheckpoint(changed), 'signer-1', publicKey))
      } catch (error) {
        assert.ok(error instanceof CheckpointRefused)
      }
    }),
    { numRuns: 3000 },
  )
})
