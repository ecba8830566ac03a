import { ChainError } from '@holdfast/chain-core'
import { at } from '@holdfast/units'
import type { Address } from './address.ts'
import { type Bits, BITS_MAX, Cell } from './cell.ts'

/** Writes a cell from its first bit to its last. Throws ChainError for what does not fit. */
export class CellBuilder {
  readonly #data = new Uint8Array(Math.ceil(BITS_MAX / 8))
  readonly #refs: Cell[] = []
  #length = 0

  uint(value: bigint | number, bits: number): this {
    const number = BigInt(value)
    if (number < 0n || number >> BigInt(bits) !== 0n) throw new ChainError(`${value} does not fit into ${bits} bits`)
    if (this.#length + bits > BITS_MAX) throw new ChainError(`a cell has at most ${BITS_MAX} bits`)
    for (let bit = bits - 1; bit >= 0; bit--, this.#length++) {
      const place = this.#length >> 3
      if ((number >> BigInt(bit)) & 1n) this.#data[place] = at(this.#data, place) | (0x80 >> (this.#length & 7))
    }
    return this
  }

  int(value: bigint | number, bits: number): this {
    const number = BigInt(value)
    if (BigInt.asIntN(bits, number) !== number) throw new ChainError(`${value} does not fit into ${bits} bits`)
    return this.uint(BigInt.asUintN(bits, number), bits)
  }

  bit(value: boolean): this {
    return this.uint(value ? 1 : 0, 1)
  }

  bytes(value: Uint8Array): this {
    for (const byte of value) this.uint(byte, 8)
    return this
  }

  /** Bits of another cell, one after the other. */
  bits({ data, length }: Bits): this {
    for (let bit = 0; bit < length; bit++) this.uint((at(data, bit >> 3) >> (7 - (bit & 7))) & 1, 1)
    return this
  }

  /** An amount of coins: how many bytes it has in 4 bits, and these (`VarUInteger 16`). */
  coins(value: bigint): this {
    if (value < 0n) throw new ChainError(`${value} is no amount of coins`)
    const bytes = value === 0n ? 0 : Math.ceil(value.toString(16).length / 2)
    if (bytes > 15) throw new ChainError(`the amount ${value} does not fit into 120 bits`)
    return this.uint(bytes, 4).uint(value, bytes * 8)
  }

  /** An address in its standard form (`addr_std` without anycast), or none. */
  address(address: Address | null): this {
    if (address === null) return this.uint(0, 2)
    return this.uint(0b100, 3).int(address.workchain, 8).bytes(address.hash)
  }

  ref(cell: Cell): this {
    this.#refs.push(cell)
    return this
  }

  content(): Bits {
    return { data: this.#data.slice(0, Math.ceil(this.#length / 8)), length: this.#length }
  }

  cell(): Cell {
    return new Cell(this.content(), [...this.#refs])
  }
}
