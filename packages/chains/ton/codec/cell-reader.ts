import { ChainError } from '@holdfast/chain-core'
import { at } from '@holdfast/units'
import type { Address } from './address.ts'
import { type Bits, Cell } from './cell.ts'

/** Reads a cell from its first bit to its last. Throws ChainError if it ends too early or says what no such cell can say. */
export class CellReader {
  readonly #cell: Cell
  #at = 0
  #ref = 0

  constructor(cell: Cell) {
    this.#cell = cell
  }

  get bitsLeft(): number {
    return this.#cell.bits.length - this.#at
  }

  get refsLeft(): number {
    return this.#cell.refs.length - this.#ref
  }

  uint(bits: number): bigint {
    this.#require(bits)
    let value = 0n
    let left = bits
    while (left > 0) {
      const free = 8 - (this.#at & 7)
      const taken = Math.min(free, left)
      const part = (at(this.#cell.bits.data, this.#at >> 3) >> (free - taken)) & ((1 << taken) - 1)
      value = (value << BigInt(taken)) | BigInt(part)
      this.#at += taken
      left -= taken
    }
    return value
  }

  number(bits: number): number {
    return Number(this.uint(bits))
  }

  int(bits: number): bigint {
    return BigInt.asIntN(bits, this.uint(bits))
  }

  bit(): boolean {
    return this.uint(1) === 1n
  }

  bytes(length: number): Uint8Array {
    this.#require(length * 8)
    return Uint8Array.from({ length }, () => this.number(8))
  }

  skip(bits: number): void {
    this.#require(bits)
    this.#at += bits
  }

  /** An amount of coins. A number with leading zero bytes is refused: each amount has one form. */
  coins(): bigint {
    const bytes = this.number(4)
    const value = this.uint(bytes * 8)
    if (bytes > 0 && value >> BigInt(bytes * 8 - 8) === 0n) throw new ChainError('an amount has zeros before it')
    return value
  }

  /** An address of an account, or null for none and for every other kind of address. */
  address(): Address | null {
    const kind = this.number(2)
    if (kind === 0) return null
    if (kind === 1) {
      this.skip(this.number(9))
      return null
    }
    const hasAnycast = this.bit()
    if (hasAnycast) this.skip(this.number(5))
    if (kind === 3) {
      const length = this.number(9)
      this.skip(32 + length)
      return null
    }
    const workchain = Number(this.int(8))
    const hash = this.bytes(32)
    return hasAnycast ? null : { workchain, hash }
  }

  ref(): Cell {
    const cell = this.#cell.refs[this.#ref++]
    if (!cell) throw new ChainError('a cell has fewer references than belong there')
    return cell
  }

  maybeRef(): Cell | null {
    return this.bit() ? this.ref() : null
  }

  /** What is left, as a cell of its own. */
  rest(): Cell {
    return new Cell(this.slice(this.bitsLeft), this.#cell.refs.slice(this.#ref))
  }

  /** The next bits, as they stand. */
  slice(length: number): Bits {
    this.#require(length)
    const data = new Uint8Array(Math.ceil(length / 8))
    for (let at = 0; at < data.length; at++) {
      const taken = Math.min(8, length - 8 * at)
      data[at] = this.number(taken) << (8 - taken)
    }
    return { data, length }
  }

  /** Throws ChainError unless everything has been read. */
  end(): void {
    if (this.bitsLeft > 0 || this.refsLeft > 0) throw new ChainError('a cell holds more than belongs there')
  }

  #require(bits: number): void {
    if (this.#at + bits > this.#cell.bits.length) throw new ChainError('a cell ends too early')
  }
}
