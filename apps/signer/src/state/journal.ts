import { SIGNATURES_MAX } from '@holdfast/chain-core'
import { bytes, concatBytes, decode, encode, EncodingFault, equalBytes, list, struct, uint } from '@holdfast/encoding'
import type { Ports } from '@holdfast/ports'
import { at } from '@holdfast/units'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { type JournalEvent, journalEventShape, RECORD_BYTES_MAX } from './journal-events.ts'
import { PartReader } from './part-reader.ts'
import { applyEvent, Register } from './register.ts'

/*
 * The journal of one organisation: two files that are only ever appended to.
 *
 *   journal       records: four bytes of length, the canonical bytes of a record, 32 bytes of its seal
 *   journal.head  the seals of the records, 32 bytes each, in the same order; written after the record
 *
 * A seal is HMAC-SHA256 under a key derived from the vault key, and each record contains the seal of the one before. A record is
 * acknowledged, and only then spoken of, when both appends are on disk. At the start everything up to the last acknowledged
 * record must be perfect; a single whole record after it is kept; what is torn after it was never acknowledged and is cut off.
 */

/** The journal cannot be used. The message names the file, the record and the reason; the signer must not run. */
export class JournalError extends Error {
  override name = 'JournalError'
  constructor(path: string, reason: string, options?: ErrorOptions) {
    const advice = 'Put back a whole copy of the folder that is not older than its last use, or give this signer up and replace it'
    super(`${path}: ${reason}. ${advice}`, options)
  }
}

const SEAL_BYTES = 32
const FIRST_PREVIOUS = new Uint8Array(SEAL_BYTES)

/** A session that ends writes each of its signatures, and how it ended, as one record; one that begins, the counters of up to 256 approvals. */
const EVENTS_MAX = SIGNATURES_MAX + 256 + 8

const recordShape = struct('holdfast/journal-record/v1', {
  position: uint(53),
  previous: bytes(SEAL_BYTES),
  atMs: uint(),
  events: list(journalEventShape, EVENTS_MAX),
})

type Append = Awaited<ReturnType<Ports['disk']['openAppend']>>
type JournalPorts = Pick<Ports, 'disk' | 'clock'>
type Options = { folder: string; key: Uint8Array; party: number }

/**
 * A position and 20 bits of the record's seal in one number of 53 bits, as signers tell each other how far they have come.
 * A signer that was put back to an earlier state and has since written as many other records is found out by the seal.
 */
const SEAL_BITS = 20
export const positionOfMark = (mark: number): number => Math.floor(mark / 2 ** SEAL_BITS)
const sealBits = (seal: Uint8Array): number => ((at(seal, 0) << 16) | (at(seal, 1) << 8) | at(seal, 2)) >>> (24 - SEAL_BITS)
const markOf = (position: number, seal: Uint8Array): number => position * 2 ** SEAL_BITS + sealBits(seal)

export class Journal {
  /** What follows from all that was written. It runs ahead of the disk by the writes that are under way. */
  readonly register: Register
  readonly #ports: JournalPorts
  readonly #options: Options
  readonly #files: { journal: Append; head: Append }
  readonly #marks: number[]
  #lastSeal: Uint8Array
  #sizeBytes: number
  #tail: Promise<void> = Promise.resolve()
  #broken: unknown = null

  private constructor(ports: JournalPorts, options: Options, files: { journal: Append; head: Append }, loaded: Loaded) {
    this.#ports = ports
    this.#options = options
    this.#files = files
    this.register = loaded.register
    this.#marks = loaded.marks
    this.#lastSeal = loaded.lastSeal
    this.#sizeBytes = loaded.goodBytes
  }

  /** Opens the journal in a folder, which may be empty, and replays it. Throws JournalError. */
  static async open(ports: JournalPorts, options: Options): Promise<Journal> {
    const { disk } = ports
    const [path, headPath] = [`${options.folder}/journal`, `${options.folder}/journal.head`]
    const sizes = { journal: await sizeOf(disk, path), head: await sizeOf(disk, headPath) }
    const loaded = await load(disk, path, Math.floor(sizes.head / SEAL_BYTES), options)
    // Made by a rename, so that the folder's entry of a new file is on disk before anything in it.
    if (sizes.journal === 0) await disk.writeAtomic(path, new Uint8Array(0))
    if (sizes.head === 0) await disk.writeAtomic(headPath, new Uint8Array(0))
    const files = { journal: await disk.openAppend(path), head: await disk.openAppend(headPath) }
    if (loaded.goodBytes < sizes.journal) await files.journal.truncate(loaded.goodBytes)
    if (loaded.headBytes < sizes.head) await files.head.truncate(loaded.headBytes)
    const sealed = loaded.headBytes / SEAL_BYTES
    if (loaded.marks.length > sealed) await files.head.append(loaded.lastSeal)
    return new Journal(ports, options, files, loaded)
  }

  /** How many records there are: the position of the last write, on disk or on its way. */
  get position(): number {
    return this.#marks.length
  }

  /** What this signer says of itself at a position, or undefined if it has not come so far. */
  markAt(position: number): number | undefined {
    return this.#marks[position - 1]
  }

