import { at } from '@holdfast/units'

/** One of the parts a secret was split into: the values at `x` (1..255) of the polynomials of its bytes. */
export type SecretPart = { x: number; y: Uint8Array }

/**
 * Splits a byte string among `count` holders of whom any `threshold` together have it again and fewer learn nothing but its length: Shamir's scheme (1979)
 * byte by byte over GF(2^8) modulo x^8 + x^4 + x^3 + x + 1, the secret at 0, holder i at x = i. `random` gives uniform bytes. Throws RangeError for 1 >
 * threshold > count > 255.
 */
export function splitSecret(secret: Uint8Array, threshold: number, count: number, random: (length: number) => Uint8Array): SecretPart[] {
  if (![threshold, count].every(Number.isInteger) || threshold < 1 || threshold > count || count > 255) {
    throw new RangeError(`a secret cannot be split so that ${threshold} of ${count} have it`)
  }
  const coefficients = [secret, ...Array.from({ length: threshold - 1 }, () => random(secret.length))]
  return Array.from({ length: count }, (_, i) => {
    const x = i + 1
    const y = coefficients.reduceRight(
      (sum, coefficient) => sum.map((value, byte) => multiply(value, x) ^ at(coefficient, byte)),
      new Uint8Array(secret.length),
    )
    return { x, y }
  })
}

/**
 * The value at `x` of the polynomials through `parts`: at 0 the secret, elsewhere what another holder's part must be. Throws RangeError unless the parts
 * are of one length and differ in x.
 */
export function combineParts(parts: readonly SecretPart[], x = 0): Uint8Array {
  const length = parts[0]?.y.length ?? 0
  if (parts.length === 0 || parts.some((part) => part.y.length !== length || part.x < 1 || part.x > 255))
    throw new RangeError('the parts are not of one secret')
  if (new Set(parts.map((part) => part.x)).size !== parts.length) throw new RangeError('the same part was given twice')
  let out = new Uint8Array(length)
  for (const part of parts) {
    const others = parts.filter((other) => other !== part)
    const above = others.reduce((product, other) => multiply(product, other.x ^ x), 1)
    const below = others.reduce((product, other) => multiply(product, other.x ^ part.x), 1)
    const weight = multiply(above, invert(below))
    out = out.map((value, byte) => value ^ multiply(weight, at(part.y, byte)))
  }
  return out
}

/** The product in the field, without a branch or a table that depends on the values. */
function multiply(a: number, b: number): number {
  let product = 0
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ (-(product >> 7) & 0x11b)
    product ^= -((b >> bit) & 1) & a
  }
  return product & 0xff
}

/** a^254, the inverse of a in the field. */
function invert(a: number): number {
  let power = a
  for (let i = 0; i < 6; i++) power = multiply(multiply(power, power), a)
  return multiply(power, power)
}
