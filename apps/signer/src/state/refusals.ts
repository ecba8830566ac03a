import { toHex } from '@holdfast/encoding'
import type { JournalEvent } from './journal-events.ts'
import { Quota } from './quota.ts'

type Refusal = Omit<Extract<JournalEvent, { kind: 'refused' }>, 'kind'>

/** So many refusals are written whole in ten minutes. */
export const WRITTEN_MAX = 120

/**
 * What the journal of one organisation is to hold of refusals, each of which leaves with a signed statement: every one whole, but for those that a caller
 * gets by asking the same again, or by asking for ever. These are counted, and the next that is written says how many they were: a server that asks for
 * refusals fills no disk by them.
 */
export class Refusals {
  readonly #quota = new Quota()
  #leftOut = 0

  eventsOf(refusal: Refusal, nowMs: number): JournalEvent[] {
    if (!this.#isWritten(refusal, nowMs)) {
      this.#leftOut++
      return []
    }
    const count = BigInt(this.#leftOut)
    this.#leftOut = 0
    return [...(count > 0n ? [{ kind: 'refusalsLeftOut' as const, count }] : []), { kind: 'refused', ...refusal }]
  }

  #isWritten({ requestHash, check }: Refusal, nowMs: number): boolean {
    if (!this.#quota.take('all', WRITTEN_MAX, nowMs)) return false
    const isNew = this.#quota.take(`${toHex(requestHash)} ${check}`, 1, nowMs)
    if (!isNew) this.#quota.giveBack('all')
    return isNew
  }
}
