import { expand_message_xmd } from '@noble/curves/abstract/hash-to-curve.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToInteger, type Point } from './group.ts'
import { addPoints, type Projective, toPoint } from './point-arithmetic.ts'

/**
 * RFC 9380, suite secp256k1_XMD:SHA-256_SSWU_RO_ (section 8.7), with the results of the library's hasher in half of its time: fractions are kept to the end,
 * where that one divides four times, and the exponentiation is the addition chain of this prime. Equations are numbered as in appendix F.2.
 */
const P = secp256k1.Point.Fp.ORDER
/** The curve y^2 = x^3 + A x + B that is 3-isogenous to secp256k1, and Z, of section 8.7. */
const A = 0x3f8731abdd661adca08a5558f0f5d272e953d363cb6f0e5d405447c01a444533n
const B = 1771n
const Z = P - 11n
/** sqrt(-Z). */
const SQRT_MINUS_Z = secp256k1.Point.Fp.sqrt(11n)
const FIELD_BYTES = 48

/** The isogeny's polynomials, appendix E.1: coefficients of 1, x, x^2, x^3. */
const X_NUMERATOR = [
  0x8e38e38e38e38e38e38e38e38e38e38e38e38e38e38e38e38e38e38daaaaa8c7n,
  0x7d3d4c80bc321d5b9f315cea7fd44c5d595d2fc0bf63b92dfff1044f17c6581n,
  0x534c328d23f234e6e2a413deca25caece4506144037c40314ecbd0b53d9dd262n,
  0x8e38e38e38e38e38e38e38e38e38e38e38e38e38e38e38e38e38e38daaaaa88cn,
] as const
const X_DENOMINATOR = [
  0xd35771193d94918a9ca34ccbb7b640dd86cd409542f8487d9fe6b745781eb49bn,
  0xedadc6f64383dc1df7c4b2d51b54225406d36b641f5e41bbc52a56612a8c6d14n,
] as const
const Y_NUMERATOR = [
  0x4bda12f684bda12f684bda12f684bda12f684bda12f684bda12f684b8e38e23cn,
  0xc75e0c32d5cb7c0fa9d0a54b12a0a6d5647ab046d686da6fdffc90fc201d71a3n,
  0x29a6194691f91a73715209ef6512e576722830a201be2018a765e85a9ecee931n,
  0x2f684bda12f684bda12f684bda12f684bda12f684bda12f684bda12f38e38d84n,
] as const
const Y_DENOMINATOR = [
  0xfffffffffffffffffffffffffffffffffffffffffffffffffffffffefffff93bn,
  0x7a06534bb8bdb49fd5e9e6632722c2989467c1bfc8e8d978dfb425d2685c2573n,
  0x6484aa716545ca2cf3a70c3fa8fe337e0a3d21162f0d6299a7bf8192bfd2a76fn,
] as const

/** A point of the group as a random oracle of `message`, for the domain separation tag `domain`. */
export function hashToPoint(message: Uint8Array, domain: string): Point {
  const uniform = expand_message_xmd(message, new TextEncoder().encode(domain), 2 * FIELD_BYTES, sha256)
  const [first, second] = [uniform.subarray(0, FIELD_BYTES), uniform.subarray(FIELD_BYTES)].map((each) => mapToPoint(bytesToInteger(each) % P))
  return toPoint(addPoints(first!, second!))
}

/**
 * A field element in 0..p-1 to a point: map_to_curve_simple_swu to the isogenous curve, then the isogeny. The order of both curves is prime, so no point is in
 * the isogeny's kernel and nothing is divided by zero.
 */
export function mapToPoint(u: bigint): Projective {
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
  return mapByIsogeny(x, (u & 1n) === (y & 1n) ? y : P - y, denominator) // 23, 24
}

/** (x/z, y) on the isogenous curve to a point of secp256k1. */
function mapByIsogeny(x: bigint, y: bigint, z: bigint): Projective {
  const [xx, xz, zz] = [(x * x) % P, (x * z) % P, (z * z) % P]
  const [xxx, xxz, xzz, zzz] = [(xx * x) % P, (xx * z) % P, (x * zz) % P, (zz * z) % P]
  const cubic = ([c0, c1, c2]: readonly [bigint, bigint, bigint, ...bigint[]], c3: bigint) => (c0 * zzz + c1 * xzz + c2 * xxz + c3 * xxx) % P
  const [xDenominator, yDenominator] = [(z * ((X_DENOMINATOR[0] * zz + X_DENOMINATOR[1] * xz + xx) % P)) % P, cubic(Y_DENOMINATOR, 1n)]
  return {
    X: (cubic(X_NUMERATOR, X_NUMERATOR[3]) * yDenominator) % P,
    Y: (((y * cubic(Y_NUMERATOR, Y_NUMERATOR[3])) % P) * xDenominator) % P,
    Z: (xDenominator * yDenominator) % P,
  }
}

/** Whether u / v is a square, and its root, or that of Z u / v: sqrt_ratio for p = 3 modulo 4, appendix F.2.1.2. */
function rootOfRatio(u: bigint, v: bigint): { isSquare: boolean; root: bigint } {
  const uv = (u * v) % P
  const root = (powerOf((((v * v) % P) * uv) % P) * uv) % P
  const isSquare = (((root * root) % P) * v) % P === u
  return { isSquare, root: isSquare ? root : (root * SQRT_MINUS_Z) % P }
}

/** base^((p - 3) / 4). The exponent is 223 ones, 0, 22 ones and 00001011. */
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
  const ones11 = join(join(ones6, 3, ones3), 2, ones2)
  const ones22 = join(ones11, 11, ones11)
  const ones44 = join(ones22, 22, ones22)
  const ones88 = join(ones44, 44, ones44)
  const ones220 = join(join(ones88, 88, ones88), 44, ones44)
  return join(join(join(join(ones220, 3, ones3), 23, ones22), 5, base), 3, ones2)
}
