import { equalBytes, toHex } from '@holdfast/encoding'
import { type AddressBookIntent, type BookEntry, placesOf } from '@holdfast/intent'

/** Entries at the most, so that no order makes a signer's memory grow without end. */
export const BOOK_ENTRIES_MAX = 20_000

/** An address of the whitelist as a signer keeps it: since when it knows it, and from when on it counts. */
export type ListedEntry = BookEntry & { sinceMs: number; usableAtMs: number }

/**
 * The whitelist as a signer keeps it: its version, the hash of the order that made it (`NO_HASH` before the first), and every entry by its id. `places` finds an
 * entry by where payments to it go; `orders` are all that were followed. Mutated by `followBookOrder` only.
 */
export type Book = {
  version: bigint
  hash: Uint8Array
  readonly entries: Map<string, ListedEntry>
  readonly places: Map<string, string>
  readonly orders: Set<string>
}

/** The whitelist before its first version. */
export const emptyBook = (): Book => ({ version: 0n, hash: new Uint8Array(32), entries: new Map(), places: new Map(), orders: new Set() })

/** Why an order cannot follow this version of the whitelist, in words; undefined if it can. It is one that makes sense in itself. */
export function bookFault(book: Book, { changes }: Pick<AddressBookIntent, 'changes'>): string | undefined {
  const removed = new Set<string>()
  for (const change of changes) {
    const id = toHex(change.id)
    const known = book.entries.get(id)
    if (change.kind === 'add') {
      if (known) return `the whitelist has an entry ${id} already`
      continue
    }
    if (!known) return `the whitelist has no entry ${id} that could be taken off`
    if (known.address !== change.address || known.name !== change.name) return `the entry ${id} that is taken off is another than the order says`
    removed.add(id)
  }
  const added = changes.filter((change) => change.kind === 'add')
  for (const place of added.flatMap(placesOf)) {
    const holder = book.places.get(place)
    if (holder !== undefined && !removed.has(holder)) return `the whitelist has this address already, as entry ${holder}`
  }
  const size = book.entries.size - removed.size + added.length
  return size > BOOK_ENTRIES_MAX ? `the whitelist would have ${size} entries, and has at most ${BOOK_ENTRIES_MAX}` : undefined
}

/** Carries a followed order into the whitelist. What it takes off counts no more at once; what it adds counts from `usableAtMs` on. */
export function followBookOrder(
  book: Book,
  { version, changes }: Pick<AddressBookIntent, 'version' | 'changes'>,
  { hash, sinceMs, usableAtMs }: { hash: Uint8Array; sinceMs: number; usableAtMs: number },
): void {
  for (const change of changes) if (change.kind === 'remove') takeOff(book, toHex(change.id))
  for (const change of changes) {
    if (change.kind !== 'add') continue
    const { kind: _, ...entry } = change
    const id = toHex(entry.id)
    book.entries.set(id, { ...entry, sinceMs, usableAtMs })
    for (const place of placesOf(entry)) book.places.set(place, id)
  }
  book.version = version
  book.hash = hash
  book.orders.add(toHex(hash))
}

function takeOff(book: Book, id: string): void {
  const entry = book.entries.get(id)
  if (!entry) return
  for (const place of placesOf(entry)) book.places.delete(place)
  book.entries.delete(id)
}

/** Where a payment goes. An entry with a memo is listed with that memo only, and one without only without. */
export type Destination = { chain: string; address: string; memo: string | null }

/** What the whitelist says of a destination; `cooling` counts as `none` wherever only what is listed may be paid. */
export type Listed = { state: 'listed' | 'cooling'; sinceMs: number; usableAtMs: number; lists: readonly string[] } | { state: 'none'; lists: readonly [] }

/** Whether a destination is on the whitelist at a time. `address` is in its chain's own spelling. */
export function listedAt({ places, entries }: Pick<Book, 'places' | 'entries'>, { chain, address, memo }: Destination, nowMs: number): Listed {
  const [place = ''] = placesOf({ chains: [chain], address, memo: memo === '' ? null : memo })
  const entry = entries.get(places.get(place) ?? '')
  if (!entry) return { state: 'none', lists: [] }
  const { sinceMs, usableAtMs, lists } = entry
  // A clock that was put back makes nothing usable, whatever the journal says.
  return { state: nowMs >= usableAtMs && nowMs >= sinceMs ? 'listed' : 'cooling', sinceMs, usableAtMs, lists }
}

/** Whether an order follows this version of the whitelist, is the one that made it or one before, came too early, or is one whose place another has taken. */
export function bookStanding(
  book: Book,
  hash: Uint8Array,
  { version, previous }: Pick<AddressBookIntent, 'version' | 'previous'>,
): 'next' | 'followed' | 'early' | 'taken' {
  if (book.orders.has(toHex(hash))) return 'followed'
  if (version > book.version + 1n) return 'early'
  return version === book.version + 1n && equalBytes(previous, book.hash) ? 'next' : 'taken'
}
