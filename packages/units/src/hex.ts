const PAIRS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** Lower-case hexadecimal without prefix. */
export function toHex(bytes: Uint8Array): string {
  let out = ''
  for (const byte of bytes) out += PAIRS[byte]
  return out
}
