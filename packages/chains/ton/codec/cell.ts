import { ChainError } from '@holdfast/chain-core'
import { concatBytes } from '@holdfast/encoding'
import { at, last } from '@holdfast/units'
import { sha256 } from '@noble/hashes/sha2.js'

/** Up to 1,023 bits: whole bytes, the unused bits of the last one zero. */
export type Bits = { data: Uint8Array; length: number }
/** What a cell that refers to another takes in of it. */
export type CellId = { hash: Uint8Array; depth: number }

export const BITS_MAX = 1_023
export const REFS_MAX = 4
const DEPTH_MAX = 1_024
const LEVELS = 4
const HASH_BYTES = 32
const HASH_BITS = 256
// The kinds of exotic cells, by their first byte.
const PRUNED = 1
const LIBRARY = 2
const PROOF = 3
const UPDATE = 4

/**
 * A cell of TON: bits and up to four references to other cells. Its hash covers everything below it. Source: the TON documentation,
 * "Cells" and "Exotic cells". A cell of a proof has a hash for each level of what was cut out below it.
 */
export class Cell {
  readonly bits: Bits
  readonly refs: readonly Cell[]
  readonly isExotic: boolean
  readonly levelMask: number
  readonly #ids: CellId[] = []

  /** Throws ChainError for what no cell can be. */
  constructor(bits: Bits, refs: readonly Cell[] = [], isExotic = false) {
    if (bits.length > BITS_MAX) throw new ChainError(`a cell has at most ${BITS_MAX} bits, not ${bits.length}`)
    if (refs.length > REFS_MAX) throw new ChainError(`a cell has at most ${REFS_MAX} references, not ${refs.length}`)
    this.bits = bits
    this.refs = refs
    this.isExotic = isExotic
    const kind = isExotic ? exoticKind(bits, refs) : 0
    this.levelMask = levelMaskOf(kind, bits, refs)
    for (let level = 0; level < LEVELS; level++) this.#ids.push(this.#idAt(level, kind))
  }

  get hash(): Uint8Array {
    return this.idAt(LEVELS - 1).hash
  }

  get depth(): number {
    return this.idAt(LEVELS - 1).depth
  }

  /** The hash and depth that count at a level; all the same for a cell that belongs to no proof. */
  idAt(level: number): CellId {
    return at(this.#ids, Math.min(level, LEVELS - 1))
  }

  #idAt(level: number, kind: number): CellId {
    const { bits, refs, levelMask } = this
    if (level > 0 && ((levelMask >> (level - 1)) & 1) === 0) return at(this.#ids, level - 1)
    const below = levelMask & ((1 << level) - 1)
    if (kind === PRUNED && below !== levelMask) {
      const place = countOnes(below)
      const hashes = countOnes(levelMask)
      const hash = bits.data.slice(2 + HASH_BYTES * place, 2 + HASH_BYTES * (place + 1))
      const depthAt = 2 + HASH_BYTES * hashes + 2 * place
      return { hash, depth: (at(bits.data, depthAt) << 8) | at(bits.data, depthAt + 1) }
    }
    const shift = kind === PROOF || kind === UPDATE ? 1 : 0
    const children = refs.map((each) => each.idAt(level + shift))
    const isFirst = kind === PRUNED || level === 0
    // Above its first level a cell has the hash of the level below in place of its bits.
    const content = isFirst ? augmented(bits) : at(this.#ids, level - 1).hash
    return representation(content, children, (this.isExotic ? 8 : 0) + 32 * below, bits)
  }
}

/** The hash and depth of an ordinary cell with these bits that refers to these cells, whether they are at hand or not. */
export function ordinaryCellId(bits: Bits, refs: readonly CellId[]): CellId {
  return representation(augmented(bits), refs, 0, bits)
}

function representation(content: Uint8Array, refs: readonly CellId[], flags: number, bits: Bits): CellId {
  const depth = refs.reduce((deepest, each) => Math.max(deepest, each.depth + 1), 0)
  if (depth > DEPTH_MAX) throw new ChainError(`the cells are more than ${DEPTH_MAX} deep`)
  const depths = refs.map((each) => Uint8Array.of(each.depth >> 8, each.depth & 0xff))
  const descriptors = Uint8Array.of(refs.length + flags, lengthDescriptor(bits))
  return { depth, hash: sha256(concatBytes(descriptors, content, ...depths, ...refs.map((each) => each.hash))) }
}

export function lengthDescriptor({ length }: Bits): number {
  return Math.floor(length / 8) + Math.ceil(length / 8)
}

/** The bytes of bits, where a last byte that is not full ends in a one and zeros. */
export function augmented({ data, length }: Bits): Uint8Array {
  const bytes = data.slice(0, Math.ceil(length / 8))
  if (length % 8 !== 0) bytes[bytes.length - 1] = last(bytes) | (0x80 >> (length % 8))
  return bytes
}

/** The kind of an exotic cell. Throws ChainError if bits or references are not those of its kind. */
function exoticKind({ data, length }: Bits, refs: readonly Cell[]): number {
  const kind = length >= 8 ? at(data, 0) : 0
  const pruned = 16 + countOnes(data[1] ?? 0) * (HASH_BITS + 16)
  const sizes: Record<number, [number, number]> = { [PRUNED]: [pruned, 0], [LIBRARY]: [264, 0], [PROOF]: [280, 1], [UPDATE]: [552, 2] }
  const [bits, references] = sizes[kind] ?? []
  const hasLevels = kind !== PRUNED || (at(data, 1) >= 1 && at(data, 1) <= 7)
  if (bits !== length || references !== refs.length || !hasLevels) throw new ChainError('an exotic cell of no known kind')
  return kind
}

function levelMaskOf(kind: number, { data }: Bits, refs: readonly Cell[]): number {
  if (kind === PRUNED) return at(data, 1)
  const joined = refs.reduce((mask, each) => mask | each.levelMask, 0)
  return kind === PROOF || kind === UPDATE ? joined >> 1 : joined
}

function countOnes(mask: number): number {
  return (mask & 1) + ((mask >> 1) & 1) + ((mask >> 2) & 1)
}
