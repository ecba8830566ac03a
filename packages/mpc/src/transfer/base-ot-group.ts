import { createECDH, ECDH, getCurves } from 'node:crypto'
import { at } from '@holdfast/units'
import { normalizeZ } from '@noble/curves/abstract/curve.js'
import type { WeierstrassPoint } from '@noble/curves/abstract/weierstrass.js'
import { p256 } from '@noble/curves/nist.js'
import { ProtocolFault } from '../round/errors.ts'
import { bytesToInteger, randomScalar, scalarBytes } from '../group/group.ts'
import { POINT_BYTES, WIDE_BYTES } from '../round/parameters.ts'
import type { Random } from '../round/randomness.ts'

/**
 * P-256 (SP 800-186), the group of the base OTs. They may be made in any group in which Diffie-Hellman is hard, whatever the key's own is; this is one that
 * OpenSSL multiplies in natively and in constant time, which it does not do with speed for secp256k1.
 */
export type BaseOtPoint = WeierstrassPoint<bigint>

const Curve = p256.Point
const FIELD = Curve.Fp.ORDER
const OPENSSL_NAME = 'prime256v1'

/** A secret exponent t: `point` is t G, and `sharedX` gives the x coordinate of t times a finite point (32 bytes): ECDH of SP 800-56A. */
export type Exponent = { readonly point: BaseOtPoint; sharedX(point: BaseOtPoint): Uint8Array }

/** Makes an exponent of 32 big-endian bytes of a scalar in 1..n-1. */
export type ToExponent = (secret: Uint8Array) => Exponent

/** By OpenSSL. */
export const nativeExponent: ToExponent = (secret) => {
  const ecdh = createECDH(OPENSSL_NAME)
  ecdh.setPrivateKey(secret)
  return { point: Curve.fromBytes(ecdh.getPublicKey()), sharedX: (point) => ecdh.computeSecret(point.toBytes(false)) }
}

/** By the curve library, for a platform without that: the same results, twenty times slower. */
export const pureExponent: ToExponent = (secret) => {
  const scalar = bytesToInteger(secret)
  return { point: Curve.BASE.multiply(scalar), sharedX: (point) => point.multiply(scalar).toBytes(true).subarray(1) }
}

const hasOpenssl = getCurves().includes(OPENSSL_NAME)

/** The better of both that is there. */
export const toExponent: ToExponent = hasOpenssl ? nativeExponent : pureExponent

/** A uniform secret exponent. */
export const randomExponent = (random: Random, make: ToExponent = toExponent): Exponent => make(scalarBytes(randomScalar(random, Curve.Fn.ORDER)))

/** A uniform point whose discrete logarithm nobody knows, not even we. Its value is public, so the varying number of tries tells nothing. */
export function randomPoint(random: Random): BaseOtPoint {
  for (;;) {
    const drawn = random(WIDE_BYTES + 1)
    const encoded = new Uint8Array(POINT_BYTES)
    encoded[0] = 2 + (at(drawn, WIDE_BYTES) & 1)
    encoded.set(scalarBytes(bytesToInteger(drawn.subarray(0, WIDE_BYTES)) % FIELD), 1)
    const point = decodePoint(encoded)
    if (point) return point
  }
}

/** The point of 33 bytes that `peer` sent as `field`. Throws ProtocolFault if they are no finite point of the curve. */
export function parseBaseOtPoint(encoded: Uint8Array, peer: number, field: string): BaseOtPoint {
  const point = encoded.length === POINT_BYTES ? decodePoint(encoded) : null
  if (!point || point.is0()) throw new ProtocolFault(peer, `${field} is not a finite point of the curve`)
  return point
}

/** The same points in affine coordinates, with one inversion for all. No point may be infinity. */
export const normalized = (points: readonly BaseOtPoint[]): BaseOtPoint[] => normalizeZ(Curve, [...points])

/** The point of 33 bytes, or null if there is none. The root that y is taken from is OpenSSL's work where it is there; either way the equation is checked. */
export function decodePoint(encoded: Uint8Array, isNative = hasOpenssl): BaseOtPoint | null {
  try {
    return Curve.fromBytes(isNative ? (ECDH.convertKey(encoded, OPENSSL_NAME, undefined, undefined, 'uncompressed') as Buffer) : encoded)
  } catch {
    return null
  }
}
