import { bytes, encode, struct, text, uint } from '@holdfast/encoding'
import { schnorr } from '@noble/curves/secp256k1.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { ed25519Group } from '../group/group-ed25519.ts'
import { bytesToInteger, ORDER, parsePoint, pointBytes, reduce } from '../group/group.ts'
import { multiplyGeneratorPublic } from '../group/multiply-secret.ts'

/** The path or an index of it cannot be derived. */
export class DerivationError extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'DerivationError'
  }
}

/** Levels that a path may have. */
export const PATH_LEVELS_MAX = 8
const HARDENED = 0x80000000

/**
 * A child and what leads to it: child secret = factor * parent secret + tweak, modulo the group's order, with a factor of 1 or -1. `point` is G times the
 * child secret as the group encodes it; `publicKey` the same as signatures are verified under it (of taproot the x coordinate alone).
 */
export type Child = { factor: 1n | -1n; tweak: bigint; point: Uint8Array; publicKey: Uint8Array; chainCode: Uint8Array }

/** One level of a path: what was added so far, and where that led. */
type Level = { tweak: bigint; point: Uint8Array; chainCode: Uint8Array }

function walk(publicKey: Uint8Array, chainCode: Uint8Array, path: readonly number[], next: (parent: Level, index: number) => Level): Level {
  if (chainCode.length !== 32) throw new DerivationError('a chain code has 32 bytes')
  if (path.length > PATH_LEVELS_MAX) throw new DerivationError(`a path has at most ${PATH_LEVELS_MAX} levels`)
  let level: Level = { tweak: 0n, point: Uint8Array.from(publicKey), chainCode: Uint8Array.from(chainCode) }
  for (const index of path) {
    if (!Number.isInteger(index) || index < 0 || index >= HARDENED) {
      throw new DerivationError('a path index must be an integer from 0 to 2147483647: hardened children need the whole secret')
    }
    level = next(level, index)
  }
  return level
}

const noChild = (index: number) => new DerivationError(`index ${index} has no child: use the next one`)

/**
 * The non-hardened BIP32 child of a compressed public key (33 bytes) with its chain code (32 bytes) along `path`: CKDpub, once for each index. An empty path is
 * the key itself. Throws DerivationError for a hardened or malformed index and for the one index in 2^127 that has no child.
 */
export function deriveBip32Child(publicKey: Uint8Array, chainCode: Uint8Array, path: readonly number[]): Child {
  parsePoint(publicKey, null, 'the public key')
  const {
    tweak,
    point,
    chainCode: childCode,
  } = walk(publicKey, chainCode, path, (parent, index) => {
    const data = new Uint8Array(37)
    data.set(parent.point)
    new DataView(data.buffer).setUint32(33, index)
    const hashed = hmac(sha512, parent.chainCode, data)
    const left = bytesToInteger(hashed.subarray(0, 32))
    if (left >= ORDER) throw noChild(index)
    const sum = parsePoint(parent.point, null, 'the public key').add(multiplyGeneratorPublic(left))
    if (sum.is0()) throw noChild(index)
    return { tweak: reduce(parent.tweak + left), point: pointBytes(sum), chainCode: hashed.slice(32) }
  })
  return { factor: 1n, tweak, point, publicKey: point, chainCode: childCode }
}

/**
 * The key that a taproot output of the BIP32 child at `path` is locked to: of the child's two keys with that x coordinate the even one, tweaked as BIP341 says for
 * a key without scripts (BIP86). `publicKey` is its x coordinate (32 bytes). Errors as `deriveBip32Child`.
 */
export function deriveTaprootChild(publicKey: Uint8Array, chainCode: Uint8Array, path: readonly number[]): Child {
  const internal = deriveBip32Child(publicKey, chainCode, path)
  const factor = internal.point[0] === 2 ? 1n : -1n
  const tweak = bytesToInteger(schnorr.utils.taggedHash('TapTweak', internal.point.subarray(1)))
  if (tweak >= ORDER) throw new DerivationError('the taproot tweak is not below the group order: use another path')
  const even = parsePoint(Uint8Array.from([2, ...internal.point.subarray(1)]), null, 'the internal key')
  const output = even.add(multiplyGeneratorPublic(tweak))
  if (output.is0()) throw new DerivationError('the taproot output key is infinity: use another path')
  const point = pointBytes(output)
  return { factor, tweak: reduce(factor * internal.tweak + tweak), point, publicKey: point.slice(1), chainCode: internal.chainCode }
}

export const childShape = struct('holdfast/mpc/ed25519-child/v1', { part: text(16), publicKey: bytes(32), index: uint(31) })

/**
 * The child of an ed25519 public key (32 bytes). There is no standard for public derivation on this curve, so this is ours: with the chain code as the key,
 * HMAC-SHA512 of the encoded {part 'tweak', parent, index} read as a little-endian number modulo the order is the tweak, and the first half of that
 * of {part 'chain code', ...} the next chain code. docs/protocol.md. Errors as `deriveBip32Child`.
 */
export function deriveEd25519Child(publicKey: Uint8Array, chainCode: Uint8Array, path: readonly number[]): Child {
  const group = ed25519Group
  group.checkPoint(publicKey, null, 'the public key')
  const {
    tweak,
    point,
    chainCode: childCode,
  } = walk(publicKey, chainCode, path, (parent, index) => {
    const hash = (part: string) => hmac(sha512, parent.chainCode, encode(childShape, { part, publicKey: parent.point, index: BigInt(index) }))
    const added = reduce(bytesToInteger(hash('tweak').reverse()), group.order)
    const sum = group.sum([
      { point: parent.point, by: 1n },
      { point: group.generator, by: added },
    ])
    if (!sum) throw noChild(index)
    return { tweak: reduce(parent.tweak + added, group.order), point: sum, chainCode: hash('chain code').slice(0, 32) }
  })
  return { factor: 1n, tweak, point, publicKey: point, chainCode: childCode }
}
