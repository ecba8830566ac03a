import { ChainError } from '@holdfast/chain-core'
import { concatBytes } from '@holdfast/encoding'
import { at, known } from '@holdfast/units'
import { Cell } from './cell.ts'
import { CellBuilder } from './cell-builder.ts'
import { CellReader } from './cell-reader.ts'

// A comment, which people call memo: 32 zero bits and text in UTF-8, continued in a chain of cells where it is long. Source: the TON
// documentation, "Internal messages", text comments.

const CELL_BYTES = 127
const HEAD_BYTES = CELL_BYTES - 4
/** The longest comment that is read, in bytes: nobody marks a payment with more. */
const BYTES_MAX = 4_096

/** The body of a message that carries a comment. Throws ChainError for a text that has no one form in UTF-8. */
export function commentBody(text: string): Cell {
  const bytes = new TextEncoder().encode(text)
  if (bytes.length === 0 || bytes.length > BYTES_MAX || !text.isWellFormed()) throw new ChainError('a comment has 1 to 4096 bytes of well-formed text')
  let tail: Cell | undefined
  const pieces = [bytes.subarray(0, HEAD_BYTES)]
  for (let at = HEAD_BYTES; at < bytes.length; at += CELL_BYTES) pieces.push(bytes.subarray(at, at + CELL_BYTES))
  for (let i = pieces.length - 1; i >= 0; i--) {
    const cell = new CellBuilder()
    if (i === 0) cell.uint(0, 32)
    cell.bytes(at(pieces, i))
    if (tail) cell.ref(tail)
    tail = cell.cell()
  }
  return known(tail, 'the first cell of a comment')
}

/** The comment that a body carries, or undefined if it carries none, or none that is text. */
export function commentOf(body: Cell): string | undefined {
  if (body.bits.length < 32 || body.isExotic || new CellReader(body).uint(32) !== 0n) return undefined
  const pieces: Uint8Array[] = []
  let size = 0
  for (let cell: Cell | undefined = body, skip = 32; cell; cell = cell.refs[0], skip = 0) {
    if (cell.isExotic || (cell.bits.length - skip) % 8 !== 0) return undefined
    const reader = new CellReader(cell)
    reader.skip(skip)
    const piece = reader.bytes(reader.bitsLeft / 8)
    size += piece.length
    if (size > BYTES_MAX) return undefined
    pieces.push(piece)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(concatBytes(...pieces)) || undefined
  } catch {
    return undefined
  }
}
