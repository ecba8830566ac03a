import { AppError } from '@holdfast/contract'
import type { OrganisationTx, Schema } from '@holdfast/db'
import { decode, equalBytes } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import type { Places } from '@holdfast/features/proposal/server'
import { closeProposal, endStop } from '@holdfast/features/proposal/server'
import { transferErrors } from '@holdfast/features/transfer/errors'
import { type BatchIntent, intentHash, intentShape, partOf } from '@holdfast/intent'
import { announceAll } from '@holdfast/jobs'
import { type AssetAmount, hold, InsufficientBalanceError, lockSubWallets, release } from '@holdfast/ledger'
import { known, newId, RecentMap } from '@holdfast/units'
import type { Insertable, Selectable } from 'kysely'
import type { BatchState } from '../shapes-contract.ts'

export type BatchRow = Selectable<Schema['batch_transfer']>
/** A batch that people were asked about, with its order decoded from the bytes that were hashed. */
export type Batch = { row: BatchRow & { intent: Uint8Array; intent_hash: Uint8Array; expires_at: bigint }; intent: BatchIntent; places: Places }

type Needs = Pick<ServerContext, 'ports'>

/** The states that each can become. Nothing that is not here is written. */
const BECOMES: Record<BatchState, readonly BatchState[]> = {
  checked: ['approving', 'cancelled'],
  approving: ['approved', 'rejected', 'cancelled', 'expired', 'superseded'],
  approved: ['stopped', 'finished'],
  // Its open orders are still to find their ends.
  stopped: [],
  finished: [],
  rejected: [],
  cancelled: [],
  expired: [],
  superseded: [],
}

/** A batch by its id; `lock` holds it until the transaction ends. Throws AppError where there is none. */
export async function readBatchRow(tx: OrganisationTx, id: string, lock = false): Promise<BatchRow> {
  const wanted = tx.selectFrom('batch_transfer').selectAll().where('org_id', '=', tx.orgId).where('id', '=', id)
  const row = await (lock ? wanted.forNoKeyUpdate() : wanted).executeTakeFirst()
  if (!row) throw new AppError('resource_not_found')
  return row
}

/** Orders that were decoded, by their batch: a thousand lines are not read anew for every one of them. */
const decoded = new RecentMap<string, { bytes: Uint8Array; intent: BatchIntent }>(50)

/** A batch with the order that people are asked about; undefined where nobody was asked yet. */
export function batchOf(row: BatchRow): Batch | undefined {
  const { id, intent: bytes, intent_hash: hash, expires_at: end, places } = row
  if (bytes === null || hash === null || end === null) return undefined
  const before = decoded.get(id)
  const given = { row: { ...row, intent: bytes, intent_hash: hash, expires_at: end }, places: places as Places }
  if (before && equalBytes(before.bytes, bytes)) return { ...given, intent: before.intent }
  const intent = decode(intentShape, new Uint8Array(bytes))
  if (intent.kind !== 'batch' || !equalBytes(intentHash(intent), hash))
    throw new Error(`batch ${id} does not hold the order it names: restore the database from a backup`)
  decoded.set(id, { bytes, intent })
  return { ...given, intent }
}

type Changes = Partial<Insertable<Schema['batch_transfer']>>

