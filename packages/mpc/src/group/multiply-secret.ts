import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToInteger, ORDER, type Point } from './group.ts'
import { addPoints, doublePoint, INFINITY, type Projective, toPoint } from './point-arithmetic.ts'
import { WIDE_BYTES } from '../round/parameters.ts'
import type { Random } from '../round/randomness.ts'

const Curve = secp256k1.Point
const Fp = Curve.Fp

/**
 * The endomorphism of secp256k1: (x, y) -> (BETA x, y) multiplies by LAMBDA, and (A1, B1), (A2, B2) is a short basis of the lattice of
 * (a, b) with a + b LAMBDA = 0 modulo q. Gallant, Lambert, Vanstone, "Faster point multiplication on elliptic curves with efficient
 * endomorphisms", CRYPTO 2001, algorithm 3.74 in Hankerson, Menezes, Vanstone. The tests check the constants against each other.
 */
export const BETA = 0x7ae96a2b657c07106e64479eac3434e99cf0497512f58995c1396c28719501een
export const LAMBDA = 0x5363ad4cc05c30e0a5261c028812645a122e22ea20816678df02967c1b23bd72n
const A1 = 0x3086d221a7d46bcde86c90e49284eb15n
const MINUS_B1 = 0xe4437ed6010e88286f547fa90abfe4c3n
const A2 = 0x114ca50f7a8e2f3f657c1108d9d44cfd8n
const B2 = A1

const WINDOW_BITS = 4
const WINDOWS = 33
/** Both halves of a split scalar are below 2^129 in size; with this added both are positive, and what is above the windows is 1 or 3. */
const OFFSET = 2n << BigInt(WINDOW_BITS * WINDOWS)

/** scalar = first + second * LAMBDA modulo q, both parts short and possibly negative. */
export function splitScalar(scalar: bigint): { first: bigint; second: bigint } {
  const c1 = (B2 * scalar + (ORDER >> 1n)) / ORDER
  const c2 = (MINUS_B1 * scalar + (ORDER >> 1n)) / ORDER
  return { first: scalar - c1 * A1 - c2 * A2, second: c1 * MINUS_B1 - c2 * B2 }
}

/**
 * scalar * point with a sequence of group operations that is the same for every scalar: 132 doublings and 70 additions by complete formulas. None of them adds
 * infinity, because all digits are odd (Joye and Tunstall, "Exponent recoding and regular exponentiation algorithms", AFRICACRYPT 2009, section 3.2), so
 * a small scalar costs what a large one does. The point's coordinates are scaled by a random factor first (Coron, CHES 1999, section 5.3), so that no number in the
 * arithmetic is short, or known to a peer. BigInt arithmetic itself is not constant time: see the README.
 */
export function multiplySecret(point: Point, scalar: bigint, random: Random): Point {
  checkScalar(scalar)
  const { first, second } = splitScalar(scalar)
  const table = oddMultiplesOf(scaled(point, random))
  const image = table.map(({ X, Y, Z }) => ({ X: Fp.mul(X, BETA), Y, Z }))
  const [ofFirst, ofSecond] = [oddDigits(first | 1n), oddDigits(second | 1n)]
  let sum = addPoints(selectOdd(table, ofFirst[WINDOWS]!), selectOdd(image, ofSecond[WINDOWS]!))
  for (let window = WINDOWS - 1; window >= 0; window--) {
    sum = doublePoint(doublePoint(doublePoint(doublePoint(sum))))
    sum = addPoints(addPoints(sum, selectOdd(table, ofFirst[window]!)), selectOdd(image, ofSecond[window]!))
  }
  // What was added to make an even half odd is taken away, or not: both are computed.
  sum = [addPoints(sum, selectOdd(table, -1)), sum][Number(BigInt.asUintN(1, first))]!
  sum = [addPoints(sum, selectOdd(image, -1)), sum][Number(BigInt.asUintN(1, second))]!
  return toPoint(sum)
}

/** The same point in other projective coordinates, of which nobody knows the factor. */
function scaled({ X, Y, Z }: Point, random: Random): Projective {
  const factor = 1n + (bytesToInteger(random(WIDE_BYTES)) % (Fp.ORDER - 1n))
  return { X: Fp.mul(X, factor), Y: Fp.mul(Y, factor), Z: Fp.mul(Z, factor) }
}

