import { crc32, inflateRawSync } from 'node:zlib'
import { TableFault } from './table-fault.ts'

const END_OF_DIRECTORY = 0x06054b50
const DIRECTORY_ENTRY = 0x02014b50
const LOCAL_ENTRY = 0x04034b50
const END_BYTES = 22
const ENTRY_BYTES = 46
const LOCAL_BYTES = 30
const ENTRIES_MAX = 500
const STORED = 0
const DEFLATED = 8
/** Encrypted, or with strong encryption, or with a directory that is hidden. */
const SECRET_FLAGS = 0x0001 | 0x0040 | 0x2000

type Entry = { method: number; flags: number; checksum: number; packed: number; plain: number; at: number }

/** The files of an archive by name; `open` gives the bytes of one. */
export type Archive = { has(name: string): boolean; open(name: string): Uint8Array }

/**
 * The files of a ZIP archive, each unpacked when it is opened, and all that are opened `bytesMax` together at most, whatever the archive says of their sizes.
 * Throws TableFault for what is broken, encrypted, too large, or names a file twice.
 */
export function unzipWithin(bytes: Uint8Array, bytesMax: number): Archive {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const entries = directoryOf(file)
  let left = bytesMax
  return {
    has: (name) => entries.has(name),
    open: (name) => {
      const entry = entries.get(name)
      if (!entry) throw new TableFault('the workbook is incomplete: save it again')
      const content = unpack(file, entry, left)
      left -= content.length
      return content
    },
  }
}

function broken(cause?: unknown): TableFault {
  return new TableFault('the workbook is damaged: save it again', { cause })
}

/** The directory stands at the end of an archive, before a comment that may follow. */
function directoryOf(file: Buffer): Map<string, Entry> {
  let end = file.length - END_BYTES
  while (end >= 0 && end > file.length - END_BYTES - 0xffff && file.readUInt32LE(end) !== END_OF_DIRECTORY) end--
  if (end < 0 || file.readUInt32LE(end) !== END_OF_DIRECTORY) throw broken()
  const count = file.readUInt16LE(end + 10)
  if (count > ENTRIES_MAX) throw new TableFault('the workbook has too many parts: copy its first sheet into a new one')
  const entries = new Map<string, Entry>()
  let at = file.readUInt32LE(end + 16)
  for (let i = 0; i < count; i++) {
    if (at + ENTRY_BYTES > end || file.readUInt32LE(at) !== DIRECTORY_ENTRY) throw broken()
    const nameLength = file.readUInt16LE(at + 28)
    const next = at + ENTRY_BYTES + nameLength + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32)
    if (next > end) throw broken()
    const name = file.toString('utf8', at + ENTRY_BYTES, at + ENTRY_BYTES + nameLength)
    // Programs differ in which of two they take.
    if (entries.has(name)) throw broken()
    entries.set(name, {
      ...{ flags: file.readUInt16LE(at + 8), method: file.readUInt16LE(at + 10), checksum: file.readUInt32LE(at + 16) },
      ...{ packed: file.readUInt32LE(at + 20), plain: file.readUInt32LE(at + 24), at: file.readUInt32LE(at + 42) },
    })
    at = next
  }
  return entries
}

function unpack(file: Buffer, entry: Entry, bytesMax: number): Uint8Array {
  if ((entry.flags & SECRET_FLAGS) !== 0) throw new TableFault('the workbook is protected by a password: save it without one')
  const tooLarge = (cause?: unknown) => new TableFault('the workbook is too large: split it', { cause })
  if (entry.plain > bytesMax) throw tooLarge()
  if (entry.at + LOCAL_BYTES > file.length || file.readUInt32LE(entry.at) !== LOCAL_ENTRY) throw broken()
  const from = entry.at + LOCAL_BYTES + file.readUInt16LE(entry.at + 26) + file.readUInt16LE(entry.at + 28)
  const packed = file.subarray(from, from + entry.packed)
  if (packed.length !== entry.packed || (entry.method !== STORED && entry.method !== DEFLATED)) throw broken()
  let plain: Uint8Array
  try {
    // What the archive says of the size is not believed: no more is unpacked than it may have.
    plain = entry.method === STORED ? packed : inflateRawSync(packed, { maxOutputLength: Math.max(1, entry.plain) })
  } catch (cause) {
    throw (cause as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge(cause) : broken(cause)
  }
  if (plain.length !== entry.plain || crc32(plain) !== entry.checksum) throw broken()
  return plain
}
