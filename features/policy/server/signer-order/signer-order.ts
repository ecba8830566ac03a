import type { OrganisationTx, Schema, SignerOrderState } from '@holdfast/db'
import { decode, equalBytes } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import { appendToLog, type LogEntryKind } from '@holdfast/features/evidence/server'
import { closeProposal } from '@holdfast/features/proposal/server'
import { intentHash, intentShape, type SignerOrderIntent } from '@holdfast/intent'
import { announceAll } from '@holdfast/jobs'
import type { Selectable } from 'kysely'

export type SignerOrderRow = Selectable<Schema['signer_order']>
/** Where in the log the intent stands, and each person's approval by person id. */
export type SignerOrderPlaces = { intent: number; words: Record<string, number> }
/** An order to the signers themselves as it stands, decoded from the bytes that were hashed. `followed` are the signers that follow it. */
export type SignerOrder = { row: SignerOrderRow; intent: SignerOrderIntent; places: SignerOrderPlaces; followed: number[] }

/** An order by its id; `lock` holds it until the transaction ends. */
export async function readSignerOrder(tx: OrganisationTx, id: string, lock = false): Promise<SignerOrder | undefined> {
  const wanted = tx.selectFrom('signer_order').selectAll().where('org_id', '=', tx.orgId).where('id', '=', id)
  const row = await (lock ? wanted.forNoKeyUpdate() : wanted).executeTakeFirst()
  return row && signerOrderOf(row)
}

/** The order whose intent has this hash. */
export async function readSignerOrderByIntent(tx: OrganisationTx, hash: Uint8Array): Promise<SignerOrder | undefined> {
  const row = await tx.selectFrom('signer_order').selectAll().where('org_id', '=', tx.orgId).where('intent_hash', '=', hash).executeTakeFirst()
  return row && signerOrderOf(row)
}

/** Whether an order of a kind waits for people or for signers. */
export async function hasOpenSignerOrder(tx: OrganisationTx, kind: SignerOrderRow['kind']): Promise<boolean> {
  const open = tx.selectFrom('signer_order').select('id').where('org_id', '=', tx.orgId).where('kind', '=', kind).where('is_final', '=', false)
  return (await open.executeTakeFirst()) !== undefined
}

export function signerOrderOf(row: SignerOrderRow): SignerOrder {
  const intent = decode(intentShape, new Uint8Array(row.intent))
  const isOne = intent.kind === 'absence' || intent.kind === 'liftFreeze'
  if (!isOne || !equalBytes(intentHash(intent), row.intent_hash))
    throw new Error(`signer order ${row.id} does not hold the intent it names: restore the database from a backup`)
  return { row, intent, places: row.places as SignerOrderPlaces, followed: row.followed as number[] }
}

/** What can become of an order. Nothing that is not here is written. */
const TRANSITIONS: Record<SignerOrderState, readonly SignerOrderState[]> = {
  approving: ['approved', 'rejected', 'withdrawn', 'expired', 'superseded'],
  // Has its quorum; the signers are being told. Rejected as long as none of them said that it would follow.
  approved: ['followed', 'rejected', 'refused', 'expired', 'superseded'],
  followed: [],
  rejected: [],
  refused: [],
  withdrawn: [],
  expired: [],
  superseded: [],
}

export type SignerOrderMove = {
  state: SignerOrderState
  /** A person's id, server, or signer-1 to signer-3. */
  actor: string
  reason?: string
  log?: readonly { type: LogEntryKind; body: Uint8Array }[]
}

/**
 * The one writer of an order's state: row, log, timeline and the hint to open pages, in the caller's transaction. `order` must have been read with a lock in this
 * transaction. Locks are taken in this order: order, log, outbox.
 */
export async function moveSignerOrder(
  tx: OrganisationTx,
  { ports }: Pick<ServerContext, 'ports'>,
  order: SignerOrder,
  move: SignerOrderMove,
): Promise<SignerOrder> {
  const { row, intent } = order
  if (!TRANSITIONS[row.state].includes(move.state)) throw new Error(`an order to the signers that is ${row.state} cannot become ${move.state}`)
  const nowMs = ports.clock.nowMs()
  const written = await tx
    .updateTable('signer_order')
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
  await writeSignerOrderEvent(tx, written, move, nowMs)
  await announceSignerOrder(tx, { ports }, written)
  return { ...order, row: written }
}

/** Writes where in the log the words of people on an order stand. */
export async function writeSignerOrderPlaces(tx: OrganisationTx, { row }: SignerOrder, places: SignerOrderPlaces): Promise<void> {
  await tx
    .updateTable('signer_order')
    .set({ places: JSON.stringify(places) })
    .where('org_id', '=', tx.orgId)
    .where('id', '=', row.id)
    .execute()
}

/** Writes which signers follow an order. */
export async function writeSignerOrderFollowed(tx: OrganisationTx, { row }: SignerOrder, followed: readonly number[]): Promise<void> {
  await tx
    .updateTable('signer_order')
    .set({ followed: JSON.stringify(followed) })
    .where('org_id', '=', tx.orgId)
    .where('id', '=', row.id)
    .execute()
}

export async function writeSignerOrderEvent(
  tx: OrganisationTx,
  row: Pick<SignerOrderRow, 'id' | 'version' | 'state'>,
  { actor, reason }: { actor: string; reason?: string },
  nowMs: number,
): Promise<void> {
  await tx
    .insertInto('signer_order_event')
    .values({ org_id: tx.orgId, order_id: row.id, seq: row.version, state: row.state, actor, reason: reason?.slice(0, 1000) || null, at: nowMs })
    .execute()
}

/** Tells open pages. The last thing a transaction does. */
export async function announceSignerOrder(tx: OrganisationTx, { ports }: Pick<ServerContext, 'ports'>, row: Pick<SignerOrderRow, 'id'>): Promise<void> {
  const ids = { signer_order_id: row.id }
  await announceAll(tx, ports, [
    { topic: 'policy.changed', ids },
    { topic: 'todo.changed', ids },
  ])
}
