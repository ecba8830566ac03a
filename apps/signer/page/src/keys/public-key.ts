import { concatBytes, equalBytes, fromHex } from '@holdfast/encoding'
import { at } from '@holdfast/units'
import { PageError } from '../page-error.ts'

// SubjectPublicKeyInfo of a P-256 key, RFC 5480: everything before the point is the same for every key.
const SPKI_BEFORE_POINT = fromHex('3059301306072a8648ce3d020106082a8648ce3d030107034200')

/** The compressed point (33 bytes, SEC 1) of an uncompressed one (65 bytes). Throws PageError for anything else. */
export function compressPoint(point: Uint8Array): Uint8Array {
  if (point.length !== 65 || point[0] !== 4) throw new PageError('passkeyUnusable', 'not an uncompressed P-256 point')
  return concatBytes(Uint8Array.of(2 + (at(point, 64) & 1)), point.subarray(1, 33))
}

/** The compressed point of a P-256 key in SubjectPublicKeyInfo form. Throws PageError for a key of any other kind. */
export function compressedFromSpki(spki: Uint8Array): Uint8Array {
  const head = spki.subarray(0, SPKI_BEFORE_POINT.length)
  if (!equalBytes(head, SPKI_BEFORE_POINT)) throw new PageError('passkeyUnusable', 'not a P-256 key')
  return compressPoint(spki.subarray(SPKI_BEFORE_POINT.length))
}