/** Writes what is known of a batch by now. It must have been read with a lock in this transaction. */
export async function writeBatch(tx: OrganisationTx, { ports }: Needs, row: BatchRow, changes: Changes): Promise<BatchRow> {
  const updated = { ...changes, version: row.version + 1, updated_at: Math.max(ports.clock.nowMs(), Number(row.updated_at)) }
  return tx
    .updateTable('batch_transfer')
    .set(updated as never)
    .where('org_id', '=', tx.orgId)
    .where('id', '=', row.id)
    .where('version', '=', row.version)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export type BatchMove = { state: BatchState; reason?: string | undefined }

/**
 * The one writer of a batch's state, with what it means for the money that is held for lines without an order. It must have been read with a lock in this
 * transaction. Locks are taken in this sequence: the batch, the sub-wallet, the log, the outbox.
 */
export async function moveBatch(tx: OrganisationTx, needs: Needs, row: BatchRow, { state, reason }: BatchMove, changes: Changes = {}): Promise<BatchRow> {
  if (!BECOMES[row.state].includes(state)) throw new Error(`a batch that is ${row.state} cannot become ${state}`)
  const isEnd = BECOMES[state].length === 0
  if (row.state === 'approving') await closeProposal(tx, row.id)
  else if (isEnd) await endStop(tx, row.id)
  await lockSubWallets(tx, [row.sub_wallet_id])
  if (isEnd) await releaseRest(tx, needs, row)
  // What was stopped while its orders are open is looked after until they are not.
  const isFinal = isEnd && (state !== 'stopped' || row.opened === 0)
  const freed = isEnd ? { hold_id: null } : {}
  const moved = await writeBatch(tx, needs, row, { ...changes, ...freed, state, is_final: isFinal, reason: reason?.slice(0, 1000) || null, waits_for: null })
  await announceBatch(tx, needs, moved, { balance: isEnd && row.hold_id !== null, todo: row.state === 'approving' || state === 'approving' })
  return moved
}

/** Tells open pages of a batch. */
export async function announceBatch(tx: OrganisationTx, { ports }: Needs, row: BatchRow, also: { balance: boolean; todo: boolean }): Promise<void> {
  const place = { wallet_id: row.wallet_id, sub_wallet_id: row.sub_wallet_id }
  await announceAll(tx, ports, [
    { topic: 'batch.changed', ids: { batch_id: row.id, ...place } },
    ...(also.balance ? [{ topic: 'balance.changed' as const, ids: place }] : []),
    ...(also.todo ? [{ topic: 'todo.changed' as const, ids: { batch_id: row.id } }] : []),
  ])
}

/** What transactions of a batch from a certain one on can cost, all together. */
export function costFrom(intent: BatchIntent, first: number): AssetAmount[] {
  const { lines, together, asset, feeAsset, feeCap } = intent
  const rest = lines.slice(first * Number(together))
  const transactions = BigInt(Math.ceil(rest.length / Number(together)))
  const of = ({ chain, contract }: BatchIntent['asset']) => ({ chain, contract })
  return [
    { asset: of(asset), amount: rest.reduce((sum, { amount }) => sum + amount, 0n) },
    { asset: of(feeAsset), amount: feeCap * transactions },
  ]
}

/** Holds what the transactions of a batch from a certain one on can cost; null where none is left. Throws `insufficient_balance`. */
export async function holdRest(tx: OrganisationTx, { ports }: Needs, row: Pick<BatchRow, 'id' | 'sub_wallet_id'>, intent: BatchIntent, first: number) {
  if (first * Number(intent.together) >= intent.lines.length) return null
  const nowMs = ports.clock.nowMs()
  const holding = { reference: `batch:${row.id}:${first}`, subWalletId: row.sub_wallet_id, address: intent.from, amounts: costFrom(intent, first) }
  try {
    return (await hold(tx, { id: newId(nowMs, ports.random), nowMs, ...holding })).id
  } catch (cause) {
    if (cause instanceof InsufficientBalanceError) throw new AppError(transferErrors.insufficient_balance, { cause })
    throw cause
  }
}

/** Frees what a batch holds for lines that have no order. */
export async function releaseRest(tx: OrganisationTx, { ports }: Needs, { hold_id: holdId }: Pick<BatchRow, 'hold_id'>): Promise<void> {
  if (holdId === null) return
  const nowMs = ports.clock.nowMs()
  await release(tx, { id: newId(nowMs, ports.random), holdId, nowMs })
}

/** The next part of a batch that has no order yet, as its order says it. */
export const nextPart = ({ row, intent }: Batch) => partOf(intent, row.opened, known(row.intent_hash, 'the hash of a batch'))
