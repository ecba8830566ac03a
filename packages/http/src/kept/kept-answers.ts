import type { Session } from '../session.ts'

/** An answer that was given, as it was sent, and what says whether it would be the same now. */
export type Kept<T> = {
  /** The part of the revision on which it rests, as it was when it was read (`partOfRevision` of packages/db). */
  revision: string
  readHeights: boolean
  /** Until when the clock and this process's memory would have it the same, milliseconds since 1970. */
  untilMs: number
  answer: T
}

/** `kept` is undefined where the revision had changed the last time, or the answer was too large. */
type Entry = { revision: string; kept: Kept<Buffer> | undefined }

/** Where the answers of one call are kept, for whoever holds the session (ADR 65). */
export type Again<T> = {
  /** What was kept and is not too old. Undefined as well where it had changed the last times: then to ask first whether it has would be in vain. */
  find(session: Session, nowMs: number): Kept<T> | undefined
  keep(session: Session, kept: Kept<T>): void
  /** Lets a kept answer go as one that was made anew: what holds for each call is looked at as ever, and refused. Throws AppError. */
  admit(session: Session): void
}

const TOTAL_MAX = 32 * 2 ** 20
const ONE_MAX = 2 ** 20
/** What a key and the rest of an entry take, roughly, beside its answer. */
const ENTRY_OVERHEAD = 500

/** Answers of one process by a key, the ones unused for the longest time put out first when they come to too many bytes. */
export class KeptAnswers {
  readonly #entries = new Map<string, Entry>()
  readonly #max: number
  #size = 0

  constructor(max = TOTAL_MAX) {
    this.#max = max
  }

  /** The bytes that are kept, roughly. */
  get size(): number {
    return this.#size
  }

  find(key: string, nowMs: number): Kept<Buffer> | undefined {
    const entry = this.#entries.get(key)
    if (!entry?.kept || nowMs >= entry.kept.untilMs) return undefined
    // The order of a map is the order in which its keys were set.
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.kept
  }

  keep(key: string, kept: Kept<Buffer>): void {
    const { revision, answer } = kept
    const before = this.#entries.get(key)
    if (before) this.#remove(key, before)
    const isWorthIt = (before === undefined || before.revision === revision) && answer.byteLength <= ONE_MAX
    const entry = { revision, kept: isWorthIt ? kept : undefined }
    this.#entries.set(key, entry)
    this.#size += sizeOf(entry)
    for (const [oldest, each] of this.#entries) {
      if (this.#size <= this.#max) break
      this.#remove(oldest, each)
    }
  }

  #remove(key: string, entry: Entry): void {
    this.#entries.delete(key)
    this.#size -= sizeOf(entry)
  }
}

const sizeOf = ({ kept }: Entry): number => (kept?.answer.byteLength ?? 0) + ENTRY_OVERHEAD
