import { bytes, encode, type Infer, struct, text, uint } from '@holdfast/encoding'

/** One thing that happened to an organisation. `body` is the canonical message itself, so that the log is its own evidence. */
export const entryShape = struct('holdfast/log-entry/v1', {
  genesis: bytes(32),
  sequence: uint(),
  atMs: uint(),
  type: text(64),
  body: bytes(undefined, 1 << 20),
})

export type LogEntry = Infer<typeof entryShape>

const COUNT_BYTES = 4
const sampleOf = (sequence: bigint) => encode(entryShape, { genesis: new Uint8Array(32), sequence, atMs: 0n, type: '', body: new Uint8Array(0) })
/** What stands before a sequence is of one length in all entries. Zero has no bytes, and one has one: the last byte of the count is the first that differs. */
const COUNT_END = 1 + sampleOf(0n).findIndex((byte, i) => byte !== sampleOf(1n)[i])

/**
 * The canonical bytes of an entry before and after its sequence, for whoever takes the sequence and writes the entry in one step. Between them stand the count
 * of the sequence's bytes, in four, and these bytes.
 */
export function entryAround(entry: Omit<LogEntry, 'sequence'>): { before: Uint8Array; after: Uint8Array } {
  const zero = encode(entryShape, { ...entry, sequence: 0n })
  return { before: zero.slice(0, COUNT_END - COUNT_BYTES), after: zero.slice(COUNT_END) }
}
