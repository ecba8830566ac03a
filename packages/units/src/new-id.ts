import { at } from './known.ts'
import { bytesToUuid } from './uuid-bytes.ts'

const MAX_TIME_MS = 2 ** 48 - 1

/**
 * A new UUID version 7 (RFC 9562, section 5.7): 48 bits of time, then 74 random bits, so that ids made later usually sort later.
 * Usually only: within one millisecond, and between servers whose clocks differ, the order means nothing. Take a number
 * from the database where order matters.
 */
export function newId(nowMs: number, random: { bytes(length: number): Uint8Array }): string {
  if (!Number.isInteger(nowMs) || nowMs < 0 || nowMs > MAX_TIME_MS) throw new RangeError(`not a time in whole milliseconds since 1970: ${nowMs}`)
  const bytes = new Uint8Array(16)
  const view = new DataView(bytes.buffer)
  view.setUint16(0, Math.floor(nowMs / 2 ** 32))
  view.setUint32(2, nowMs % 2 ** 32)
  bytes.set(random.bytes(10), 6)
  bytes[6] = 0x70 | (at(bytes, 6) & 0x0f)
  bytes[8] = 0x80 | (at(bytes, 8) & 0x3f)
  return bytesToUuid(bytes)
}
