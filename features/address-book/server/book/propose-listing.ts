import { AppError, type Language } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { currentPolicy, proposeBookChange, type SignerOrder } from '@holdfast/features/policy/server'
import type { RequestKey } from '@holdfast/http'
import { BOOK_CHANGES_MAX, type BookChange } from '@holdfast/intent'
import { listingCoolingMs } from '@holdfast/policy'
import { uuidToBytes } from '@holdfast/units'
import { addressBookErrors } from '../../errors.ts'
import type { EntryRow } from './book-rows.ts'
import { type Editor, isInFlow, isListed, writeEvent } from './save-entry.ts'

export type Proposer = Pick<Editor, 'ports' | 'personId'> & {
  language: Language
  /** Null where the call that asks knows by itself whether it was made before. */
  key: RequestKey | null
  remark: string
  demandSecondFactor(): Promise<void>
}

/** What signers are told of an entry that is put on. */
export function additionOf({ id, name, address, chains, memo, group_name: group }: EntryRow): Extract<BookChange, { kind: 'add' }> {
  return {
    kind: 'add',
    id: uuidToBytes(id),
    name,
    address,
    chains: [...chains].sort(),
    memo: memo === '' ? null : memo,
    lists: group === null ? [] : [group],
  }
}

/** What they are told of one that is taken off. */
export const removalOf = ({ id, name, address }: EntryRow): BookChange => ({ kind: 'remove', id: uuidToBytes(id), name, address })

/**
 * Asks those who govern to put entries on the whitelist, and to take others off by the same order. Throws AppError `address_in_approval`, `address_duplicate`
 * where one is there or on the way, `state_changed` where one that is to be taken off is not there.
 */
export async function proposeListing(tx: OrganisationTx, proposer: Proposer, rows: readonly EntryRow[], off: readonly EntryRow[] = []): Promise<SignerOrder> {
  if ([...rows, ...off].some(isInFlow)) throw new AppError(addressBookErrors.address_in_approval)
  if (rows.some(isListed)) throw new AppError(addressBookErrors.address_duplicate)
  if (!off.every(isListed)) throw new AppError('state_changed')
  const order = await propose(tx, proposer, [...rows.map(additionOf), ...off.map(removalOf)])
  const { policy } = await currentPolicy(tx)
  await mark(tx, proposer, rows, { listed_by: order.row.id, unlisted_by: null, leaves: false, cooling_ms: BigInt(listingCoolingMs(policy)) })
  if (off.length > 0) await mark(tx, proposer, off, { unlisted_by: order.row.id, leaves: false })
  return order
}

/** Asks those who govern to take entries off the whitelist; `leaves`: and then out of the book. Throws AppError. */
export async function proposeDelisting(tx: OrganisationTx, proposer: Proposer, rows: readonly EntryRow[], leaves: boolean): Promise<SignerOrder> {
  if (rows.some(isInFlow)) throw new AppError(addressBookErrors.address_in_approval)
  if (!rows.every(isListed)) throw new AppError('state_changed')
  const order = await propose(tx, proposer, rows.map(removalOf))
  await mark(tx, proposer, rows, { unlisted_by: order.row.id, leaves })
  return order
}

async function propose(tx: OrganisationTx, proposer: Proposer, changes: BookChange[]): Promise<SignerOrder> {
  if (changes.length > BOOK_CHANGES_MAX) {
    throw new AppError('invalid_parameters', { details: { field: 'ids', reason: `an order changes at most ${BOOK_CHANGES_MAX} entries` } })
  }
  const { order } = await proposeBookChange(tx, { ports: proposer.ports }, { ...proposer, changes })
  return order
}

type Marks = { listed_by: string; unlisted_by: null; leaves: false; cooling_ms: bigint } | { unlisted_by: string; leaves: boolean }

/** Says of entries which order is about them. */
async function mark(tx: OrganisationTx, proposer: Proposer, rows: readonly EntryRow[], marks: Marks): Promise<void> {
  await tx
    .updateTable('book_entry')
    .set({ ...marks, updated_at: proposer.ports.clock.nowMs() })
    .where('org_id', '=', tx.orgId)
    .where(
      'id',
      'in',
      rows.map((row) => row.id),
    )
    .execute()
  const [action, orderId] = 'listed_by' in marks ? (['proposed', marks.listed_by] as const) : (['proposed_off', marks.unlisted_by] as const)
  for (const { id, name } of rows) await writeEvent(tx, proposer, action, { id, name, orderId })
}