/** 1, 3, ... 15 times the point. */
function oddMultiplesOf(point: Projective): Projective[] {
  const twice = doublePoint(point)
  const table = [point]
  for (let i = 1; i < 1 << (WINDOW_BITS - 1); i++) table.push(addPoints(table[i - 1]!, twice))
  return table
}

/** An odd value of at most 129 bits, negative or not, as the sum of digits[i] 16^i with 34 odd digits from -15 to 15. */
export function oddDigits(value: bigint): number[] {
  const digits: number[] = []
  let rest = value + OFFSET
  for (let window = 0; window < WINDOWS; window++) {
    const digit = Number(BigInt.asUintN(WINDOW_BITS + 1, rest)) - (1 << WINDOW_BITS)
    digits.push(digit)
    rest = (rest - BigInt(digit)) >> BigInt(WINDOW_BITS)
  }
  return [...digits, Number(rest) - 2]
}

/** digit times the point of a table of odd multiples, having looked at every entry. */
function selectOdd(table: readonly Projective[], digit: number): Projective {
  const sign = digit >> 31
  const { X, Y, Z } = select(table, ((digit ^ sign) - sign) >> 1)
  return { X, Y: [Y, Fp.ORDER - Y][-sign]!, Z }
}

const GENERATOR_BITS = 8
/**
 * Bits of the blind. The order is 2^256 - c with c near 2^128, so a multiple of it by a short number leaves the upper bits of a scalar as they are
 * (Schindler and Wiemers 2015 on orders of special form): the blind has to reach through them, and 128 bits would do so with nothing to spare.
 */
const BLIND_BITS = 192
let generatorTables: Projective[][] | undefined

/** The generator's table for scalars of 448 bits, made at first use: 14,280 additions. */
const tablesOfGenerator = (): Projective[][] => (generatorTables ??= windowsOf(Curve.BASE, GENERATOR_BITS, (256 + BLIND_BITS) / GENERATOR_BITS))

/** scalar * G for a secret scalar of one session in 1..q-1: 56 additions, the same for every scalar, by digits of which none belongs to the scalar. */
export function multiplyGenerator(scalar: bigint, random: Random): Point {
  checkScalar(scalar)
  const blinded = blindedScalar(scalar, random)
  return toPoint(sumOfWindows(tablesOfGenerator(), GENERATOR_BITS, blinded, select))
}

/** scalar + blind * q with a fresh blind: the same multiple of every point, and no bit of the scalar in its place. */
export const blindedScalar = (scalar: bigint, random: Random): bigint => scalar + bytesToInteger(random(BLIND_BITS / 8)) * ORDER

/** scalar * G for a public scalar in 0..q-1, in variable time. */
export function multiplyGeneratorPublic(scalar: bigint): Point {
  return toPoint(sumOfWindows(tablesOfGenerator(), GENERATOR_BITS, scalar, (table, digit) => table[digit]!))
}

function checkScalar(scalar: bigint): void {
  if (scalar <= 0n || scalar >= ORDER) throw new RangeError('the scalar is zero or not below the group order')
}

/** For each window of a scalar the multiples of the point that its digit may mean. */
function windowsOf(point: Projective, bits: number, count: number): Projective[][] {
  const tables: Projective[][] = []
  let base = point
  for (let window = 0; window < count; window++) {
    const table = multiplesOf(base, bits)
    tables.push(table)
    base = addPoints(table.at(-1)!, base)
  }
  return tables
}

function sumOfWindows(
  tables: readonly Projective[][],
  bits: number,
  scalar: bigint,
  pick: (table: readonly Projective[], digit: number) => Projective,
): Projective {
  return tables.reduce((sum, table, window) => addPoints(sum, pick(table, digitAt(scalar, window, bits))), INFINITY)
}

/** 0, 1, ... 2^bits - 1 times the point. */
function multiplesOf(point: Projective, bits: number): Projective[] {
  const table = [INFINITY, point]
  for (let i = 2; i < 1 << bits; i++) table.push(addPoints(table[i - 1]!, point))
  return table
}

const digitAt = (value: bigint, window: number, bits: number): number => Number(BigInt.asUintN(bits, value >> BigInt(window * bits)))

/**
 * Entry `digit`, having looked at every entry: at the reference of each. The numbers behind it are read for the chosen entry alone, so caches may show which it
 * was. Digits that are blinded, or serve once, are what that would tell.
 */
function select(table: readonly Projective[], digit: number): Projective {
  let chosen = table[0]!
  for (let i = 1; i < table.length; i++) chosen = i === digit ? table[i]! : chosen
  return chosen
}
