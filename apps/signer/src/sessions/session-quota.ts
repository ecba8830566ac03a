import { toHex } from '@holdfast/encoding'
import { PeerError } from '@holdfast/link'
import type { Task } from '../session-kinds/task.ts'
import type { Organisation } from '../state/organisation.ts'
import { Quota } from '../state/quota.ts'

/** For one order. A server that tries again as ours does begins a hundred at most. */
export const OF_ONE_MAX = 240
/** For all that one approval is for, beside those that sign; and for all keys of an organisation together. */
export const OF_MANY_MAX = 3000

/**
 * How many sessions begin in ten minutes. Each is written down when it opens and when it ends, whatever comes of it: without an end a server could fill the
 * disk by one order that people approved.
 */
export class SessionQuota {
  readonly #quota = new Quota()

  /** Counts one more session. Answers what to `giveBack` once it has signed; null for nothing. Throws PeerError if too many have begun. */
  take({ fingerprint, register }: Pick<Organisation, 'fingerprint' | 'register'>, { approved }: Pick<Task, 'approved'>, nowMs: number): string | null {
    const [order, many] = approved.map(toHex)
    if (order !== undefined) this.#take(order, OF_ONE_MAX, nowMs)
    const shared = order === undefined ? toHex(fingerprint) : many
    if (shared !== undefined) this.#take(shared, OF_MANY_MAX, nowMs)
    // An order that may have been signed before is one that a server can have signed again and again, in other bytes.
    return many === undefined || order === undefined || register.stood.has(order) ? null : many
  }

  giveBack(shared: string): void {
    this.#quota.giveBack(shared)
  }

  #take(subject: string, most: number, nowMs: number): void {
    if (this.#quota.take(subject, most, nowMs)) return
    throw new PeerError('unavailable', `${most} sessions for ${subject} began in these ten minutes: ask again when they are over`)
  }
}