  /**
   * Writes events as one record. They are in the register when this returns, so that what is decided next decides with them,
   * and on disk when the promise resolves: nothing about them may leave before. Resolves with the record's position.
   * Once a write has failed every later one fails: what is on disk is then not known.
   */
  write(events: JournalEvent[]): Promise<number> {
    if (this.#broken !== null) return Promise.reject(this.#broken)
    const atMs = Math.floor(this.#ports.clock.nowMs())
    const position = this.position + 1
    const record = encode(recordShape, { position: BigInt(position), previous: this.#lastSeal, atMs: BigInt(atMs), events })
    const seal = hmac(sha256, this.#options.key, record)
    try {
      for (const event of events) applyEvent(this.register, event, atMs, this.#options.party)
    } catch (cause) {
      // The register may hold a part of the record: only a replay from disk is good again.
      this.#broken = cause
      return Promise.reject(cause)
    }
    this.#lastSeal = seal
    this.#marks.push(markOf(position, seal))
    const written = this.#tail.then(() => this.#append(record, seal))
    this.#tail = written.catch(() => {})
    return written.then(() => position)
  }

  /** Resolves when all that is in the register is on disk, and what follows from it may leave. Throws where it could not be written. */
  async settled(): Promise<void> {
    await this.#tail
    if (this.#broken !== null) throw this.#broken
  }

  async #append(record: Uint8Array, seal: Uint8Array): Promise<void> {
    if (this.#broken !== null) throw this.#broken
    try {
      const length = new Uint8Array(4)
      new DataView(length.buffer).setUint32(0, record.length)
      const framed = concatBytes(length, record, seal)
      await this.#files.journal.append(framed)
      this.#sizeBytes += framed.length
      // Two processes on one folder would each think themselves this signer. The one that finds more than it wrote stops here.
      const facts = await this.#ports.disk.stat(`${this.#options.folder}/journal`)
      if (facts?.sizeBytes !== this.#sizeBytes) throw new Error('another process writes to it or has replaced it')
      await this.#files.head.append(seal)
    } catch (cause) {
      // After a failed fsync nobody knows what the disk holds (fsync(2)); only a new start reads it.
      this.#broken = new JournalError(`${this.#options.folder}/journal`, `could not be written (${(cause as Error).message})`, { cause })
      throw this.#broken
    }
  }

  async close(): Promise<void> {
    await this.#tail
    this.#broken ??= new JournalError(`${this.#options.folder}/journal`, 'is closed')
    await this.#files.journal.close()
    await this.#files.head.close()
  }
}

const sizeOf = async (disk: Ports['disk'], path: string): Promise<number> => (await disk.stat(path))?.sizeBytes ?? 0

/** What is in a file, piece by piece: a journal may be larger than a memory. Nothing, if there is no file. */
async function* piecesOf(disk: Ports['disk'], path: string): AsyncGenerator<Uint8Array> {
  if (await disk.stat(path)) yield* disk.readPieces(path)
}

type Loaded = { register: Register; marks: number[]; lastSeal: Uint8Array; goodBytes: number; headBytes: number }

async function load(disk: Ports['disk'], path: string, acknowledged: number, options: Options): Promise<Loaded> {
  const content = new PartReader(piecesOf(disk, path))
  const head = new PartReader(piecesOf(disk, `${path}.head`))
  try {
    return await replay(path, { content, head, acknowledged }, options)
  } finally {
    await Promise.all([content.close(), head.close()])
  }
}

type Stored = { content: PartReader; head: PartReader; acknowledged: number }

async function replay(path: string, { content, head, acknowledged }: Stored, options: Options): Promise<Loaded> {
  const loaded: Loaded = { register: new Register(), marks: [], lastSeal: FIRST_PREVIOUS, goodBytes: 0, headBytes: acknowledged * SEAL_BYTES }
  while (await content.has(1)) {
    const position = loaded.marks.length + 1
    const found = await readRecord(content, position, loaded.lastSeal, options.key)
    if (typeof found === 'string') {
      if (position > acknowledged) break
      throw new JournalError(path, `record ${position} of ${acknowledged} ${found}`)
    }
    if (position <= acknowledged && !equalBytes((await head.take(SEAL_BYTES)) ?? new Uint8Array(0), found.seal))
      throw new JournalError(path, `record ${position} is not the one acknowledged in journal.head: one of the two files was changed`)
    if (position > acknowledged + 1) {
      throw new JournalError(`${path}.head`, `ends at record ${acknowledged}, but the journal goes on past record ${position - 1}`)
    }
    try {
      for (const event of found.events) applyEvent(loaded.register, event, found.atMs, options.party)
    } catch (cause) {
      throw new JournalError(path, `record ${position} does not follow from those before (${(cause as Error).message})`, { cause })
    }
    loaded.marks.push(markOf(position, found.seal))
    loaded.lastSeal = found.seal
    loaded.goodBytes += found.size
  }
  if (loaded.marks.length < acknowledged) throw new JournalError(path, `ends after record ${loaded.marks.length}, but ${acknowledged} were acknowledged`)
  return loaded
}

type Read = { events: JournalEvent[]; atMs: number; seal: Uint8Array; size: number }

/** The next record, or in words why there is none. */
async function readRecord(content: PartReader, position: number, previous: Uint8Array, key: Uint8Array): Promise<Read | string> {
  const prefix = await content.take(4)
  if (!prefix) return 'is cut short'
  const length = new DataView(prefix.buffer, prefix.byteOffset, 4).getUint32(0)
  if (length > RECORD_BYTES_MAX) return 'is damaged: its length cannot be'
  const sealed = await content.take(length + SEAL_BYTES)
  if (!sealed) return 'is cut short'
  const encoded = sealed.subarray(0, length)
  const seal = new Uint8Array(sealed.subarray(length))
  if (!equalBytes(hmac(sha256, key, encoded), seal)) return 'is damaged: its seal does not fit'
  try {
    const record = decode(recordShape, encoded)
    if (record.position !== BigInt(position) || !equalBytes(record.previous, previous)) return 'does not follow the one before'
    return { events: record.events, atMs: Number(record.atMs), seal, size: 4 + length + SEAL_BYTES }
  } catch (cause) {
    if (cause instanceof EncodingFault) return `cannot be read by this version (${cause.message})`
    throw cause
  }
}
