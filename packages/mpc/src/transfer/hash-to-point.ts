import { expand_message_xmd } from '@noble/curves/abstract/hash-to-curve.js'
import { p256 } from '@noble/curves/nist.js'
import { sha256 } from '@noble/hashes/sha2.js'
import type { BaseOtPoint } from './base-ot-group.ts'
import { bytesToInteger } from '../group/group.ts'

/**
 * RFC 9380, suite P256_XMD:SHA-256_SSWU_RO_ (section 8.2), with the results of the library's hasher in a third of its time: fractions are kept to the end,
 * where that one divides, and the exponentiation is the addition chain of this prime. Equations are numbered as in appendix F.2.
 */
const Curve = p256.Point
const P = Curve.Fp.ORDER
/** The curve's equation y^2 = x^3 + A x + B, and Z of section 8.2. */
const { a: A, b: B } = Curve.CURVE()
const Z = P - 10n
/** sqrt(-Z). */
const SQRT_MINUS_Z = Curve.Fp.sqrt(10n)
const FIELD_BYTES = 48

/** A point of the group as a random oracle of `message`, for the domain separation tag `domain`. */
export function hashToPoint(message: Uint8Array, domain: string): BaseOtPoint {
  const uniform = expand_message_xmd(message, new TextEncoder().encode(domain), 2 * FIELD_BYTES, sha256)
  const [first, second] = [uniform.subarray(0, FIELD_BYTES), uniform.subarray(FIELD_BYTES)].map((each) => mapToPoint(bytesToInteger(each) % P))
  return first!.add(second!)
}

/** A field element in 0..p-1 to a point: map_to_curve_simple_swu. */
export function mapToPoint(u: bigint): BaseOtPoint {
  const zuu = (Z * ((u * u) % P)) % P // 1, 2
  const sum = (zuu * zuu + zuu) % P // 3, 4
  const numerator = (B * (sum + 1n)) % P // 5, 6
  const denominator = (A * (sum === 0n ? Z : P - sum)) % P // 7, 8
  const squared = (denominator * denominator) % P
  const cubed = (squared * denominator) % P
  const right = (((numerator * numerator + A * squared) % P) * numerator + B * cubed) % P // 9 to 16
  const { isSquare, root } = rootOfRatio(right, cubed) // 18
  const x = isSquare ? numerator : (zuu * numerator) % P // 17, 21
  const y = isSquare ? root : (((zuu * u) % P) * root) % P // 19, 20, 22
  const signed = (u & 1n) === (y & 1n) ? y : P - y // 23, 24
  return new Curve(x, (signed * denominator) % P, denominator) // 25
}

/** Whether u / v is a square, and its root, or that of Z u / v: sqrt_ratio for p = 3 modulo 4, appendix F.2.1.2. */
function rootOfRatio(u: bigint, v: bigint): { isSquare: boolean; root: bigint } {
  const uv = (u * v) % P
  const root = (powerOf((((v * v) % P) * uv) % P) * uv) % P
  const isSquare = (((root * root) % P) * v) % P === u
  return { isSquare, root: isSquare ? root : (root * SQRT_MINUS_Z) % P }
}

/** base^((p - 3) / 4). The exponent is 32 ones, 31 zeros, 1, 96 zeros and 94 ones. */
function powerOf(base: bigint): bigint {
  const shift = (value: bigint, bits: number) => {
    let squared = value
    for (let i = 0; i < bits; i++) squared = (squared * squared) % P
    return squared
  }
  const join = (high: bigint, bits: number, low: bigint) => (shift(high, bits) * low) % P
  const ones2 = join(base, 1, base)
  const ones3 = join(ones2, 1, base)
  const ones6 = join(ones3, 3, ones3)
  const ones12 = join(ones6, 6, ones6)
  const ones15 = join(ones12, 3, ones3)
  const ones30 = join(ones15, 15, ones15)
  const ones32 = join(ones30, 2, ones2)
  const ones94 = join(join(ones32, 32, ones32), 30, ones30)
  return join(join(ones32, 32, base), 190, ones94)
}
