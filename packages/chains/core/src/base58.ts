import { at } from '@holdfast/units'

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** The bytes that a text of base58 spells, a zero for each 1 it begins with; undefined if it has other characters. The last four are mostly a checksum. */
export function bytesOfBase58(text: string): Uint8Array | undefined {
  let number = 0n
  for (const character of text) {
    const digit = ALPHABET.indexOf(character)
    if (digit === -1) return undefined
    number = number * 58n + BigInt(digit)
  }
  const bytes: number[] = []
  for (let rest = number; rest > 0n; rest >>= 8n) bytes.unshift(Number(rest & 0xffn))
  const zeros = text.length - text.replace(/^1+/, '').length
  return Uint8Array.from([...Array.from({ length: zeros }, () => 0), ...bytes])
}

/** The text of base58 for bytes. */
export function base58Of(bytes: Uint8Array): string {
  let text = ''
  for (let rest = bytes.reduce((number, byte) => (number << 8n) | BigInt(byte), 0n); rest > 0n; rest /= 58n) text = at(ALPHABET, Number(rest % 58n)) + text
  const zeros = bytes.findIndex((byte) => byte !== 0)
  return '1'.repeat(zeros === -1 ? bytes.length : zeros) + text
}
