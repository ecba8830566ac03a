import type { Connection } from '@holdfast/ports'
import { openBytes, sealBytes } from './chacha20-poly1305.ts'
import { type FrameReader, LinkError, writeFrame } from './frame-reader.ts'
import type { LinkKeys } from './handshake.ts'

/** The most a message between processes may have: the largest call body and room for what is around it. */
export const MESSAGE_BYTES_MAX = 6 << 20
const TAG_BYTES = 16

/**
 * Frames sealed with ChaCha20-Poly1305 (RFC 8439), one key for each direction, the nonce a counter of that direction's
 * frames. So a frame that is changed, dropped, repeated, reordered or turned back to its sender does not open.
 */
export class SecureChannel {
  readonly #connection: Connection
  readonly #reader: FrameReader
  readonly #keys: LinkKeys
  #sent = 0n
  #received = 0n

  constructor(connection: Connection, reader: FrameReader, keys: LinkKeys) {
    this.#connection = connection
    this.#reader = reader
    this.#keys = keys
  }

  /** Sends a message. The order of the calls is the order on the wire. */
  send(message: Uint8Array): Promise<void> {
    if (message.length > MESSAGE_BYTES_MAX) return Promise.reject(new LinkError(`a message of ${message.length} bytes is too large to send`))
    return this.#connection.write(writeFrame(sealBytes(this.#keys.sendKey, nonceOf(this.#sent++), message)))
  }

  /** The next message, or undefined if the peer closed. Throws LinkError for a frame that does not open. */
  async receive(): Promise<Uint8Array | undefined> {
    const frame = await this.#reader.next(MESSAGE_BYTES_MAX + TAG_BYTES)
    if (!frame) return undefined
    try {
      return openBytes(this.#keys.receiveKey, nonceOf(this.#received++), frame)
    } catch (cause) {
      throw new LinkError('a frame that was changed on its way', { cause })
    }
  }

  close(): void {
    this.#connection.close()
  }
}

// 64 bits of counter cannot run out in the life of a connection.
function nonceOf(counter: bigint): Uint8Array {
  const nonce = new Uint8Array(12)
  new DataView(nonce.buffer).setBigUint64(4, counter)
  return nonce
}
