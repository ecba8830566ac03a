import { alikeKeys, looksAlike } from '@holdfast/chain-core'
import { type Intent, isPayment, isSpending, listedTargets, originalOf, paymentsOf } from '@holdfast/intent'
import { type Destination, listedAt, type ListedEntry } from '@holdfast/policy'
import type { Register } from '../state/register.ts'

/** What this signer's own whitelist says of a destination. `unknown`: it began anew and was given none yet. Times are those of this signer. */
export type Standing = { state: 'listed' | 'cooling' | 'none' | 'unknown'; since: number | null; usable_at: number | null; lists: readonly string[] }
/** An address that is to be put on the whitelist, and an entry that it could be taken for. */
export type Alike = { address: string; name: string; other: string }
/** What the signer that serves the page knows by itself. `payments` are in the sequence of the order. */
export type BookFacts = { payments: Standing[]; alike: Alike[] }

/** Of whom an order pays, and of the addresses that it would put on the whitelist, by this signer's own register. */
export function bookFacts(intent: Intent, { book, beganAnewAtMs }: Register, nowMs: number): BookFacts {
  if (intent.kind === 'addressBook') {
    const added = intent.changes.flatMap((change) => (change.kind === 'add' ? [change.address] : []))
    const removed = new Set(intent.changes.flatMap((change) => (change.kind === 'remove' ? [change.address] : [])))
    return {
      payments: [],
      alike: alikeIn(
        [...book.entries.values()].filter(({ address }) => !removed.has(address)),
        added,
      ),
    }
  }
  const nothing = beganAnewAtMs !== null && book.version === 0n ? 'unknown' : 'none'
  const payments = destinationsOf(intent).map((destination): Standing => {
    const listed = listedAt(book, destination, nowMs)
    if (listed.state === 'none') return { state: nothing, since: null, usable_at: null, lists: [] }
    return { state: listed.state, since: listed.sinceMs, usable_at: listed.usableAtMs, lists: listed.lists }
  })
  return { payments, alike: [] }
}

/** Whom an order pays, or lets be paid on the strength of the whitelist. */
function destinationsOf(intent: Intent): Destination[] {
  if (intent.kind === 'standingOrder') return listedTargets(intent)
  const payment = isSpending(intent) ? originalOf(intent) : undefined
  if (!payment || !isPayment(payment)) return []
  return paymentsOf(payment).map(({ to, memo }) => ({ chain: payment.asset.chain, address: to, memo }))
}

function alikeIn(entries: readonly ListedEntry[], added: readonly string[]): Alike[] {
  const byKey = new Map<string, ListedEntry[]>()
  for (const entry of entries) for (const key of alikeKeys(entry.address)) byKey.set(key, [...(byKey.get(key) ?? []), entry])
  return [...new Set(added)].flatMap((address) => {
    const other = alikeKeys(address)
      .flatMap((key) => byKey.get(key) ?? [])
      .find((entry) => looksAlike(entry.address, address))
    return other ? [{ address, name: other.name, other: other.address }] : []
  })
}
