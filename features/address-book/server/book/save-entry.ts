import { endOf, startOf } from '@holdfast/chain-core'
import { AppError, type InputOf, looksLikeName } from '@holdfast/contract'
import { type BookAction, nextNumber, type OrganisationTx } from '@holdfast/db'
import { knownAddressErrors } from '@holdfast/features/known-address/errors'
import { networkErrors } from '@holdfast/features/network/errors'
import type { Networks } from '@holdfast/features/network/server'
import type { ServerContext } from '@holdfast/features/context'
import { newId } from '@holdfast/units'
import { sql } from 'kysely'
import type * as contract from '../../book-contract.ts'
import { addressBookErrors } from '../../errors.ts'
import { similarTo } from '../similar-to.ts'
import { type EntryRow, findPlace, readEntries, requireEntry } from './book-rows.ts'

/** Signers keep a list of so many. */
export const ENTRIES_MAX = 20_000

export type Editor = Pick<ServerContext, 'ports' | 'networks'> & { personId: string }
type Given = Omit<InputOf<typeof contract.saveBookEntry>, 'request_id' | 'google_code' | 'whitelist' | 'id'>

/** One change of the book at a time, so that two people cannot both find an address missing. */
export const lockBook = (tx: OrganisationTx): Promise<bigint> => nextNumber(tx, 'address_book')

/** Writes down who did what with an entry, or with the book. */
export async function writeEvent(
  tx: OrganisationTx,
  { ports, personId }: Pick<Editor, 'ports' | 'personId'>,
  action: BookAction,
  entry: { id: string | null; name: string; orderId?: string },
): Promise<void> {
  const nowMs = ports.clock.nowMs()
  const event = { org_id: tx.orgId, id: newId(nowMs, ports.random), entry_id: entry.id, action, name: entry.name, person_id: personId }
  await tx
    .insertInto('book_event')
    .values({ ...event, order_id: entry.orderId ?? null, at: nowMs })
    .execute()
}

/** The address in the spelling of all these networks. Throws AppError where one is not open, or it is no address of it. */
export function canonicalOn(networks: Networks, chains: readonly string[], address: string): string {
  const spellings = new Set(
    chains.map((chain) => {
      const network = networks.find(chain)
      if (!network) throw new AppError(networkErrors.unsupported_coin)
      const canonical = network.codec.canonicalAddress(address)
      if (canonical === undefined) throw new AppError(networkErrors.invalid_transfer_address)
      return canonical
    }),
  )
  const [only] = spellings
  if (only === undefined || spellings.size > 1) throw new AppError(networkErrors.invalid_transfer_address)
  return only
}

/** Adds an entry under an id. Throws AppError: what is no address, what is in the book already (200137, 200139), what looks like a known one (300005). */
export async function addEntry(tx: OrganisationTx, editor: Editor, given: Given, id: string, action: 'added' | 'imported' = 'added'): Promise<string> {
  const { ports, networks, personId } = editor
  const nowMs = ports.clock.nowMs()
  const chains = [...new Set(given.chains)]
  const address = canonicalOn(networks, chains, given.address)
  const twin = await findPlace(tx, nowMs, { chains, address, memo: given.memo })
  if (twin) throw new AppError(isInFlow(twin) ? addressBookErrors.address_in_approval : addressBookErrors.address_duplicate)
  if (given.ack !== 'lookalike' && (await similarTo(tx, personId, address)).length > 0) throw new AppError(knownAddressErrors.address_look_alike)
  await refuseTakenName(tx, nowMs, given.name)
  await requireGroup(tx, given.group_id)
  const entry = { name: given.name, memo: given.memo, group_id: given.group_id ?? null, note: given.note, vasp: given.vasp }
  await tx
    .insertInto('book_entry')
    .values({
      ...entry,
      org_id: tx.orgId,
      id,
      address,
      address_end: endOf(address),
      address_start: startOf(address),
      chains: JSON.stringify(chains),
      listed_by: null,
      unlisted_by: null,
      leaves: false,
      verified: null,
      verified_by: null,
      verified_at: null,
      proof: null,
      reviewed_at: nowMs,
      created_by: personId,
      created_at: nowMs,
      updated_at: nowMs,
      removed_at: null,
    })
    .execute()
  await writeEvent(tx, editor, action, { id, name: given.name })
  return id
}

