import { decode } from '@holdfast/encoding'
import { intentHash, intentShape } from '@holdfast/intent'
import { followBookOrder } from '@holdfast/policy'
import type { JournalEvent } from './journal-events.ts'
import type { Register } from './register.ts'

/** Carries a change of the whitelist that was followed into the list: a clock that was put back makes it no earlier. */
export function keepBook({ book, latestMs }: Register, { intent: encoded, usableAtMs }: Extract<JournalEvent, { kind: 'bookChanged' }>): void {
  const intent = decode(intentShape, encoded)
  if (intent.kind !== 'addressBook') throw new Error('the journal has another order where one to change the whitelist was followed')
  followBookOrder(book, intent, { hash: intentHash(intent), sinceMs: latestMs, usableAtMs: Number(usableAtMs) })
}
