import { toBase64 } from '@holdfast/ui/base64'

const BASE64 = /^[A-Za-z0-9+/\s]+={0,2}\s*$/

/** The most characters of a drill record, as the server takes them. */
const MAX_DRILL_LENGTH = 8192

/** A drill record as the call takes it, from a file of the recovery tool (bytes, or base64 text somebody saved). */
export function drillFromFile(bytes: Uint8Array): string {
  const isAscii = bytes.every((byte) => byte < 0x80 && byte !== 0)
  const text = isAscii ? new TextDecoder().decode(bytes) : ''
  return isAscii && BASE64.test(text) ? text.trim() : toBase64(bytes)
}

/** Whether a pasted text can be a drill record. */
export function isDrillText(text: string): boolean {
  return BASE64.test(text) && text.length <= MAX_DRILL_LENGTH
}
