import { concatBytes } from '@holdfast/encoding'

/** Cuts a file that comes in pieces of any size into parts of the lengths that are asked for, and holds no more than a part and a piece of it. */
export class PartReader {
  readonly #pieces: AsyncIterator<Uint8Array>
  #held: Uint8Array[] = []
  #heldBytes = 0

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.#pieces = pieces[Symbol.asyncIterator]()
  }

  /** Whether the file has so many more bytes. */
  async has(length: number): Promise<boolean> {
    while (this.#heldBytes < length) {
      const { done, value } = await this.#pieces.next()
      if (done) return false
      // What is cut from a Buffer is a Buffer again, and shares memory with all of it also where it looks like a copy.
      this.#held.push(new Uint8Array(value.buffer, value.byteOffset, value.length))
      this.#heldBytes += value.length
    }
    return true
  }

  /** The next so many bytes, or undefined if there are fewer: then none are taken. They are part of what was read: who keeps them copies them. */
  async take(length: number): Promise<Uint8Array | undefined> {
    if (!(await this.has(length))) return undefined
    const [first, ...more] = this.#held
    const all = first && more.length === 0 ? first : concatBytes(...this.#held)
    this.#held = [all.subarray(length)]
    this.#heldBytes -= length
    return all.subarray(0, length)
  }

  /** Lets go of a file that is not read to its end. */
  async close(): Promise<void> {
    await this.#pieces.return?.()
  }
}
