import { constants, type KeyObject, privateEncrypt, publicDecrypt } from 'node:crypto'
import { SEGMENT_BYTES } from './keys.ts'

/** The bytes of a text that stand in one segment. */
const TEXT_BYTES = 234
const padding = constants.RSA_PKCS1_PADDING

/** What was in segments. `tail` is the last of them, which holds the time of a request. */
export type Opened = { text: string; tail: Uint8Array }

/** A text in segments that only the private key makes and everybody with its public half reads, as base64url. */
export function sealSegments(text: string, key: KeyObject): string {
  const bytes = Buffer.from(text, 'utf8')
  const sealed: Buffer[] = []
  for (let at = 0; at < bytes.length; at += TEXT_BYTES) sealed.push(privateEncrypt({ key, padding }, bytes.subarray(at, at + TEXT_BYTES)))
  return Buffer.concat(sealed).toString('base64url')
}

/**
 * What the holder of the private half put into segments; undefined for anything else, whatever is wrong with it. Every segment is looked at in any case, so
 * that what was wrong cannot be told by how long it took.
 */
export function openSegments(data: string, key: KeyObject): Opened | undefined {
  const bytes = Buffer.from(data, 'base64url')
  const count = Math.ceil(bytes.length / SEGMENT_BYTES)
  const opened = Array.from({ length: count }, (_, i) => openSegment(bytes.subarray(i * SEGMENT_BYTES, (i + 1) * SEGMENT_BYTES), key))
  // Node passes over letters that are none, and over bits that nothing needs.
  const isWhole = bytes.length > 0 && bytes.length % SEGMENT_BYTES === 0 && bytes.toString('base64url') === data.replace(/={1,2}$/, '')
  const parts = opened.flatMap((each) => each ?? [])
  if (!isWhole || parts.length !== count) return undefined
  const text = Buffer.concat(parts)
  // A character may stand across two segments, so only the whole is text.
  const read = text.toString('utf8')
  return Buffer.from(read, 'utf8').equals(text) ? { text: read, tail: Uint8Array.from(bytes.subarray(-SEGMENT_BYTES)) } : undefined
}

function openSegment(segment: Buffer, key: KeyObject): Buffer | undefined {
  try {
    return publicDecrypt({ key, padding }, segment)
  } catch {
    return undefined
  }
}
