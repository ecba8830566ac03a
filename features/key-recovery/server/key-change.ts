import type { OrganisationTx, Schema } from '@holdfast/db'
import { decode, equalBytes } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import { governedTable, type Places } from '@holdfast/features/proposal/server'
import { intentHash, intentShape, type KeyChangeIntent, type KeyOrderIntent } from '@holdfast/intent'
import type { Selectable } from 'kysely'
import { type ChangeProgress, readChangeProgress } from './change-progress.ts'

export type KeyChangeRow = Selectable<Schema['key_change']>

/** An order about a key as it stands, decoded from the bytes that were hashed. */
export type KeyChange = { row: KeyChangeRow; intent: KeyChangeIntent | KeyOrderIntent; places: Places; progress: ChangeProgress }
/** One for new shares. */
export type ShareChange = KeyChange & { intent: KeyChangeIntent }
/** One that exports or retires the key. */
export type KeyOrder = KeyChange & { intent: KeyOrderIntent }

export const isShareChange = (change: KeyChange): change is ShareChange => change.intent.kind === 'keyChange'
export const isKeyOrder = (change: KeyChange): change is KeyOrder => change.intent.kind === 'keyOrder'

/** The life of orders about keys. The wallet is locked before the order. */
export const keyChanges = governedTable<KeyChange>({
  table: 'key_change',
  events: { table: 'key_change_event', key: 'change_id' },
  kindOf: (intent) => (intent.kind === 'keyOrder' && intent.action === 'export' ? 'export_key' : 'key_change'),
  noun: 'a key change',
  afterQuorum: {
    // The signers are at work, or wait for the time from which an order is followed.
    approved: ['active', 'done', 'rejected', 'refused', 'expired', 'superseded'],
    // The new shares are in use; the old ones are kept until the new kit has been proven.
    active: ['done'],
  },
  right: 'key.recover',
  subjectOf: keyChangeOf,
  announcements: ({ id, wallet_id }) => [
    { topic: 'wallet.changed', ids: { key_change_id: id, wallet_id } },
    { topic: 'todo.changed', ids: { key_change_id: id, wallet_id } },
  ],
})

export function keyChangeOf(row: KeyChangeRow): KeyChange {
  const intent = decode(intentShape, new Uint8Array(row.intent))
  const isAboutKey = intent.kind === 'keyChange' || intent.kind === 'keyOrder'
  if (!isAboutKey || !equalBytes(intentHash(intent), row.intent_hash))
    throw new Error(`key change ${row.id} does not hold the intent it names: restore the database from a backup`)
  return { row, intent, places: row.places as Places, progress: readChangeProgress(row.progress) }
}

/** Writes how far the signers are with an order, and tells open pages. */
export async function writeChangeProgress(tx: OrganisationTx, needs: Pick<ServerContext, 'ports'>, change: KeyChange, progress: ChangeProgress): Promise<void> {
  change.progress = progress
  await tx
    .updateTable('key_change')
    .set({ progress: JSON.stringify(progress), updated_at: Math.max(needs.ports.clock.nowMs(), Number(change.row.updated_at)) })
    .where('org_id', '=', tx.orgId)
    .where('id', '=', change.row.id)
    .execute()
  await keyChanges.announce(tx, needs, change)
}
