import { concatBytes } from '@holdfast/encoding'
import { verifyEd25519 } from '@holdfast/encoding/ed25519'
import { p256 } from '@noble/curves/nist.js'
import { verifyP256 } from './verify-p256.ts'

/** What a machine can sign with, as HTTP message signatures name it (RFC 9421, section 6.2.2). */
export type MachineAlgorithm = 'ed25519' | 'ecdsa-p256-sha256'

/** The length of the longest key: a point of P-256, compressed. */
export const MACHINE_KEY_BYTES = 33
const SIGNATURE_BYTES = 64
const { Fn } = p256.Point

/**
 * The algorithm of a key, which the key says itself: 32 bytes are of Ed25519, 33 that begin with 2 or 3 a compressed point of P-256. Nothing that comes with a
 * signature has a part in it. Undefined where a key is of neither.
 */
export function algorithmOf(publicKey: Uint8Array): MachineAlgorithm | undefined {
  if (publicKey.length === 32) return 'ed25519'
  const isCompressed = publicKey.length === MACHINE_KEY_BYTES && (publicKey[0] === 2 || publicKey[0] === 3)
  return isCompressed ? 'ecdsa-p256-sha256' : undefined
}

/** Whether a key of P-256 is a point of that curve. */
export function isPointOfP256(publicKey: Uint8Array): boolean {
  try {
    return algorithmOf(publicKey) === 'ecdsa-p256-sha256' && !p256.Point.fromBytes(Uint8Array.from(publicKey)).is0()
  } catch {
    return false
  }
}

/**
 * Whether 64 bytes are a machine's signature over a message, by the algorithm of its key: of Ed25519, or r and s of ECDSA over the SHA-256 of the message. Both
 * values of s that fit are taken, as by every verifier of that form. Never throws.
 */
export function isSignedByKey(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
  if (signature.length !== SIGNATURE_BYTES) return false
  const algorithm = algorithmOf(publicKey)
  if (algorithm === 'ed25519') return verifyEd25519(signature, message, publicKey)
  return algorithm !== undefined && verifyP256(signature, message, publicKey, 'compact')
}

/** Whether a signature is the one spelling of itself: whoever sees one of ECDSA can write n - s for its s, and it would hold as well. */
export function isOneSpelling(signature: Uint8Array, publicKey: Uint8Array): boolean {
  return algorithmOf(publicKey) !== 'ecdsa-p256-sha256' || !isHigh(signature.subarray(32))
}

/** The one spelling of a signature of P-256, r and s: with the lower s. Throws TypeError where it is none. */
export function oneSpelling(signature: Uint8Array): Uint8Array {
  if (signature.length !== SIGNATURE_BYTES) throw new TypeError('a signature of P-256 has 64 bytes, r and s: rawSignature makes them of DER')
  const [r, s] = [signature.slice(0, 32), signature.slice(32)]
  return isHigh(s) ? concatBytes(r, Fn.toBytes(Fn.neg(Fn.fromBytes(s)))) : concatBytes(r, s)
}

/** r and s of a signature of P-256 in DER, as key services and OpenSSL write it. Throws TypeError where it is none. */
export function rawSignature(der: Uint8Array): Uint8Array {
  try {
    return p256.Signature.fromBytes(Uint8Array.from(der), 'der').toBytes('compact')
  } catch (cause) {
    throw new TypeError('this is no signature of P-256 in DER', { cause })
  }
}

/** Whether the greater of both values of s stands there. What is no value of s is none of them, and no signature either. */
function isHigh(s: Uint8Array): boolean {
  try {
    return Fn.fromBytes(Uint8Array.from(s)) > Fn.ORDER >> 1n
  } catch {
    return true
  }
}
