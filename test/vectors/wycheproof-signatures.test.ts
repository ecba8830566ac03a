import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import { test } from 'node:test'
import { verifyEd25519 } from '@holdfast/encoding/ed25519'
import { FROST_ED25519, PROTOCOL, verifyByRootKey } from '@holdfast/mpc'
import { p256 } from '@noble/curves/nist.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { hash160, scriptOf } from '../../packages/chains/bitcoin/codec/address.ts'
import { verifyInput } from '../../packages/chains/bitcoin/codec/witness.ts'
import { pureEquation } from '../../packages/encoding/src/verify-ed25519.ts'
import { pureP256, verifyP256 } from '../../packages/intent/src/verify-p256.ts'
import { bytes32, type Curve, counts, deviceSigned, ecdsaByOpenSsl, integer, joined, keyFor, passkeySigned, sha256 } from './judge-signature.ts'
import { type SignatureCase, signatureCases } from './wycheproof.ts'

// Project Wycheproof's signatures, for each place where the product verifies one, and for OpenSSL, which must say the same of every case as transcribed.

const named = (name: string, { tcId, comment }: SignatureCase) => `${name} ${tcId}: ${comment}`

/** Says of each case what OpenSSL says and what `takes` says. Both must be what the project says, but where `differs` says why not. */
function judge(name: string, openSsl: (each: SignatureCase) => boolean, takes: (each: SignatureCase) => boolean, differs: Record<number, string> = {}): void {
  const cases = signatureCases(name)
  for (const each of cases) {
    const expected = differs[each.tcId] === undefined ? [each.isValid, each.isValid] : [true, false]
    assert.deepEqual([openSsl(each), takes(each)], expected, named(name, each))
  }
  for (const tcId of Object.keys(differs)) assert.ok(cases.some((each) => each.tcId === Number(tcId)))
}

/** What is pure throws where it cannot read what it is given; whoever asks takes that for a no. */
const inBrowser = (takes: (each: SignatureCase) => boolean) => (each: SignatureCase) => {
  try {
    return takes(each)
  } catch {
    return false
  }
}
const compressed = (curve: Curve, { publicKey }: SignatureCase) => curve.Point.fromBytes(publicKey).toBytes(true)
const ecdsa = (curve: Curve, format: 'der' | 'ieee-p1363') => (each: SignatureCase) =>
  ecdsaByOpenSsl(curve, each.publicKey, each.message, each.signature, format)

test('Ed25519: every valid signature verifies, and no other', () => {
  const openSsl = ({ publicKey, message, signature }: SignatureCase) => {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey).toString('base64url') }, format: 'jwk' })
    return verify(null, message, key, signature)
  }
  judge('ed25519', openSsl, ({ signature, message, publicKey }) => verifyEd25519(signature, message, publicKey))
  judge(
    'ed25519',
    openSsl,
    inBrowser(({ signature, message, publicKey }) => signature.length === 64 && pureEquation(publicKey)(signature, message)),
  )
  judge('ed25519', openSsl, ({ signature, message, publicKey }) => verifyByRootKey(FROST_ED25519, signature, message, publicKey))
})

test('P-256: approvals are verified with every valid signature, and with no other', () => {
  const [der, compact] = [ecdsa(p256, 'der'), ecdsa(p256, 'ieee-p1363')]
  for (const verifies of [verifyP256, pureP256]) {
    for (const keyOf of [(each: SignatureCase) => compressed(p256, each), ({ publicKey }: SignatureCase) => publicKey]) {
      const takes = (format: 'der' | 'compact') => inBrowser((each) => verifies(each.signature, each.message, keyOf(each), format))
      judge('ecdsa-p256-der', der, takes('der'))
      judge('ecdsa-p256-compact', compact, takes('compact'))
    }
  }
})

test('a passkey or a device key counts with the signature that others were made from, and with none of what was made from it', () => {
  const made = '313233343030'
  for (const [name, kind, signed, tcId] of [
    ['ecdsa-p256-der', 'webauthn', passkeySigned, 7],
    ['ecdsa-p256-compact', 'device', deviceSigned, 1],
  ] as const) {
    const cases = signatureCases(name)
    const base = cases.find((each) => each.tcId === tcId)!
    const { r, s } = p256.Signature.fromBytes(base.signature, kind === 'webauthn' ? 'der' : 'compact')
    // The same signature is one of what an approver signs, under a key that fits.
    const key = keyFor(p256, r, s, signed)!
    const same = cases.filter((each) => each.publicKey.every((byte, i) => byte === base.publicKey[i]) && Buffer.from(each.message).toString('hex') === made)
    assert.ok(same.length > 30)
    for (const each of same) assert.equal(counts(kind, key, each.signature), each.isValid, named(name, each))
  }
})

test('secp256k1: a Bitcoin input is spent by every valid signature, and by no other', () => {
  // OpenSSL knows no rule of the lower s.
  const differs = { 1: 'the higher s', 388: 'the higher s' }
  const spends = (each: SignatureCase) => {
    const key = compressed(secp256k1, each)
    try {
      verifyInput(scriptOf('p2wpkh', hash160(key)), sha256(each.message), [joined(each.signature, Uint8Array.of(1)), key])
      return true
    } catch (error) {
      assert.equal((error as Error).name, 'ChainError', named('ecdsa-secp256k1-der', each))
      return false
    }
  }
  judge('ecdsa-secp256k1-der', ecdsa(secp256k1, 'der'), spends, differs)
})

test('secp256k1: signatures of our keys are every valid one with the lower s, and no other', () => {
  // We are stricter than these vectors, on purpose: of the two signatures that are one, networks take the lower s, and so do we.
  const differs = { 1: 'the higher s', 115: 'the higher s', 117: 'the higher s' }
  const takes = (signature: Uint8Array, each: SignatureCase) => verifyByRootKey(PROTOCOL, signature, sha256(each.message), compressed(secp256k1, each))
  judge('ecdsa-secp256k1-compact', ecdsa(secp256k1, 'ieee-p1363'), (each) => takes(each.signature, each), differs)
  for (const each of signatureCases('ecdsa-secp256k1-compact')) {
    if (!(each.tcId in differs)) continue
    const lower = secp256k1.Point.Fn.ORDER - integer(each.signature.subarray(32))
    assert.ok(takes(joined(each.signature.subarray(0, 32), bytes32(lower)), each), named('the lower s of', each))
  }
})
