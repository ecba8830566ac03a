import { AppError, type Language } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { proposeBookChange, type SignerOrder } from '@holdfast/features/policy/server'
import type { RequestKey } from '@holdfast/http'
import { BOOK_CHANGES_MAX, type BookChange } from '@holdfast/intent'
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

/** Asks those who govern to put entries on the whitelist. Throws AppError `address_in_approval`, `address_duplicate` where one is there or on the way. */
export async function proposeListing(tx: OrganisationTx, proposer: Proposer, rows: readonly EntryRow[]): Promise<SignerOrder> {
  if (rows.some(isInFlow)) throw new AppError(addressBookErrors.address_in_approval)
  if (rows.some(isListed)) throw new AppError(addressBookErrors.address_duplicate)
  const changes = rows.map((row): BookChange => {
    const { id, name, address, chains, memo, group_name: group } = row
    return {
      kind: 'add',
      id: uuidToBytes(id),
      name,
      address,
      chains: [...chains].sort(),
      memo: memo === '' ? null : memo,
      lists: group === null ? [] : [group],
    }
  })
  return propose(tx, proposer, rows, changes, { listed_by: 'order', unlisted_by: null, leaves: false })
}

/** Asks those who govern to take entries off the whitelist; `leaves`: and then out of the book. Throws AppError. */
export async function proposeDelisting(tx: OrganisationTx, proposer: Proposer, rows: readonly EntryRow[], leaves: boolean): Promise<SignerOrder> {
  if (rows.some(isInFlow)) throw new AppError(addressBookErrors.address_in_approval)
  if (!rows.every(isListed)) throw new AppError('state_changed')
  const changes = rows.map(({ id, name, address }): BookChange => ({ kind: 'remove', id: uuidToBytes(id), name, address }))
  return propose(tx, proposer, rows, changes, { unlisted_by: 'order', leaves })
}

type Marks = { listed_by?: 'order'; unlisted_by: 'order' | null; leaves: boolean }

async function propose(tx: OrganisationTx, proposer: Proposer, rows: readonly EntryRow[], changes: BookChange[], marks: Marks): Promise<SignerOrder> {
  if (changes.length > BOOK_CHANGES_MAX) {
    throw new AppError('invalid_parameters', { details: { field: 'ids', reason: `an order changes at most ${BOOK_CHANGES_MAX} entries` } })
  }
  const { ports } = proposer
  const { order } = await proposeBookChange(tx, { ports }, { ...proposer, changes })
  const { id } = order.row
  await tx
    .updateTable('book_entry')
    .set({
      ...(marks.listed_by ? { listed_by: id } : {}),
      unlisted_by: marks.unlisted_by === null ? null : id,
      leaves: marks.leaves,
      updated_at: ports.clock.nowMs(),
    })
    .where('org_id', '=', tx.orgId)
    .where(
      'id',
      'in',
      rows.map((row) => row.id),
    )
    .execute()
  for (const row of rows) await writeEvent(tx, proposer, marks.listed_by ? 'proposed' : 'proposed_off', { id: row.id, name: row.name, orderId: id })
  return order
}
