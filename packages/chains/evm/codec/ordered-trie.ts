import { concatBytes } from '@holdfast/encoding'
import { at } from '@holdfast/units'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { encodeRlp, type RlpItem } from './rlp.ts'
import { uintToBytes } from './uint.ts'

/*
 * The root under which a block's header holds a list, such as its transactions or their receipts: a Merkle-Patricia trie from the RLP of each position to the
 * value there. Source: Ethereum yellow paper, appendix D.
 */

type Leaf = { path: number[]; value: Uint8Array }

const BRANCHES = 16
/** What is shorter stands in its parent itself; anything else is named by its hash. */
const NAMED_FROM_BYTES = 32

/** The root of the list of values. */
export function orderedTrieRoot(values: readonly Uint8Array[]): Uint8Array {
  const leaves = values.map((value, position): Leaf => ({ path: nibblesOf(encodeRlp(uintToBytes(BigInt(position)))), value }))
  return keccak_256(encodeRlp(leaves.length === 0 ? new Uint8Array() : nodeOf(leaves, 0)))
}

/** The node of everything below one path of `depth` nibbles, which all leaves have in common. No path is the beginning of another one. */
function nodeOf(leaves: readonly Leaf[], depth: number): RlpItem {
  const [first, ...others] = leaves as [Leaf, ...Leaf[]]
  if (others.length === 0) return [packed(first.path.slice(depth), true), first.value]
  const differs = first.path.findIndex((nibble, i) => i >= depth && others.some(({ path }) => path[i] !== nibble))
  if (differs > depth) return [packed(first.path.slice(depth, differs), false), referenceOf(nodeOf(leaves, differs))]
  const byNibble = Map.groupBy(leaves, ({ path }) => at(path, depth))
  const children = Array.from({ length: BRANCHES }, (_, nibble) => {
    const below = byNibble.get(nibble)
    return below ? referenceOf(nodeOf(below, depth + 1)) : new Uint8Array()
  })
  return [...children, new Uint8Array()]
}

function referenceOf(node: RlpItem): RlpItem {
  const bytes = encodeRlp(node)
  return bytes.length < NAMED_FROM_BYTES ? node : keccak_256(bytes)
}

/** Nibbles as bytes, with a flag before them that says whether they end in a leaf and whether their number is odd. */
function packed(nibbles: readonly number[], isLeaf: boolean): Uint8Array {
  const flag = isLeaf ? 2 : 0
  const all = nibbles.length % 2 === 0 ? [flag, 0, ...nibbles] : [flag + 1, ...nibbles]
  return Uint8Array.from({ length: all.length / 2 }, (_, i) => at(all, 2 * i) * BRANCHES + at(all, 2 * i + 1))
}

const nibblesOf = (bytes: Uint8Array): number[] => [...bytes].flatMap((byte) => [byte >> 4, byte & 15])

/** What of a list of logs its receipt and its block keep as a filter of 2,048 bits. Source: Ethereum yellow paper, section 4.3.1. */
export function bloomOf(logs: readonly { address: Uint8Array; topics: readonly Uint8Array[] }[]): Uint8Array {
  const bloom = new Uint8Array(256)
  for (const item of logs.flatMap(({ address, topics }) => [address, ...topics])) {
    const hash = keccak_256(item)
    const view = new DataView(hash.buffer, hash.byteOffset)
    for (const offset of [0, 2, 4]) {
      const bit = view.getUint16(offset) & 2047
      const place = 255 - (bit >> 3)
      bloom[place] = at(bloom, place) | (1 << (bit & 7))
    }
  }
  return bloom
}

/** A transaction or receipt as a block holds it: its type and its fields, or for the first type its fields alone (EIP-2718). */
export function typedItem(type: number, fields: RlpItem[]): Uint8Array {
  const content = encodeRlp(fields)
  return type === 0 ? content : concatBytes(Uint8Array.of(type), content)
}
