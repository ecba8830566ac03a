/** What stands in the CBOR of a passkey: no tags, no fractions, nothing of unknown length. */
export type Cbor = number | boolean | null | string | Uint8Array | Cbor[] | Map<number | string, Cbor>

/** Bytes that are no CBOR, or not exactly one item of it. */
export class CborFault extends Error {
  override name = 'CborFault'
}

const DEPTH_MAX = 8
const SIMPLE = new Map<number, Cbor>([
  [20, false],
  [21, true],
  [22, null],
])

/** Reads the one item that the bytes are, to their last byte (RFC 8949, and CTAP2's canonical form of lengths). Throws CborFault. */
export function readCbor(bytes: Uint8Array): Cbor {
  const { value, rest } = readFirstCbor(bytes)
  if (rest.length > 0) throw new CborFault('bytes behind the item')
  return value
}

/** Reads the item that the bytes begin with, and gives what stands behind it. Throws CborFault. */
export function readFirstCbor(bytes: Uint8Array): { value: Cbor; rest: Uint8Array } {
  let at = 0
  const take = (length: number): Uint8Array => {
    if (length > bytes.length - at) throw new CborFault('cut short')
    at += length
    return bytes.subarray(at - length, at)
  }
  const readLength = (short: number): number => {
    if (short < 24) return short
    if (short > 26) throw new CborFault('a length that nothing here has')
    const size = 2 ** (short - 24)
    const length = take(size).reduce((sum, byte) => sum * 256 + byte, 0)
    if (length < (size === 1 ? 24 : 256 ** (size / 2))) throw new CborFault('a length in more bytes than it needs')
    return length
  }
  const readItem = (depth: number): Cbor => {
    if (depth > DEPTH_MAX) throw new CborFault('nested too deep')
    const [head = 0] = take(1)
    const major = head >> 5
    if (major === 7) {
      const simple = SIMPLE.get(head & 31)
      if (simple === undefined) throw new CborFault('a value of a kind that nothing here has')
      return simple
    }
    const length = readLength(head & 31)
    if (major === 0) return length
    if (major === 1) return -1 - length
    if (major === 2) return Uint8Array.from(take(length))
    if (major === 3) return readText(take(length))
    if (major === 6 || length > bytes.length) throw new CborFault(major === 6 ? 'a tag' : 'cut short')
    if (major === 4) return Array.from({ length }, () => readItem(depth + 1))
    return readMap(length, () => readItem(depth + 1))
  }
  const value = readItem(0)
  return { value, rest: bytes.subarray(at) }
}

function readText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw new CborFault('a text that is none', { cause })
  }
}

function readMap(length: number, readItem: () => Cbor): Map<number | string, Cbor> {
  const map = new Map<number | string, Cbor>()
  for (let i = 0; i < length; i++) {
    const name = readItem()
    if ((typeof name !== 'number' && typeof name !== 'string') || map.has(name)) throw new CborFault('a map with a name that is none, or twice the same')
    map.set(name, readItem())
  }
  return map
}
