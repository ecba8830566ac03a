import { equalBytes } from '@holdfast/encoding'
import { at } from '@holdfast/units'
import { sha256 } from '@noble/hashes/sha2.js'

/*
 * The append-only tree of RFC 6962 section 2.1 (and RFC 9162): leaves hashed with prefix 0x00, nodes with 0x01, a tree of
 * n leaves split at the largest power of two below n. The prefixes and fixed lengths make the hashing unambiguous.
 */

export const EMPTY_ROOT = sha256(new Uint8Array(0))

/** The hash of an entry's canonical bytes as a leaf. */
export function leafHash(entry: Uint8Array): Uint8Array {
  const input = new Uint8Array(entry.length + 1)
  input.set(entry, 1)
  return sha256(input)
}

function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  const input = new Uint8Array(65)
  input[0] = 1
  input.set(left, 1)
  input.set(right, 33)
  return sha256(input)
}

/** Keeps the hash of every complete subtree, so that appending, roots and proofs cost O(log n). */
export class MerkleTree {
  // #levels[k][i] is the hash of the complete subtree over leaves [i * 2^k, (i + 1) * 2^k).
  readonly #levels: Uint8Array[][] = [[]]

  get size(): number {
    return at(this.#levels, 0).length
  }

  /** Appends a leaf hash. */
  append(leaf: Uint8Array): void {
    let level = 0
    let hash = leaf
    for (;;) {
      const row = (this.#levels[level] ??= [])
      row.push(hash)
      if (row.length % 2 === 1) return
      hash = nodeHash(at(row, row.length - 2), at(row, row.length - 1))
      level++
    }
  }

  /** The root over the first `size` leaves. */
  root(size = this.size): Uint8Array {
    this.#checkSize(size)
    return size === 0 ? EMPTY_ROOT : this.#hashOf(0, size)
  }

  /** The audit path for leaf `index` in the tree of `size` leaves (RFC 6962, 2.1.1). */
  inclusionProof(index: number, size = this.size): Uint8Array[] {
    this.#checkSize(size)
    if (!Number.isInteger(index) || index < 0 || index >= size) throw new RangeError(`no leaf ${index} in a tree of ${size}`)
    return this.#path(index, 0, size)
  }

  /** The proof that the tree of `oldSize` leaves is a prefix of the tree of `size` leaves (RFC 6962, 2.1.2). */
  consistencyProof(oldSize: number, size = this.size): Uint8Array[] {
    this.#checkSize(size)
    if (!Number.isInteger(oldSize) || oldSize < 0 || oldSize > size) throw new RangeError(`no tree of ${oldSize} in one of ${size}`)
    return oldSize === 0 || oldSize === size ? [] : this.#subProof(oldSize, 0, size, true)
  }

  #checkSize(size: number): void {
    if (!Number.isInteger(size) || size < 0 || size > this.size) throw new RangeError(`the tree has ${this.size} leaves, not ${size}`)
  }

  #hashOf(start: number, size: number): Uint8Array {
    const level = Math.log2(size)
    if (Number.isInteger(level)) return at(at(this.#levels, level), start / size)
    const split = largestPowerBelow(size)
    return nodeHash(this.#hashOf(start, split), this.#hashOf(start + split, size - split))
  }

  #path(index: number, start: number, size: number): Uint8Array[] {
    if (size === 1) return []
    const split = largestPowerBelow(size)
    return index < split
      ? [...this.#path(index, start, split), this.#hashOf(start + split, size - split)]
      : [...this.#path(index - split, start + split, size - split), this.#hashOf(start, split)]
  }

  #subProof(oldSize: number, start: number, size: number, whole: boolean): Uint8Array[] {
    if (oldSize === size) return whole ? [] : [this.#hashOf(start, size)]
    const split = largestPowerBelow(size)
    return oldSize <= split
      ? [...this.#subProof(oldSize, start, split, whole), this.#hashOf(start + split, size - split)]
      : [...this.#subProof(oldSize - split, start + split, size - split, false), this.#hashOf(start, split)]
  }
}

function largestPowerBelow(size: number): number {
  let power = 1
  while (power * 2 < size) power *= 2
  return power
}

/** Whether `leaf` is entry `index` of the tree with this size and root (RFC 9162, 2.1.3.2). */
export function verifyInclusion(input: { leaf: Uint8Array; index: number; size: number; root: Uint8Array; proof: readonly Uint8Array[] }): boolean {
  const { index, size } = input
  if (!Number.isSafeInteger(index) || !Number.isSafeInteger(size) || index < 0 || index >= size) return false
  let fn = BigInt(index)
  let sn = BigInt(size - 1)
  let hash = input.leaf
  for (const node of input.proof) {
    if (sn === 0n || node.length !== 32) return false
    if ((fn & 1n) === 1n || fn === sn) {
      hash = nodeHash(node, hash)
      while ((fn & 1n) === 0n && fn !== 0n) {
        fn >>= 1n
        sn >>= 1n
      }
    } else {
      hash = nodeHash(hash, node)
    }
    fn >>= 1n
    sn >>= 1n
  }
  return sn === 0n && equalBytes(hash, input.root)
}

type Sized = { size: number; root: Uint8Array }

/** Whether the older tree is a prefix of the newer one (RFC 9162, 2.1.4.2). */
export function verifyConsistency(older: Sized, newer: Sized, proof: readonly Uint8Array[]): boolean {
  if (!Number.isSafeInteger(older.size) || !Number.isSafeInteger(newer.size) || older.size < 0 || older.size > newer.size) return false
  if (proof.some((node) => node.length !== 32)) return false
  if (older.size === newer.size) return proof.length === 0 && equalBytes(older.root, newer.root)
  if (older.size === 0) return proof.length === 0 && equalBytes(older.root, EMPTY_ROOT)
  const isPower = (older.size & (older.size - 1)) === 0 && older.size < 2 ** 31
  const path = isPower ? [older.root, ...proof] : [...proof]
  if (path.length === 0) return false
  let fn = BigInt(older.size - 1)
  let sn = BigInt(newer.size - 1)
  while ((fn & 1n) === 1n) {
    fn >>= 1n
    sn >>= 1n
  }
  let oldHash = at(path, 0)
  let newHash = at(path, 0)
  for (const node of path.slice(1)) {
    if (sn === 0n) return false
    if ((fn & 1n) === 1n || fn === sn) {
      oldHash = nodeHash(node, oldHash)
      newHash = nodeHash(node, newHash)
      while ((fn & 1n) === 0n && fn !== 0n) {
        fn >>= 1n
        sn >>= 1n
      }
    } else {
      newHash = nodeHash(newHash, node)
    }
    fn >>= 1n
    sn >>= 1n
  }
  return sn === 0n && equalBytes(oldHash, older.root) && equalBytes(newHash, newer.root)
}
