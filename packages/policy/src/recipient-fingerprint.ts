import { toHex } from '@holdfast/encoding'
import { sha256 } from '@noble/hashes/sha2.js'

/**
 * A recovery recipient as people compare it: the first 16 bytes of SHA-256 of its text, in hexadecimal groups of four. A hybrid recipient has two
 * thousand characters, which nobody compares; whoever holds its secret half saw this when it was made.
 */
export function recipientFingerprint(recipient: string): string {
  return grouped(toHex(sha256(new TextEncoder().encode(recipient.trim()))).slice(0, 32))
}

/** Hexadecimal digits in groups of four, as people read them out. */
export function grouped(hex: string): string {
  return hex.match(/.{1,4}/g)?.join(' ') ?? ''
}
