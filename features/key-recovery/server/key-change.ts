import type { KeyChangeState, OrganisationTx, Schema } from '@holdfast/db'
import { decode, equalBytes } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import { appendToLog, type LogEntryKind } from '@holdfast/features/evidence/server'
import { closeProposal } from '@holdfast/features/proposal/server'
import { intentHash, intentShape, type KeyChangeIntent, type KeyOrderIntent } from '@holdfast/intent'
import { announceAll } from '@holdfast/jobs'
import type { Selectable } from 'kysely'
import { type ChangeProgress, readChangeProgress } from './change-progress.ts'

export type KeyChangeRow = Selectable<Schema['key_change']>
/** Where in the log the intent stands, and each person's approval by person id. */
export type Places = { intent: number; words: Record<string, number> }

/** An order about a key as it stands, decoded from the bytes that were hashed. */
export type KeyChange = { row: KeyChangeRow; intent: KeyChangeIntent | KeyOrderIntent; places: Places; progress: ChangeProgress }
/** One for new shares. */
export type ShareChange = KeyChange & { intent: KeyChangeIntent }
/** One that exports or retires the key. */
export type KeyOrder = KeyChange & { intent: KeyOrderIntent }

export const isShareChange = (change: KeyChange): change is ShareChange => change.intent.kind === 'keyChange'
export const isKeyOrder = (change: KeyChange): change is KeyOrder => change.intent.kind === 'keyOrder'

/** An order by its id; `lock` holds it until the transaction ends. */
export async function readKeyChange(tx: OrganisationTx, id: string, lock = false): Promise<KeyChange | undefined> {
  const wanted = tx.selectFrom('key_change').selectAll().where('org_id', '=', tx.orgId).where('id', '=', id)
  const row = await (lock ? wanted.forNoKeyUpdate() : wanted).executeTakeFirst()
  return row && keyChangeOf(row)
}

export function keyChangeOf(row: KeyChangeRow): KeyChange {
  const intent = decode(intentShape, new Uint8Array(row.intent))
  const isAboutKey = intent.kind === 'keyChange' || intent.kind === 'keyOrder'
  if (!isAboutKey || !equalBytes(intentHash(intent), row.intent_hash))
    throw new Error(`key change ${row.id} does not hold the intent it names: restore the database from a backup`)
  return { row, intent, places: row.places as Places, progress: readChangeProgress(row.progress) }
}

/** What can become of an order. Nothing that is not here is written. */
const TRANSITIONS: Record<KeyChangeState, readonly KeyChangeState[]> = {
  approving: ['approved', 'rejected', 'withdrawn', 'expired', 'superseded'],
  // Has its quorum; the signers are at work, or wait for the time from which an order is followed.
  approved: ['active', 'done', 'rejected', 'refused', 'expired', 'superseded'],
  // The new shares are in use; the old ones are kept until the new kit has been proven.
  active: ['done'],
  done: [],
  rejected: [],
  refused: [],
  withdrawn: [],
  expired: [],
  superseded: [],
}

export type KeyChangeMove = {
  state: KeyChangeState
  /** A person's id, server, or signer-1 to signer-3. */
  actor: string
  reason?: string
  log?: readonly { type: LogEntryKind; body: Uint8Array }[]
}

/**
 * The one writer of an order's state: row, log, timeline and the hint to open pages, in the caller's transaction. `change` must have been read with a lock in
 * this transaction. Locks are taken in this order: wallet, change, log, outbox.
 */
export async function moveKeyChange(tx: OrganisationTx, { ports }: Pick<ServerContext, 'ports'>, change: KeyChange, move: KeyChangeMove): Promise<KeyChange> {
  const { row, intent } = change
  if (!TRANSITIONS[row.state].includes(move.state)) throw new Error(`a key change that is ${row.state} cannot become ${move.state}`)
  const nowMs = ports.clock.nowMs()
  const written = await tx
    .updateTable('key_change')
    .set({
      state: move.state,
      is_final: TRANSITIONS[move.state].length === 0,
      reason: move.reason?.slice(0, 1000) || null,
      version: row.version + 1,
      updated_at: Math.max(nowMs, Number(row.updated_at)),
    })
    .where('org_id', '=', tx.orgId)
    .where('id', '=', row.id)
    .where('version', '=', row.version)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (row.state === 'approving') await closeProposal(tx, row.id)
  for (const { type, body } of move.log ?? []) await appendToLog(tx, { genesis: intent.genesis, type, body, atMs: nowMs })
  await writeKeyChangeEvent(tx, written, move, nowMs)
  await announceKeyChange(tx, { ports }, written)
  return { ...change, row: written }
}

export async function writeKeyChangeEvent(
  tx: OrganisationTx,
  row: Pick<KeyChangeRow, 'id' | 'version' | 'state'>,
  { actor, reason }: { actor: string; reason?: string },
  nowMs: number,
): Promise<void> {
  await tx
    .insertInto('key_change_event')
    .values({ org_id: tx.orgId, change_id: row.id, seq: row.version, state: row.state, actor, reason: reason?.slice(0, 1000) || null, at: nowMs })
    .execute()
}

/** Tells open pages. The last thing a transaction does. */
export async function announceKeyChange(
  tx: OrganisationTx,
  { ports }: Pick<ServerContext, 'ports'>,
  row: Pick<KeyChangeRow, 'id' | 'wallet_id'>,
): Promise<void> {
  const ids = { key_change_id: row.id, wallet_id: row.wallet_id }
  await announceAll(tx, ports, [
    { topic: 'wallet.changed', ids },
    { topic: 'todo.changed', ids },
  ])
}

/** Writes where in the log the words of people on an order stand. */
export async function writeKeyChangePlaces(tx: OrganisationTx, { row }: KeyChange, places: Places): Promise<void> {
  await tx
    .updateTable('key_change')
    .set({ places: JSON.stringify(places) })
    .where('org_id', '=', tx.orgId)
    .where('id', '=', row.id)
    .execute()
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
  await announceKeyChange(tx, needs, change.row)
}
