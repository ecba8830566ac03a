import { at } from '@holdfast/units'

/** Why a connection was given up. The message says what the peer did or failed to do. */
export class LinkError extends Error {
  override name = 'LinkError'
}

const HEADER_BYTES = 4

/** Cuts what arrives on a connection into frames: four bytes of length, big-endian, and as many bytes of content. */
export class FrameReader {
  readonly #incoming: AsyncIterator<Uint8Array>
  #pieces: Uint8Array[] = []
  #buffered = 0
  /** Called for whatever comes, also of a frame that is still on its way. */
  onHeard: () => void = () => {}

  constructor(incoming: AsyncIterable<Uint8Array>) {
    this.#incoming = incoming[Symbol.asyncIterator]()
  }

  /**
   * The next frame's content, or undefined if the peer closed between two frames. Throws LinkError if it closed
   * inside one, or announces more than `maxBytes`: nothing is kept for a frame before its length is known to be allowed.
   */
  async next(maxBytes: number): Promise<Uint8Array | undefined> {
    if (!(await this.#gather(HEADER_BYTES))) {
      if (this.#buffered > 0) throw new LinkError('the connection ended inside a frame')
      return undefined
    }
    const header = this.#take(HEADER_BYTES)
    const length = new DataView(header.buffer, header.byteOffset, HEADER_BYTES).getUint32(0)
    if (length > maxBytes) throw new LinkError(`a frame of ${length} bytes where at most ${maxBytes} are allowed`)
    if (!(await this.#gather(length))) throw new LinkError('the connection ended inside a frame')
    return this.#take(length)
  }

  async #gather(count: number): Promise<boolean> {
    while (this.#buffered < count) {
      const { done, value } = await this.#incoming.next()
      if (done) return false
      this.#pieces.push(value)
      this.#buffered += value.length
      this.onHeard()
    }
    return true
  }

  #take(count: number): Uint8Array {
    const out = new Uint8Array(count)
    let filled = 0
    while (filled < count) {
      const piece = at(this.#pieces, 0)
      const part = piece.subarray(0, count - filled)
      out.set(part, filled)
      filled += part.length
      if (part.length === piece.length) this.#pieces.shift()
      else this.#pieces[0] = piece.subarray(part.length)
    }
    this.#buffered -= count
    return out
  }
}

/** The content with its length before it. */
export function writeFrame(content: Uint8Array): Uint8Array {
  const out = new Uint8Array(HEADER_BYTES + content.length)
  new DataView(out.buffer).setUint32(0, content.length)
  out.set(content, HEADER_BYTES)
  return out
}
