import { GENESIS_RECORD_BYTES_MAX } from '@holdfast/policy'
import type { Connection } from '@holdfast/ports'
import { openBytes, sealBytes } from './chacha20-poly1305.ts'
import { type FrameReader, LinkError, writeFrame } from './frame-reader.ts'
import type { LinkKeys } from './handshake.ts'

/** The most a message to the side that listened may have: the largest call body and room for what is around it. Many may dial in, also machines of others. */
const TO_LISTENER_BYTES_MAX = 6 << 20
/** The most any message may have: one to the side that dialled, which has named whom it hears. The record of an organisation goes this way, whole. */
export const MESSAGE_BYTES_MAX = GENESIS_RECORD_BYTES_MAX + TO_LISTENER_BYTES_MAX
/** How much each side sends and takes. */
const BOUNDS = {
  dialer: { sends: TO_LISTENER_BYTES_MAX, takes: MESSAGE_BYTES_MAX },
  listener: { sends: MESSAGE_BYTES_MAX, takes: TO_LISTENER_BYTES_MAX },
}
const TAG_BYTES = 16

/**
 * Frames sealed with ChaCha20-Poly1305 (RFC 8439), one key for each direction, the nonce a counter of that direction's
 * frames. So a frame that is changed, dropped, repeated, reordered or turned back to its sender does not open.
 */
export class SecureChannel {
  readonly #connection: Connection
  readonly #reader: FrameReader
  readonly #keys: LinkKeys
  readonly #bounds: { sends: number; takes: number }
  #sent = 0n
  #received = 0n

  constructor(connection: Connection, reader: FrameReader, keys: LinkKeys, side: keyof typeof BOUNDS) {
    this.#connection = connection
    this.#reader = reader
    this.#keys = keys
    this.#bounds = BOUNDS[side]
  }

  /** Hears of whatever comes, also of a message that is still on its way. */
  set onHeard(heard: () => void) {
    this.#reader.onHeard = heard
  }

  /** Sends a message. The order of the calls is the order on the wire. */
  send(message: Uint8Array): Promise<void> {
    if (message.length > this.#bounds.sends) return Promise.reject(new LinkError(`a message of ${message.length} bytes is too large to send`))
    return this.#connection.write(writeFrame(sealBytes(this.#keys.sendKey, nonceOf(this.#sent++), message)))
  }

  /** The next message, or undefined if the peer closed. Throws LinkError for a frame that does not open. */
  async receive(): Promise<Uint8Array | undefined> {
    const frame = await this.#reader.next(this.#bounds.takes + TAG_BYTES)
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
