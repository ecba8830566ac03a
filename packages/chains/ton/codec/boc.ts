import { ChainError } from '@holdfast/chain-core'
import { concatBytes, equalBytes, fromHex, toHex } from '@holdfast/encoding'
import { at, known, last } from '@holdfast/units'
import { augmented, type Bits, Cell, lengthDescriptor } from './cell.ts'

// A bag of cells: how cells are written as bytes. Source: TON's crypto/tl/boc.tlb, serialized_boc.

const MAGIC = fromHex('b5ee9c72')
const HAS_INDEX = 0x80
const HAS_CRC = 0x40
const CRC_BYTES = 4
/** More than this no message and no transaction has; whoever sends more wants our memory. */
const CELLS_MAX = 1 << 16
// CRC-32C (Castagnoli), reflected.
const CRC_POLYNOMIAL = 0x82f63b78

/** The one canonical way in which we write a cell and all below it: each cell once, before those it refers to, without index and checksum. */
export function serializeBoc(root: Cell): Uint8Array {
  const order = inOrder(root)
  const indexOf = new Map(order.map((cell, i) => [toHex(cell.hash), i]))
  const indexBytes = bytesFor(order.length)
  const written = order.map((cell) => {
    const refs = cell.refs.map((each) => bigEndian(known(indexOf.get(toHex(each.hash)), 'the index of a cell'), indexBytes))
    const flags = cell.refs.length + (cell.isExotic ? 8 : 0) + 32 * cell.levelMask
    return concatBytes(Uint8Array.of(flags, lengthDescriptor(cell.bits)), augmented(cell.bits), ...refs)
  })
  const size = written.reduce((sum, each) => sum + each.length, 0)
  const offsetBytes = bytesFor(size)
  const number = (value: number) => bigEndian(value, indexBytes)
  const head = concatBytes(MAGIC, Uint8Array.of(indexBytes, offsetBytes), number(order.length), number(1), number(0), bigEndian(size, offsetBytes), number(0))
  return concatBytes(head, ...written)
}

/** The root of a bag with exactly one. Any valid way of writing it is read, as nodes differ; throws ChainError for everything else. */
export function parseBoc(given: Uint8Array): Cell {
  // A copy: what was given may be a Buffer, whose slices share its memory.
  const bytes = Uint8Array.from(given)
  const read = byteReader(bytes)
  if (!equalBytes(read.take(4), MAGIC)) throw new ChainError('the bytes are no bag of cells')
  const flags = read.number(1)
  const indexBytes = flags & 0x07
  if ((flags & 0x38) !== 0 || indexBytes < 1 || indexBytes > 4) throw new ChainError('a bag of cells of an unknown kind')
  const offsetBytes = read.number(1)
  if (offsetBytes < 1 || offsetBytes > 6) throw new ChainError('a bag of cells of an unknown kind')
  const count = read.number(indexBytes)
  const roots = read.number(indexBytes)
  const absent = read.number(indexBytes)
  const size = read.number(offsetBytes)
  if (roots !== 1 || absent !== 0 || count < 1 || count > CELLS_MAX) throw new ChainError(`a bag of ${count} cells with ${roots} roots`)
  const root = read.number(indexBytes)
  if (flags & HAS_INDEX) read.take(count * offsetBytes)
  const start = read.at()
  const drafts = Array.from({ length: count }, () => readCell(read, indexBytes))
  if (read.at() - start !== size) throw new ChainError('the cells of a bag have another size than it says')
  if (flags & HAS_CRC) {
    const crc = crc32c(bytes.subarray(0, read.at()))
    if (!equalBytes(read.take(CRC_BYTES), crc)) throw new ChainError('the checksum of a bag of cells is wrong')
  }
  if (read.at() !== bytes.length) throw new ChainError('bytes follow a bag of cells')
  const cells: Cell[] = []
  for (let i = count - 1; i >= 0; i--) {
    const { bits, refs, isExotic, level } = at(drafts, i)
    const children = refs.map((index) => {
      if (index <= i || index >= count) throw new ChainError('a cell of a bag refers to itself or to nothing')
      return at(cells, index)
    })
    cells[i] = new Cell(bits, children, isExotic)
    if (at(cells, i).levelMask !== level) throw new ChainError('a cell of a bag has another level than it says')
  }
  if (root >= count) throw new ChainError('a bag of cells without its root')
  return at(cells, root)
}

type Draft = { bits: Bits; refs: number[]; isExotic: boolean; level: number }

function readCell(read: ReturnType<typeof byteReader>, indexBytes: number): Draft {
  const flags = read.number(1)
  const refCount = flags & 0x07
  if (refCount > 4 || (flags & 0x10) !== 0) throw new ChainError('a cell of a bag of an unknown kind')
  const descriptor = read.number(1)
  const data = read.take(Math.ceil(descriptor / 2)).slice()
  let length = data.length * 8
  if (descriptor % 2 === 1) {
    const end = last(data)
    const zeros = Math.clz32(end & -end) ^ 31
    // A last byte that is not full has its end marked, and is not full by at least one bit of content.
    if (end === 0 || zeros === 7) throw new ChainError('a cell of a bag does not say where its bits end')
    length -= zeros + 1
    data[data.length - 1] = end & (end - 1)
  }
  const refs = Array.from({ length: refCount }, () => read.number(indexBytes))
  return { bits: { data, length }, refs, isExotic: (flags & 8) !== 0, level: flags >> 5 }
}

/** Each cell once, every one before those it refers to. */
function inOrder(root: Cell): Cell[] {
  const seen = new Set<string>()
  const order: Cell[] = []
  const visit = (cell: Cell): void => {
    const key = toHex(cell.hash)
    if (seen.has(key)) return
    seen.add(key)
    for (const each of [...cell.refs].reverse()) visit(each)
    order.unshift(cell)
  }
  visit(root)
  return order
}

function byteReader(bytes: Uint8Array) {
  let at = 0
  const take = (length: number): Uint8Array => {
    if (at + length > bytes.length) throw new ChainError('a bag of cells ends too early')
    at += length
    return bytes.subarray(at - length, at)
  }
  return { take, at: () => at, number: (length: number) => take(length).reduce((value, byte) => value * 256 + byte, 0) }
}

function bytesFor(value: number): number {
  return Math.max(1, Math.ceil(value.toString(16).length / 2))
}

function bigEndian(value: number, length: number): Uint8Array {
  return fromHex(value.toString(16).padStart(2 * length, '0'))
}

function crc32c(bytes: Uint8Array): Uint8Array {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let i = 0; i < 8; i++) crc = crc & 1 ? (crc >>> 1) ^ CRC_POLYNOMIAL : crc >>> 1
  }
  return bigEndian((crc ^ 0xffffffff) >>> 0, 4).reverse()
}
