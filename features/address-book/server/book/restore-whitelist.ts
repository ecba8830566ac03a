import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { type BookVersion, followedBookOrders } from '@holdfast/features/policy/server'
import type { Networks } from '@holdfast/features/network/server'
import type { BookEntry } from '@holdfast/intent'
import { emptyBook, followBookOrder } from '@holdfast/policy'
import { bytesToUuid } from '@holdfast/units'
import { sql } from 'kysely'
import { type leftOutReasons, LISTED_AT_ONCE } from '../../book-contract.ts'
import { similarTo, type Similar } from '../similar-to.ts'
import { type EntryRow, readEntries } from './book-rows.ts'
import { additionOf, removalOf } from './propose-listing.ts'
import { changeView } from './read-audits.ts'
import { type Editor, ENTRIES_MAX } from './save-entry.ts'

type Why = (typeof leftOutReasons)[number]
type LeftOut = { entry: BookEntry; why: Why; others: Similar[] }

/**
 * What would make the whitelist as it was at an earlier version, on top of the book as it is: at most as much as one order takes. What the book has no more, or
 * says something else of, and what looks like another address, is left out with the reason. Throws AppError `resource_not_found` where there was no such version.
 */
export async function restoredWhitelist(tx: OrganisationTx, editor: Editor, version: number) {
  const { networks } = editor
  const versions = await followedBookOrders(tx)
  if (!versions.some((each) => each.version === BigInt(version))) throw new AppError('resource_not_found')
  const former = whitelistOf(versions.filter((each) => each.version <= BigInt(version)))
  const rows = await readAround(tx, editor, former)
  const [kept, back, leftOut]: [Set<string>, EntryRow[], LeftOut[]] = [new Set(), [], []]
  let hasMore = false
  for (const entry of former) {
    const row = rowOf(entry, rows)
    if (row) kept.add(row.id)
    if (row && isListedNow(row) && isAsTold(row, entry)) continue
    const found = await whyNot(tx, editor, entry, rows)
    if (found) leftOut.push({ entry, ...found })
    else if (row && back.length < LISTED_AT_ONCE) back.push(row)
    else hasMore = true
  }
  const off = rows.filter((row) => isListedNow(row) && !kept.has(row.id))
  return {
    changes: [...back.map(additionOf), ...off.slice(0, LISTED_AT_ONCE).map(removalOf)].map((change) => changeView(change, networks)),
    left_out: leftOut.map(({ entry, why, others }) => ({ ...changeView({ kind: 'add', ...entry }, networks), why, others })),
    has_more: hasMore || off.length > LISTED_AT_ONCE,
  }
}

/** The entries of the whitelist that these orders made, from the first on. */
function whitelistOf(versions: readonly BookVersion[]): BookEntry[] {
  const book = emptyBook()
  for (const { hash, order } of versions) {
    if (order.intent.kind === 'addressBook') followBookOrder(book, order.intent, { hash, sinceMs: 0, usableAtMs: 0 })
  }
  return [...book.entries.values()]
}

/** Everything that is on the whitelist now, and what the book has with an id, an address or a name of earlier entries. */
function readAround(tx: OrganisationTx, { ports }: Editor, former: readonly BookEntry[]): Promise<EntryRow[]> {
  const [ids, addresses, names] = [former.map(({ id }) => bytesToUuid(id)), former.map(({ address }) => address), former.map(({ name }) => name)]
  const where = sql`listed_at is not null or id = any(${ids}::uuid[]) or address = any(${addresses}::text[]) or name = any(${names}::text[])`
  return readEntries(tx, ports.clock.nowMs(), where, { limit: ENTRIES_MAX })
}

const isListedNow = ({ listed_at: listedAt }: EntryRow): boolean => listedAt !== null

/** The entry of the book that an earlier one is: the same, or one that was added for the same place after that was removed. */
function rowOf(entry: BookEntry, rows: readonly EntryRow[]): EntryRow | undefined {
  const id = bytesToUuid(entry.id)
  const isSamePlace = ({ address, memo, chains }: EntryRow) =>
    address === entry.address && memo === (entry.memo ?? '') && chains.some((chain) => entry.chains.includes(chain))
  return rows.find((row) => row.id === id) ?? rows.find(isSamePlace)
}

const wordsOf = ({ name, address, chains, memo, lists }: Omit<BookEntry, 'id'>): string =>
  JSON.stringify([name, address, [...chains].sort(), memo, [...lists].sort()])

/** Whether the book says of an entry what signers were told of it. */
const isAsTold = (row: EntryRow, entry: BookEntry): boolean => wordsOf(additionOf(row)) === wordsOf(entry)

/** Why an earlier entry is not put on again; undefined if it can be. */
async function whyNot(
  tx: OrganisationTx,
  { networks, personId }: Editor,
  entry: BookEntry,
  rows: readonly EntryRow[],
): Promise<Omit<LeftOut, 'entry'> | undefined> {
  const row = rowOf(entry, rows)
  if (!row) {
    const others = rows.filter(({ name }) => name === entry.name).map(({ name, address }): Similar => ({ name, address, kind: 'book' }))
    return { why: others.length > 0 ? 'replaced' : 'removed', others }
  }
  if (!isAsTold(row, entry)) return { why: 'changed', others: [] }
  if (!isOpen(entry, networks)) return { why: 'network', others: [] }
  const others = await similarTo(tx, personId, entry.address)
  return others.length > 0 ? { why: 'similar', others } : undefined
}

const isOpen = ({ chains, address }: BookEntry, networks: Networks): boolean =>
  chains.every((chain) => networks.find(chain)?.codec.canonicalAddress(address) === address)
