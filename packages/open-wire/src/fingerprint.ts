import { sha256 } from '@noble/hashes/sha2.js'

const TAG = new TextEncoder().encode('holdfast/open-wire-keys/v1\0')

/** What stands for the keys of a program in 32 bytes: that of its requests, and that of its orders, which may be the same; each as the bytes of its SPKI. */
export function fingerprintOf(request: Uint8Array, sign: Uint8Array): Uint8Array {
  // Each is the hash of one key, so that no two pairs are the same bytes.
  return sha256(Uint8Array.from([...TAG, ...sha256(request), ...sha256(sign)]))
}

/** The bytes of a key that is pasted, with or without the lines around it; undefined where it is not base64. Whether it is a key, is not looked at. */
export function pastedBytes(text: string): Uint8Array | undefined {
  const bare = text.replaceAll(/-----[A-Z ]{1,40}-----/g, '').replaceAll(/\s+/g, '')
  return /^[A-Za-z0-9+/]{64,4096}={0,2}$/.test(bare) && bare.length % 4 === 0 ? Uint8Array.from(atob(bare), (letter) => letter.codePointAt(0) ?? 0) : undefined
}
