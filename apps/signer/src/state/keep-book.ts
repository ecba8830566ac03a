import { decode } from '@holdfast/encoding'
import { intentHash, intentShape } from '@holdfast/intent'
import { type Book, followBookOrder } from '@holdfast/policy'
import type { JournalEvent } from './journal-events.ts'

/** Carries a change of the whitelist, which was followed at a time, into the list. */
export function keepBook(book: Book, { intent: encoded, usableAtMs }: Extract<JournalEvent, { kind: 'bookChanged' }>, atMs: number): void {
  const intent = decode(intentShape, encoded)
  if (intent.kind !== 'addressBook') throw new Error('the journal has another order where one to change the whitelist was followed')
  followBookOrder(book, intent, { hash: intentHash(intent), sinceMs: atMs, usableAtMs: Number(usableAtMs) })
}
