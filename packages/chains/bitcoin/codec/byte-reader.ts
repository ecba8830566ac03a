import { ChainError } from '@holdfast/chain-core'
import { concatBytes } from '@holdfast/encoding'
import { at } from '@holdfast/units'

/** Reads Bitcoin's little-endian formats front to back. Every method throws ChainError if the bytes end too early. */
export class ByteReader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get left(): number {
    return this.#bytes.length - this.#at
  }

  take(length: number): Uint8Array {
    if (length > this.left) throw new ChainError('the transaction ends too early')
    this.#at += length
    return this.#bytes.slice(this.#at - length, this.#at)
  }

  uint(length: 1 | 2 | 4 | 8): bigint {
    return this.take(length).reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
  }

  uint32(): number {
    return Number(this.uint(4))
  }

  /** A count or length in its shortest form; every longer form of the same number is refused. */
  compactSize(): number {
    const first = at(this.take(1), 0)
    if (first < 0xfd) return first
    const value = this.uint(first === 0xfd ? 2 : first === 0xfe ? 4 : 8)
    const least = first === 0xfd ? 0xfdn : first === 0xfe ? 0x1_0000n : 0x1_0000_0000n
    if (value < least) throw new ChainError('the transaction encodes a length the long way')
    if (value > SIZE_MAX) throw new ChainError('the transaction names a length that no transaction has')
    return Number(value)
  }

  sized(): Uint8Array {
    return this.take(this.compactSize())
  }

  /** Throws unless everything was read. */
  end(): void {
    if (this.left > 0) throw new ChainError(`${this.left} bytes follow the end of the transaction`)
  }
}

// A block has at most four million bytes, so nothing in a transaction is longer.
const SIZE_MAX = 4_000_000n

export function uintBytes(value: bigint | number, length: 1 | 2 | 4 | 8): Uint8Array {
  const bytes = new Uint8Array(length)
  let rest = BigInt(value)
  for (let i = 0; i < length; i++, rest >>= 8n) bytes[i] = Number(rest & 0xffn)
  if (rest !== 0n) throw new ChainError(`${value} does not fit ${length} bytes`)
  return bytes
}

export function compactSize(value: number): Uint8Array {
  if (value < 0xfd) return uintBytes(value, 1)
  if (value <= 0xffff) return concatBytes(Uint8Array.of(0xfd), uintBytes(value, 2))
  return concatBytes(Uint8Array.of(0xfe), uintBytes(value, 4))
}

export function sized(bytes: Uint8Array): Uint8Array {
  return concatBytes(compactSize(bytes.length), bytes)
}
