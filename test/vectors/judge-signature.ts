import { createHash, createPublicKey, verify } from 'node:crypto'
import { AssertionRefused, deviceMessage, verifyAssertion } from '@holdfast/intent'
import { p256 } from '@noble/curves/nist.js'

// What OpenSSL says of an ECDSA signature, and whether an approver's counts. Keys are made to fit: for any nonce point R and any s there is a key under which
// (x(R), s) is a signature, so that values can be tried whose logarithms nobody knows.

export type Curve = typeof p256
export const sha256 = (value: Uint8Array) => new Uint8Array(createHash('sha256').update(value).digest())
export const integer = (value: Uint8Array) => BigInt(`0x${Buffer.from(value).toString('hex')}`)
export const bytes32 = (value: bigint) => new Uint8Array(Buffer.from(value.toString(16).padStart(64, '0'), 'hex'))
export const joined = (...parts: Uint8Array[]) => new Uint8Array(Buffer.concat(parts))

/** The key under which (x(R) mod n, s) is a signature of `message`: (s R - z G) / r. */
export function keyFor(curve: Curve, nonceX: bigint, s: bigint, message: Uint8Array): Uint8Array | null {
  const { Fn, BASE } = curve.Point
  try {
    const nonce = curve.Point.fromBytes(joined(Uint8Array.of(2), bytes32(nonceX)))
    const inverse = Fn.inv(Fn.create(nonceX))
    return nonce
      .multiply(Fn.mul(Fn.create(s), inverse))
      .subtract(BASE.multiply(Fn.mul(Fn.create(integer(sha256(message))), inverse)))
      .toBytes(true)
  } catch {
    return null
  }
}

export function ecdsaByOpenSsl(curve: Curve, publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array, dsaEncoding: 'der' | 'ieee-p1363'): boolean {
  const { x, y } = curve.Point.fromBytes(publicKey).toAffine()
  const coordinate = (value: bigint) => Buffer.from(bytes32(value)).toString('base64url')
  const crv = curve === p256 ? 'P-256' : 'secp256k1'
  const key = createPublicKey({ key: { kty: 'EC', crv, x: coordinate(x), y: coordinate(y) }, format: 'jwk' })
  return verify('sha256', message, { key, dsaEncoding }, signature)
}

const origin = 'https://approve.example'
const origins = [{ origin, rpId: 'approve.example' }]
const challenge = new Uint8Array(32).fill(4)
const credentialId = new Uint8Array(16).fill(3)
export const deviceSigned = deviceMessage(challenge, origin)
const clientDataJson = new TextEncoder().encode(
  JSON.stringify({ type: 'webauthn.get', challenge: Buffer.from(challenge).toString('base64url'), origin, crossOrigin: false }),
)
const authenticatorData = joined(sha256(new TextEncoder().encode('approve.example')), Uint8Array.of(5, 0, 0, 0, 1))
export const passkeySigned = joined(authenticatorData, sha256(clientDataJson))

export function counts(kind: 'webauthn' | 'device', publicKey: Uint8Array, signature: Uint8Array): boolean {
  const credential = { id: credentialId, kind, publicKey, backupEligible: false, label: '' }
  const assertion = kind === 'device' ? { kind, credentialId, origin, signature } : { kind, credentialId, authenticatorData, clientDataJson, signature }
  try {
    verifyAssertion({ assertion, credential, challenge, origins })
    return true
  } catch (error) {
    if (error instanceof AssertionRefused) return false
    throw error
  }
}
