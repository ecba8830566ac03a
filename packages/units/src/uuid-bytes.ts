import { toHex } from './hex.ts'

/** Text or bytes that are no UUID. */
export class UuidFault extends Error {
  override name = 'UuidFault'
}

/** True for the canonical text form only: lower case, with hyphens. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
}

/** The 16 bytes of a UUID in canonical text form. Throws UuidFault for any other text, so that one id has one spelling. */
export function uuidToBytes(uuid: string): Uint8Array {
  if (!isUuid(uuid)) throw new UuidFault('not an id: it must look like 01890f3e-7b6c-7cc1-98c4-dc0c0c07398f, in lower case')
  const bytes = new Uint8Array(16)
  for (let i = 0, at = 0; i < 16; i++, at += 2) {
    if (uuid[at] === '-') at++
    bytes[i] = (digitOf(uuid.charCodeAt(at)) << 4) | digitOf(uuid.charCodeAt(at + 1))
  }
  return bytes
}

/** Of the code of a hexadecimal digit in lower case. Lists read ids by the hundred, and to cut texts takes ten times as long. */
const digitOf = (code: number): number => (code < 0x61 ? code - 0x30 : code - 0x57)

/** The canonical text form of 16 bytes. Throws UuidFault for any other length. */
export function bytesToUuid(bytes: Uint8Array): string {
  if (bytes.length !== 16) throw new UuidFault(`an id has 16 bytes, not ${bytes.length}`)
  const digits = toHex(bytes)
  return [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20)].join('-')
}
