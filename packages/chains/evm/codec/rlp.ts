import { ChainError } from '@holdfast/chain-core'
import { concatBytes } from '@holdfast/encoding'
import { at } from '@holdfast/units'

/** What RLP can say: a byte string or a list. Source: Ethereum yellow paper, appendix B. */
export type RlpItem = Uint8Array | RlpItem[]

// Transactions nest no deeper than an access list's keys; a bound keeps hostile input from exhausting the stack.
const DEPTH_MAX = 4
// No transaction this wallet understands comes near it, so that a length never has to be trusted beyond three bytes.
const SIZE_MAX_BYTES = 1 << 16

const STRING = 0x80
const LIST = 0xc0
const SHORT_MAX = 55

export function encodeRlp(item: RlpItem): Uint8Array {
  if (item instanceof Uint8Array) {
    if (item.length === 1 && at(item, 0) < STRING) return item
    return concatBytes(lengthPrefix(STRING, item.length), item)
  }
  const content = concatBytes(...item.map(encodeRlp))
  return concatBytes(lengthPrefix(LIST, content.length), content)
}

/** Decodes exactly one item that fills `bytes`. Throws ChainError for any encoding but the one that `encodeRlp` makes. */
export function decodeRlp(bytes: Uint8Array): RlpItem {
  if (bytes.length > SIZE_MAX_BYTES) throw new ChainError(`the transaction has ${bytes.length} bytes; at most ${SIZE_MAX_BYTES} are read`)
  const { item, end } = readItem(bytes, 0, 0)
  if (end !== bytes.length) throw new ChainError(`${bytes.length - end} bytes follow the end of the transaction`)
  return item
}

function lengthPrefix(base: number, length: number): Uint8Array {
  if (length <= SHORT_MAX) return Uint8Array.of(base + length)
  const digits = lengthDigits(length)
  return Uint8Array.of(base + SHORT_MAX + digits.length, ...digits)
}

function lengthDigits(length: number): number[] {
  const digits: number[] = []
  for (let rest = length; rest > 0; rest >>>= 8) digits.unshift(rest & 0xff)
  return digits
}

function readItem(bytes: Uint8Array, offset: number, depth: number): { item: RlpItem; end: number } {
  if (depth > DEPTH_MAX) throw new ChainError('the transaction nests lists deeper than any transaction does')
  const first = bytes[offset]
  if (first === undefined) throw new ChainError('the transaction ends too early')
  if (first < STRING) return { item: bytes.slice(offset, offset + 1), end: offset + 1 }
  const base = first < LIST ? STRING : LIST
  const { start, length } = readLength(bytes, offset, base)
  const end = start + length
  if (end > bytes.length) throw new ChainError('the transaction ends too early')
  if (base === STRING) {
    const item = bytes.slice(start, end)
    if (length === 1 && at(item, 0) < STRING) throw new ChainError('the transaction encodes a small byte the long way')
    return { item, end }
  }
  const items: RlpItem[] = []
  for (let next = start; next < end; ) {
    // The inner view ends where the list ends, so that no element can reach past it.
    const read = readItem(bytes.subarray(0, end), next, depth + 1)
    items.push(read.item)
    next = read.end
  }
  return { item: items, end }
}

function readLength(bytes: Uint8Array, offset: number, base: number): { start: number; length: number } {
  const short = at(bytes, offset) - base
  if (short <= SHORT_MAX) return { start: offset + 1, length: short }
  const count = short - SHORT_MAX
  const digits = bytes.subarray(offset + 1, offset + 1 + count)
  if (digits.length < count) throw new ChainError('the transaction ends too early')
  if (count > 3) throw new ChainError('the transaction names a length that no transaction has')
  const length = digits.reduce((sum, digit) => sum * 256 + digit, 0)
  if (digits[0] === 0 || length <= SHORT_MAX) throw new ChainError('the transaction encodes a length the long way')
  return { start: offset + 1 + count, length }
}
