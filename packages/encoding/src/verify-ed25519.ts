import { ed25519 } from '@noble/curves/ed25519.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { RecentMap, toHex } from '@holdfast/units'
import { concatBytes, equalBytes, fromHex } from './bytes.ts'
import { openSsl } from './open-ssl.ts'

const { Point } = ed25519
const { Fn } = Point
const SIGNATURE_BYTES = 64
const KEY_BYTES = 32
const REMEMBERED = 64
/** What stands before a public key in its SubjectPublicKeyInfo (RFC 8410, section 4). */
const SPKI = fromHex('302a300506032b6570032100')

/** Whether R is what the equation says, for a key that was looked at, with s in its range. */
type Equation = (signature: Uint8Array, message: Uint8Array) => boolean
type ToEquation = (publicKey: Uint8Array) => Equation

/** By the curve library, for a browser. */
export const pureEquation: ToEquation = (publicKey) => {
  const opposite = Point.fromBytes(Uint8Array.from(publicKey), false).negate()
  return (signature, message) => {
    const [r, s] = [signature.subarray(0, KEY_BYTES), littleEndian(signature.subarray(KEY_BYTES))]
    if (s >= Fn.ORDER) return false
    const challenge = Fn.create(littleEndian(sha512.create().update(r).update(publicKey).update(message).digest()))
    // R is not decoded: it is right where it is the one encoding of S B - k A.
    return equalBytes(Point.BASE.multiplyUnsafe(s).add(opposite.multiplyUnsafe(challenge)).toBytes(), r)
  }
}

const nativeEquation =
  ({ createPublicKey, verify }: NonNullable<typeof openSsl>): ToEquation =>
  (publicKey) => {
    const key = createPublicKey({ key: Buffer.from(concatBytes(SPKI, publicKey)), format: 'der', type: 'spki' })
    return (signature, message) => verify(null, message, key, signature)
  }

/** Keys that were looked at. Few keys sign much, and looking costs a multiplication by the order. */
const known = new RecentMap<string, Equation>(REMEMBERED)

/**
 * Whether a signature is a key's over a message, by RFC 8032 section 5.1.7 with the equation without the cofactor, which OpenSSL, Go and networks check;
 * and the key must be a point other than zero of the subgroup of prime order. The equation with the cofactor, which RFC 8032 allows as well, takes
 * signatures whose R has a part of small order: those the other verifiers refuse, so evidence would hold here and nowhere else. All arithmetic is on public
 * values. Never throws.
 */
export function verifyEd25519(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
  if (signature.length !== SIGNATURE_BYTES || publicKey.length !== KEY_BYTES) return false
  return equationOf(publicKey)?.(signature, message) ?? false
}

const toEquation = openSsl ? nativeEquation(openSsl) : pureEquation

function equationOf(publicKey: Uint8Array): Equation | undefined {
  const name = toHex(publicKey)
  const remembered = known.get(name)
  if (remembered) return remembered
  try {
    const point = Point.fromBytes(Uint8Array.from(publicKey), false)
    if (point.is0() || !point.isTorsionFree()) return undefined
    const equation = toEquation(publicKey)
    known.set(name, equation)
    return equation
  } catch {
    return undefined
  }
}

const littleEndian = (encoded: Uint8Array): bigint => BigInt(`0x${toHex(Uint8Array.from(encoded).reverse())}`)
