import { bytes, concatBytes, decode, encode, EncodingFault, equalBytes, list, struct, uint } from '@holdfast/encoding'
import type { Ports } from '@holdfast/ports'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { ImpossibleEvent, Register } from './register.ts'
import { type JournalEvent, journalEventShape } from './journal-events.ts'

/*
 * One file that is only ever appended to: four bytes of length, the canonical bytes of a record, 32 bytes of its seal. A seal is HMAC-SHA256 under a key that
 * the password opens, and each record holds the seal of the one before. A second file, the witness, holds the place of the last record and is replaced after
 * each append; only then is a record acknowledged. What is torn after the place that the witness names is cut off; a journal that ends before it was put
 * back.
 */

/** The journal cannot be used. The message names the file, the record and the reason. */
export class JournalError extends Error {
  override name = 'JournalError'
  constructor(path: string, reason: string, options?: ErrorOptions) {
    const advice = 'Put back the newest whole copy of the folder; if there is none, see `resume`, or name a new co-signer in the policy'
    super(`${path}: ${reason}. ${advice}`, options)
  }
}

const RECORD_BYTES_MAX = 1 << 20
const SEAL_BYTES = 32
const FIRST_PREVIOUS = new Uint8Array(SEAL_BYTES)

const placeShape = struct('holdfast/co-signer/journal-place/v1', { position: uint(53), seal: bytes(SEAL_BYTES) })
const recordShape = struct('holdfast/co-signer/journal-record/v1', {
  position: uint(53),
  previous: bytes(SEAL_BYTES),
  atMs: uint(53),
  events: list(journalEventShape, 8),
})

type Append = Awaited<ReturnType<Ports['disk']['openAppend']>>
type JournalPorts = Pick<Ports, 'disk' | 'clock'>
export type Place = { position: number; seal: Uint8Array }
type Options = {
  path: string
  witnessPath: string
  key: Uint8Array
  /** For `resume` alone, which says that the folder was put back on purpose. */
  isPutBack?: boolean
}

export class Journal {
  /** What follows from all that was written. It runs ahead of the disk by the writes that are under way. */
  readonly register: Register
  readonly #ports: JournalPorts
  readonly #options: Options
  readonly #file: Append
  readonly #seals: Map<number, Uint8Array>
  #last: Place
  #sizeBytes: number
  #tail: Promise<void> = Promise.resolve()
  #broken: unknown = null

  private constructor(ports: JournalPorts, options: Options, file: Append, loaded: Loaded) {
    this.#ports = ports
    this.#options = options
    this.#file = file
    this.register = loaded.register
    this.#seals = loaded.seals
    this.#last = loaded.last
    this.#sizeBytes = loaded.goodBytes
  }

  /** Opens the journal, which may be none yet, and replays it. Throws JournalError. */
  static async open(ports: JournalPorts, options: Options): Promise<Journal> {
    const { path } = options
    const content = (await ports.disk.read(path)) ?? new Uint8Array(0)
    const loaded = load(path, content, options.key)
    const witness = await readWitness(ports, options.witnessPath)
    if (!options.isPutBack) checkWitness(options, loaded, witness)
    loaded.register.forget(ports.clock.nowMs())
    // Made by a rename, so that the folder's entry of a new file is on disk before anything in it.
    if (content.length === 0) await ports.disk.writeAtomic(path, content)
    const file = await ports.disk.openAppend(path)
    if (loaded.goodBytes < content.length) await file.truncate(loaded.goodBytes)
    if (loaded.last.position > witness.position) await writeWitness(ports, options.witnessPath, loaded.last)
    return new Journal(ports, options, file, loaded)
  }

  /** Where the last record stands, on disk or on its way. */
  get last(): Place {
    return this.#last
  }

  /**
   * Whether somebody who was shown this journal at a place was shown this one, and not one that went on elsewhere. What was given up when its folder was put
   * back is known.
   */
  hasBeen({ position, seal }: Place): boolean {
    const own = this.#seals.get(position)
    if (own) return equalBytes(own, seal)
    return position === 0 || (position < this.#last.position && this.#skipped(position))
  }

  #skipped(position: number): boolean {
    return !this.#seals.has(position) && this.register.resumedAtMs > 0
  }

