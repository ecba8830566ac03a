import { constants, type KeyObject, privateEncrypt, publicDecrypt } from 'node:crypto'
import { SEGMENT_BYTES } from './keys.ts'

/** The bytes of a text that stand in one segment. */
const TEXT_BYTES = 234
/** The bytes of padding that a segment has at least. */
const FILLING_LEAST = 8
/** What is opened in the place of a segment that is no number of the key: any number of every key. */
const ANY_NUMBER = Buffer.alloc(SEGMENT_BYTES, 1)
/** What is read in the place of a segment that is not right: as much text as one holds, because bytes that are no text take longer to read. */
const ANY_TEXT = Buffer.alloc(TEXT_BYTES, 'x')

/** One segment as it came, and the bytes of the text that it held. */
export type Segment = { sealed: Uint8Array; text: Uint8Array }
/** What was in segments. */
export type Opened = { text: string; segments: readonly Segment[] }

/** A text in segments that only the private key makes and everybody with its public half reads, as base64url. */
export function sealSegments(text: string, key: KeyObject): string {
  const bytes = Buffer.from(text, 'utf8')
  const sealed: Buffer[] = []
  const padding = constants.RSA_PKCS1_PADDING
  for (let at = 0; at < bytes.length; at += TEXT_BYTES) sealed.push(privateEncrypt({ key, padding }, bytes.subarray(at, at + TEXT_BYTES)))
  return Buffer.concat(sealed).toString('base64url')
}

/**
 * What the holder of the private half put into segments; undefined for anything else, whatever is wrong with it. Every segment goes through the same steps in
 * any case, so that what was wrong, and where, cannot be told by how long it took.
 */
export function openSegments(data: string, key: KeyObject): Opened | undefined {
  const bytes = Buffer.from(data, 'base64url')
  const modulus = modulusOf(key)
  const opened = Array.from({ length: Math.ceil(bytes.length / SEGMENT_BYTES) }, (_, i) =>
    openSegment(bytes.subarray(i * SEGMENT_BYTES, (i + 1) * SEGMENT_BYTES), key, modulus),
  )
  // Node passes over letters that are none, and over bits that nothing needs.
  const isWhole = bytes.length > 0 && bytes.toString('base64url') === data.replace(/={1,2}$/, '')
  // A character may stand across two segments, so only the whole is text.
  const joined = Buffer.concat(opened.map(({ text }) => text))
  const text = joined.toString('utf8')
  const isText = Buffer.from(text, 'utf8').equals(joined)
  return isWhole && isText && opened.every(({ isSound }) => isSound) ? { text, segments: opened } : undefined
}

/**
 * Opens one segment. The padding is looked at here: where the library looks at it, a segment that is not right ends in an error, which takes longer than
 * one that is.
 */
function openSegment(given: Buffer, key: KeyObject, modulus: Buffer): Segment & { isSound: boolean } {
  const isNumber = given.length === SEGMENT_BYTES && Buffer.compare(given, modulus) < 0
  const block = publicDecrypt({ key, padding: constants.RSA_NO_PADDING }, isNumber ? given : ANY_NUMBER)
  const padding = paddingOf(block)
  const isSound = isNumber && padding.isSound
  return { sealed: Uint8Array.from(given), text: isSound ? block.subarray(padding.start) : ANY_TEXT, isSound }
}

/** Where the text begins behind the padding (PKCS#1 v1.5, the first type), and whether that padding is right. Every byte is looked at. */
function paddingOf(block: Uint8Array): { start: number; isSound: boolean } {
  let start = block.length
  let filling = 0
  let isClean = true
  for (const [i, byte] of block.entries()) {
    if (i < 2 || start < block.length) continue
    if (byte === 0) start = i + 1
    else if (byte === 0xff) filling++
    else isClean = false
  }
  const isEnded = block[1 + filling + 1] === 0
  return { start, isSound: block[0] === 0 && block[1] === 1 && isClean && isEnded && filling >= FILLING_LEAST }
}

const modulusOf = (key: KeyObject): Buffer => Buffer.from(key.export({ format: 'jwk' }).n ?? '', 'base64url')
