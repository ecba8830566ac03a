import { normalizeZ } from '@noble/curves/abstract/curve.js'
import type { WeierstrassPoint } from '@noble/curves/abstract/weierstrass.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { ProtocolFault } from '../round/errors.ts'
import { CURVE, POINT_BYTES, SCALAR_BYTES, WIDE_BYTES } from '../round/parameters.ts'
import type { Random } from '../round/randomness.ts'

/** A point of secp256k1. */
export type Point = WeierstrassPoint<bigint>

const Curve = secp256k1.Point

/** q, the order of the group: scalars are integers modulo q. */
export const ORDER = Curve.Fn.ORDER

/** Our own copy of the generator, so that its larger table (8-bit windows, built at first use) changes nothing for other users of the library. */
const GENERATOR = Curve.fromBytes(Curve.BASE.toBytes(true)).precompute(8)

/** `value` modulo the order of a group, in 0..q-1, also for a negative value. */
export function reduce(value: bigint, order: bigint = ORDER): bigint {
  const rest = value % order
  return rest < 0n ? rest + order : rest
}

/** 1 / value modulo q. Throws for zero. */
export const invert = (value: bigint): bigint => Curve.Fn.inv(value)

/** The big-endian integer of `value`, whose length is a multiple of eight bytes. */
export function bytesToInteger(value: Uint8Array): bigint {
  if (value.length % 8 !== 0) throw new RangeError('integers are read from whole words of eight bytes')
  const view = new DataView(value.buffer, value.byteOffset, value.length)
  let integer = 0n
  for (let at = 0; at < value.length; at += 8) integer = (integer << 64n) | view.getBigUint64(at)
  return integer
}

/** The four big-endian integers of `bits` bits each that `hex` has one after the other. One conversion for four is twice as fast as four. */
export function fourIntegers(hex: string, bits: number): [bigint, bigint, bigint, bigint] {
  const all = BigInt(`0x${hex}`)
  const shift = BigInt(bits)
  return [all >> (3n * shift), BigInt.asUintN(bits, all >> (2n * shift)), BigInt.asUintN(bits, all >> shift), BigInt.asUintN(bits, all)]
}

/** 64 hexadecimal digits of a scalar in 0..q-1. */
export const scalarHex = (scalar: bigint): string => scalar.toString(16).padStart(2 * SCALAR_BYTES, '0')

/** 32 big-endian bytes of a scalar in 0..q-1: word by word, for a text of it would stay in memory and take a time that depends on its length. */
export function scalarBytes(scalar: bigint): Uint8Array {
  const encoded = new Uint8Array(SCALAR_BYTES)
  const view = new DataView(encoded.buffer)
  for (let word = 0; word < SCALAR_BYTES / 8; word++) view.setBigUint64(word * 8, BigInt.asUintN(64, scalar >> BigInt(192 - 64 * word)))
  return encoded
}

/** 48 uniform bytes to a scalar, with bias below 2^-127. */
export function wideScalar(uniform: Uint8Array, order: bigint = ORDER): bigint {
  if (uniform.length !== WIDE_BYTES) throw new RangeError(`a wide reduction takes ${WIDE_BYTES} bytes`)
  return bytesToInteger(uniform) % order
}

/** A uniform scalar in 1..q-1, of a group whose order has 256 bits. */
export function randomScalar(random: Random, order: bigint = ORDER): bigint {
  const scalar = wideScalar(random(WIDE_BYTES), order)
  if (scalar === 0n) throw new ProtocolFault(null, 'the random source gave a zero scalar')
  return scalar
}

/** scalar * G for a secret scalar in 1..q-1, by the library's constant-sequence, blinded multiplication: for the scalars that live long. */
function multiplyBase(scalar: bigint): Point {
  return GENERATOR.multiply(scalar)
}

/** 33 bytes of each point, with one inversion for all. No point may be infinity. */
export function pointsToBytes(points: readonly Point[]): Uint8Array[] {
  return normalizeZ(Curve, [...points]).map((point) => point.toBytes(true))
}

/** 33 bytes of one point that is not infinity. */
export const pointBytes = (point: Point): Uint8Array => point.toBytes(true)

function decodePoint(encoded: Uint8Array): Point | null {
  try {
    return Curve.fromBytes(encoded)
  } catch {
    return null
  }
}

/** The point of 33 bytes that `peer` sent as `field`. Throws ProtocolFault if they are no finite point of the curve. */
export function parsePoint(encoded: Uint8Array, peer: number | null, field: string): Point {
  const point = encoded.length === POINT_BYTES ? decodePoint(encoded) : null
  if (!point || point.is0()) throw new ProtocolFault(peer, `${field} is not a finite point of the curve`)
  return point
}

/** The scalar of 32 bytes that `peer` sent as `field`, in 1..q-1. Throws ProtocolFault for zero and for q and above. */
export function parseScalar(encoded: Uint8Array, peer: number | null, field: string): bigint {
  const scalar = encoded.length === SCALAR_BYTES ? bytesToInteger(encoded) : 0n
  if (scalar === 0n || scalar >= ORDER) throw new ProtocolFault(peer, `${field} is zero or not below the group order`)
  return scalar
}

/** A point times a public factor. */
export type Term = { point: Uint8Array; by: bigint }

/**
 * A group of prime order, as the parts of the protocols see it that are the same in every group: points and scalars as they are encoded.
 * The ECDSA protocol, which multiplies thousands of points, works on secp256k1 itself, above.
 */
export type Group = {
  readonly curve: string
  readonly order: bigint
  readonly pointBytes: number
  /** G, encoded. */
  readonly generator: Uint8Array
  /** Throws ProtocolFault, laid on `peer`, unless the bytes `peer` sent as `field` are a finite point of the group in its one encoding. */
  checkPoint(encoded: Uint8Array, peer: number | null, field: string): void
  /** The scalar in 1..q-1. Throws ProtocolFault for zero and for q and above. */
  parseScalar(encoded: Uint8Array, peer: number | null, field: string): bigint
  /** The bytes of a scalar in 0..q-1. */
  scalarBytes(scalar: bigint): Uint8Array
  /** scalar * G for a secret scalar in 1..q-1, by the library's blinded multiplication. */
  multiplyBase(scalar: bigint): Uint8Array
  /**
   * The sum of points times public factors, in variable time; null if it is infinity. What comes from a peer goes through `checkPoint` first. Throws
   * ProtocolFault (no peer) for bytes that are no point.
   */
  sum(terms: readonly Term[]): Uint8Array | null
}

export const secp256k1Group: Group = {
  curve: CURVE,
  order: ORDER,
  pointBytes: POINT_BYTES,
  generator: Curve.BASE.toBytes(true),
  checkPoint: (encoded, peer, field) => void parsePoint(encoded, peer, field),
  parseScalar,
  scalarBytes,
  multiplyBase: (scalar) => pointBytes(multiplyBase(scalar)),
  sum: (terms) => {
    const total = terms.reduce<Point>((sum, { point, by }) => sum.add(parsePoint(point, null, 'a point').multiplyUnsafe(reduce(by))), Curve.ZERO)
    return total.is0() ? null : pointBytes(total)
  },
}