  /**
   * Writes events as one record. They are in the register when this returns, so that what is decided next decides with them, and on disk when the promise
   * resolves: nothing about them may leave before. Once a write has failed every later one fails: what is on disk is then not known.
   */
  async write(...events: JournalEvent[]): Promise<void> {
    if (this.#broken !== null) throw this.#broken
    const atMs = Math.floor(this.#ports.clock.nowMs())
    const position = Math.max(this.#last.position, ...events.map((each) => (each.kind === 'resumed' ? Number(each.past) : 0))) + 1
    const record = encode(recordShape, { position: BigInt(position), previous: this.#last.seal, atMs: BigInt(atMs), events })
    const seal = hmac(sha256, this.#options.key, record)
    try {
      for (const event of events) this.register.apply(event, atMs)
    } catch (cause) {
      // The register may hold a part of the record: only a replay from disk is good again.
      this.#broken = cause
      throw cause
    }
    this.#last = { position, seal }
    this.#seals.set(position, seal)
    const written = this.#tail.then(() => this.#append(record, { position, seal }))
    this.#tail = written.catch(() => {})
    return written
  }

  async #append(record: Uint8Array, place: Place): Promise<void> {
    if (this.#broken !== null) throw this.#broken
    try {
      const framed = concatBytes(lengthOf(record), record, place.seal)
      await this.#file.append(framed)
      this.#sizeBytes += framed.length
      // Two processes on one folder would each decide by itself. The one that finds more than it wrote stops here.
      const facts = await this.#ports.disk.stat(this.#options.path)
      if (facts?.sizeBytes !== this.#sizeBytes) throw new Error('another process writes to it or has replaced it')
      await writeWitness(this.#ports, this.#options.witnessPath, place)
    } catch (cause) {
      // After a failed fsync nobody knows what the disk holds (fsync(2)); only a new start reads it.
      this.#broken = new JournalError(this.#options.path, `could not be written (${(cause as Error).message})`, { cause })
      throw this.#broken
    }
  }

  async close(): Promise<void> {
    await this.#tail
    this.#broken ??= new JournalError(this.#options.path, 'is closed')
    await this.#file.close()
  }
}

/** Where the last acknowledged record stands; the beginning where there is no witness. Throws JournalError. */
export async function readWitness({ disk }: Pick<Ports, 'disk'>, path: string): Promise<Place> {
  const kept = await disk.read(path)
  if (!kept) return { position: 0, seal: FIRST_PREVIOUS }
  try {
    const { position, seal } = decode(placeShape, kept)
    return { position: Number(position), seal }
  } catch (cause) {
    if (cause instanceof EncodingFault) throw new JournalError(path, `is damaged (${cause.message})`, { cause })
    throw cause
  }
}

const writeWitness = ({ disk }: Pick<Ports, 'disk'>, path: string, { position, seal }: Place) =>
  disk.writeAtomic(path, encode(placeShape, { position: BigInt(position), seal }))

function checkWitness({ path, witnessPath }: Options, { last, seals }: Loaded, { position, seal }: Place): void {
  if (position > last.position)
    throw new JournalError(
      path,
      `ends at ${last.position}, but ${position} was acknowledged by ${witnessPath}: the folder was put back, or the file is damaged`,
    )
  const own = seals.get(position)
  if (position > 0 && !(own && equalBytes(own, seal))) throw new JournalError(path, `went on in another way than ${witnessPath} has it at ${position}`)
}

function lengthOf(record: Uint8Array): Uint8Array {
  const length = new Uint8Array(4)
  new DataView(length.buffer).setUint32(0, record.length)
  return length
}

type Loaded = { register: Register; seals: Map<number, Uint8Array>; last: Place; goodBytes: number }

function load(path: string, content: Uint8Array, key: Uint8Array): Loaded {
  const loaded: Loaded = { register: new Register(), seals: new Map(), last: { position: 0, seal: FIRST_PREVIOUS }, goodBytes: 0 }
  while (loaded.goodBytes < content.length) {
    const found = readRecord(content.subarray(loaded.goodBytes), key)
    if (found === 'torn') break
    const number = loaded.seals.size + 1
    if (typeof found === 'string') throw new JournalError(path, `record ${number} ${found}`)
    const { record, seal, size } = found
    const position = Number(record.position)
    const isNext = position === loaded.last.position + 1 || (position > loaded.last.position && record.events.some(({ kind }) => kind === 'resumed'))
    if (!isNext || !equalBytes(record.previous, loaded.last.seal)) throw new JournalError(path, `record ${number} does not follow the one before`)
    try {
      for (const event of record.events) loaded.register.apply(event, Number(record.atMs))
    } catch (cause) {
      if (!(cause instanceof ImpossibleEvent)) throw cause
      throw new JournalError(path, `record ${number} does not follow from those before (${cause.message})`, { cause })
    }
    loaded.last = { position, seal }
    loaded.seals.set(position, seal)
    loaded.goodBytes += size
  }
  return loaded
}

/** The record at the beginning of `content`; `torn` where it was never written whole; or in words why it cannot be used. */
function readRecord(content: Uint8Array, key: Uint8Array) {
  if (content.length < 4) return 'torn' as const
  const length = new DataView(content.buffer, content.byteOffset, 4).getUint32(0)
  if (length > RECORD_BYTES_MAX) return 'is damaged: its length cannot be'
  const size = 4 + length + SEAL_BYTES
  if (content.length < size) return 'torn' as const
  const encoded = content.subarray(4, 4 + length)
  const seal = content.slice(4 + length, size)
  if (!equalBytes(hmac(sha256, key, encoded), seal)) return 'is damaged, or was written with another password: its seal does not fit'
  try {
    return { record: decode(recordShape, encoded), seal, size }
  } catch (cause) {
    if (cause instanceof EncodingFault) return `cannot be read by this version (${cause.message})`
    throw cause
  }
}