/** Changes the words of an entry. Its address never changes; what signers know of it changes only by taking it off their list. Throws AppError. */
export async function editEntry(tx: OrganisationTx, editor: Editor, id: string, given: Given): Promise<void> {
  const nowMs = editor.ports.clock.nowMs()
  const row = await requireEntry(tx, nowMs, id)
  const address = canonicalOn(editor.networks, given.chains, given.address)
  const isSamePlace = address === row.address && isSameList(given.chains, row.chains)
  if (!isSamePlace) throw new AppError(addressBookErrors.address_fixed)
  const isAsKnown = given.name === row.name && given.memo === row.memo && (given.group_id ?? null) === row.group_id
  if (!isAsKnown && isInFlow(row)) throw new AppError(addressBookErrors.address_in_approval)
  if (!isAsKnown && isListed(row)) throw new AppError(addressBookErrors.entry_listed)
  const twin = await findPlace(tx, nowMs, { chains: row.chains, address, memo: given.memo })
  if (twin && twin.id !== id) throw new AppError(addressBookErrors.address_duplicate)
  if (given.name !== row.name) await refuseTakenName(tx, nowMs, given.name, id)
  await requireGroup(tx, given.group_id)
  const words = { name: given.name, memo: given.memo, group_id: given.group_id ?? null, note: given.note, vasp: given.vasp }
  // Behind one address of an exchange each memo is another customer: what was verified was verified with the memo of then.
  const unverified = given.memo === row.memo ? {} : { verified: null, verified_by: null, verified_at: null, proof: null }
  await tx
    .updateTable('book_entry')
    .set({ ...words, ...unverified, reviewed_at: nowMs, updated_at: nowMs })
    .where('org_id', '=', tx.orgId)
    .where('id', '=', id)
    .execute()
  await writeEvent(tx, editor, 'edited', { id, name: given.name })
}

const isSameList = (some: readonly string[], others: readonly string[]) => new Set(some).size === others.length && others.every((each) => some.includes(each))

/** Whether people are being asked about an entry. */
export const isInFlow = ({ status }: Pick<EntryRow, 'status'>): boolean => status === 'auditing' || status === 'deleting'
/** Whether signers have an entry on their list. */
export const isListed = ({ status }: Pick<EntryRow, 'status'>): boolean => status === 'cooling' || status === 'active'

/** Takes entries that signers know nothing of out of the book. */
export async function removeEntries(tx: OrganisationTx, editor: Pick<Editor, 'ports' | 'personId'>, rows: readonly EntryRow[]): Promise<void> {
  const nowMs = editor.ports.clock.nowMs()
  await tx
    .updateTable('book_entry')
    .set({ removed_at: nowMs, updated_at: nowMs })
    .where('org_id', '=', tx.orgId)
    .where(
      'id',
      'in',
      rows.map(({ id }) => id),
    )
    .execute()
  for (const { id, name } of rows) await writeEvent(tx, editor, 'removed', { id, name })
}

async function refuseTakenName(tx: OrganisationTx, nowMs: number, name: string, own?: string): Promise<void> {
  const entries = await tx.selectFrom('book_entry').select(['id', 'name']).where('org_id', '=', tx.orgId).where('removed_at', 'is', null).execute()
  if (entries.length >= ENTRIES_MAX)
    throw new AppError('invalid_parameters', { details: { field: 'name', reason: `the book holds at most ${ENTRIES_MAX} entries` } })
  // One payee may have several addresses under the same name.
  if (entries.some((each) => each.name === name)) return
  const [other] = entries.filter((each) => each.id !== own && looksLikeName(each.name, name))
  if (!other) return
  const [shown] = await readEntries(tx, nowMs, sql`id = ${other.id}`)
  if (shown) throw new AppError('name_taken', { details: { name: other.name } })
}

/** Makes a list and answers its id. Signers know it by its name. */
export async function addGroup(tx: OrganisationTx, editor: Pick<Editor, 'ports' | 'personId'>, name: string): Promise<string> {
  await lockBook(tx)
  const groups = await tx.selectFrom('book_group').select('name').where('org_id', '=', tx.orgId).execute()
  const other = groups.find((each) => looksLikeName(each.name, name))
  if (other) throw new AppError('name_taken', { details: { name: other.name } })
  if (groups.length >= 200) throw new AppError('invalid_parameters', { details: { field: 'name', reason: 'the book has at most 200 lists' } })
  const nowMs = editor.ports.clock.nowMs()
  const id = newId(nowMs, editor.ports.random)
  await tx.insertInto('book_group').values({ org_id: tx.orgId, id, name, created_at: nowMs }).execute()
  await writeEvent(tx, editor, 'group_added', { id: null, name })
  return id
}

async function requireGroup(tx: OrganisationTx, id: string | undefined): Promise<void> {
  if (id === undefined) return
  const group = await tx.selectFrom('book_group').select('id').where('org_id', '=', tx.orgId).where('id', '=', id).executeTakeFirst()
  if (!group) throw new AppError('resource_not_found')
}
