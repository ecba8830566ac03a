import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToInteger, ORDER, type Point } from './group.ts'
import { addPoints, doublePoint, INFINITY, type Projective, toPoint } from './point-arithmetic.ts'
import type { Random } from './randomness.ts'

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
/** Both halves of a split scalar are below 2^129 in size. */
const WINDOWS = 33

/** scalar = first + second * LAMBDA modulo q, both parts short and possibly negative. */
export function splitScalar(scalar: bigint): { first: bigint; second: bigint } {
  const c1 = (B2 * scalar + (ORDER >> 1n)) / ORDER
  const c2 = (MINUS_B1 * scalar + (ORDER >> 1n)) / ORDER
  return { first: scalar - c1 * A1 - c2 * A2, second: c1 * MINUS_B1 - c2 * B2 }
}

/**
 * scalar * point with a sequence of group operations that is the same for every scalar: 128 doublings and 66 additions by complete
 * formulas, each addend selected by reading the whole table. The library's also blinds the scalar; the scalars multiplied here live for one session. BigInt
 * arithmetic itself is not constant time: see the README.
 */
export function multiplySecret(point: Point, scalar: bigint): Point {
  checkScalar(scalar)
  const { first, second } = splitScalar(scalar)
  const mirrored = point.negate()
  const table = multiplesOf(first < 0n ? mirrored : point, WINDOW_BITS)
  const image = imageOf(table, first < 0n !== second < 0n)
  const digitsOfFirst = digits(first < 0n ? -first : first)
  const digitsOfSecond = digits(second < 0n ? -second : second)
  let sum = INFINITY
  for (let window = WINDOWS - 1; window >= 0; window--) {
    if (window !== WINDOWS - 1) sum = doublePoint(doublePoint(doublePoint(doublePoint(sum))))
    sum = addPoints(addPoints(sum, select(table, digitsOfFirst[window]!)), select(image, digitsOfSecond[window]!))
  }
  return toPoint(sum)
}

const GENERATOR_BITS = 8
const BLIND_BITS = 64
let generatorTables: Projective[][] | undefined

/** The generator's table for scalars of 320 bits, made at first use: 10,200 additions. */
const tablesOfGenerator = (): Projective[][] => (generatorTables ??= windowsOf(Curve.BASE, GENERATOR_BITS, (256 + BLIND_BITS) / GENERATOR_BITS))

/**
 * scalar * G for a secret scalar of one session in 1..q-1: 40 additions, the same for every scalar, whose digits are those of scalar + blind * q, with 64 bits
 * of fresh `blind`, so that no digit belongs to the scalar.
 */
export function multiplyGenerator(scalar: bigint, random: Random): Point {
  checkScalar(scalar)
  const blind = bytesToInteger(random(BLIND_BITS / 8))
  return toPoint(sumOfWindows(tablesOfGenerator(), GENERATOR_BITS, scalar + blind * ORDER, select))
}

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

function digits(value: bigint): number[] {
  return Array.from({ length: WINDOWS }, (_, window) => digitAt(value, window, WINDOW_BITS))
}

const digitAt = (value: bigint, window: number, bits: number): number => Number(BigInt.asUintN(bits, value >> BigInt(window * bits)))

/** The table times LAMBDA, or times -LAMBDA. */
function imageOf(table: readonly Projective[], negative: boolean): Projective[] {
  return table.map(({ X, Y, Z }) => {
    const mirrored = Fp.neg(Y)
    return { X: Fp.mul(X, BETA), Y: negative ? mirrored : Y, Z }
  })
}

/** Entry `digit`, having looked at every entry. */
function select(table: readonly Projective[], digit: number): Projective {
  let chosen = table[0]!
  for (let i = 1; i < table.length; i++) chosen = i === digit ? table[i]! : chosen
  return chosen
}
