import { digest, bytes, struct } from '@holdfast/encoding'
import { type BaseOtPoint, type Exponent, normalized, parseBaseOtPoint, randomExponent, randomPoint, type ToExponent } from './base-ot-group.ts'
import { ProtocolFault } from '../round/errors.ts'
import { hashToPoint } from './hash-to-point.ts'
import { LAMBDA_C, OT_KEY_BYTES, POINT_BYTES } from '../round/parameters.ts'
import type { Random } from '../round/randomness.ts'
import { hashWithPrefix } from '../round/transcript.ts'

/**
 * Endemic base OT: Masny and Rindal, "Endemic Oblivious Transfer" (eprint 2019/706), over Diffie-Hellman in P-256, one message each way.
 * DKLs23 section 5.1 names it for the set-up of the OT extension. 128 instances share the sender's one point.
 * Instance i with choice bit c: the receiver sends (r_0, r_1) with r_c = t G - H_c(r_{1-c}) and r_{1-c} random; the sender sends A = a G;
 * its keys are KDF(x of a (r_b + H_b(r_{1-b}))) for b = 0, 1, and the receiver's is KDF(x of t A).
 */
const DOMAIN = 'holdfast/mpc/base-ot/v2/P256_XMD:SHA-256_SSWU_RO_'
const PAIR_BYTES = 2 * POINT_BYTES

/** Bytes of the receiver's message: two points for each of 128 instances. */
export const CHOOSE_BYTES = LAMBDA_C * PAIR_BYTES

export const keyPrefixShape = struct('holdfast/mpc/base-ot/keys/v2', { prefix: bytes(32), choose: bytes(CHOOSE_BYTES), answer: bytes(POINT_BYTES) })

/** Bit i of a string of bits, least significant bit of each byte first. */
export const bitOf = (bits: Uint8Array, i: number): number => (bits[i >> 3]! >> (i & 7)) & 1

/** Label of instance i and choice b in a hash: 3 bytes. */
const label = (i: number, b: number): Uint8Array => Uint8Array.of(i >> 8, i & 255, b)

/** H_b of instance i: a random oracle into the group. `prefix` (32 bytes) names the session and the direction. */
function oracle(prefix: Uint8Array, i: number, b: number, point: Uint8Array): BaseOtPoint {
  // Fixed layout: 32 bytes of prefix, 3 of label, 33 of point.
  const message = new Uint8Array(prefix.length + 3 + POINT_BYTES)
  message.set(prefix)
  message.set(label(i, b), prefix.length)
  message.set(point, prefix.length + 3)
  return hashToPoint(message, DOMAIN)
}

export type Chosen = { choices: Uint8Array; exponents: Exponent[]; message: Uint8Array }

/** The receiver's message for the 128 bits of `choices`. */
export function chooseBaseOts(prefix: Uint8Array, choices: Uint8Array, random: Random, toExponent?: ToExponent): Chosen {
  const exponents: Exponent[] = []
  const others: Uint8Array[] = []
  const mine: BaseOtPoint[] = []
  for (let i = 0; i < LAMBDA_C; i++) {
    const exponent = randomExponent(random, toExponent)
    const other = randomPoint(random).toBytes(true)
    exponents.push(exponent)
    others.push(other)
    mine.push(exponent.point.subtract(oracle(prefix, i, bitOf(choices, i), other)))
  }
  const message = new Uint8Array(CHOOSE_BYTES)
  normalized(mine).forEach((chosen, i) => {
    const c = bitOf(choices, i)
    message.set(chosen.toBytes(true), i * PAIR_BYTES + c * POINT_BYTES)
    message.set(others[i]!, i * PAIR_BYTES + (1 - c) * POINT_BYTES)
  })
  return { choices, exponents, message }
}

/** The sender's answer (33 bytes) and its 128 pairs of keys: key 0 then key 1 of each instance, 32 bytes each. */
export function answerBaseOts(
  prefix: Uint8Array,
  choose: Uint8Array,
  peer: number,
  random: Random,
  toExponent?: ToExponent,
): { answer: Uint8Array; keys: Uint8Array } {
  const secret = randomExponent(random, toExponent)
  const answer = secret.point.toBytes(true)
  const sums: BaseOtPoint[] = []
  for (let i = 0; i < LAMBDA_C; i++) {
    const pair = [0, 1].map((b) => choose.subarray(i * PAIR_BYTES + b * POINT_BYTES, i * PAIR_BYTES + (b + 1) * POINT_BYTES))
    for (const b of [0, 1]) {
      const sum = parseBaseOtPoint(pair[b]!, peer, 'a base OT point').add(oracle(prefix, i, b, pair[1 - b]!))
      if (sum.is0()) throw new ProtocolFault(peer, 'a base OT point gives infinity')
      sums.push(sum)
    }
  }
  const keyPrefix = digest(keyPrefixShape, { prefix, choose, answer })
  const keys = new Uint8Array(2 * LAMBDA_C * OT_KEY_BYTES)
  normalized(sums).forEach((sum, at) => keys.set(keyOf(keyPrefix, at >> 1, at & 1, secret.sharedX(sum)), at * OT_KEY_BYTES))
  return { answer, keys }
}

/** The receiver's 128 keys, of 32 bytes each, from the sender's answer. */
export function openBaseOts(prefix: Uint8Array, chosen: Chosen, answer: Uint8Array, peer: number): Uint8Array {
  const point = parseBaseOtPoint(answer, peer, 'the base OT answer')
  const keyPrefix = digest(keyPrefixShape, { prefix, choose: chosen.message, answer })
  const keys = new Uint8Array(LAMBDA_C * OT_KEY_BYTES)
  chosen.exponents.forEach((exponent, i) => keys.set(keyOf(keyPrefix, i, bitOf(chosen.choices, i), exponent.sharedX(point)), i * OT_KEY_BYTES))
  return keys
}

const keyOf = (keyPrefix: Uint8Array, i: number, b: number, sharedX: Uint8Array): Uint8Array => hashWithPrefix(OT_KEY_BYTES, keyPrefix, label(i, b), sharedX)
