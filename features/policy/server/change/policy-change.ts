import type { OrganisationTx, PolicyChangeState, Schema } from '@holdfast/db'
import { decode, equalBytes } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import { appendToLog, type LogEntryKind } from '@holdfast/features/evidence/server'
import { closeProposal } from '@holdfast/features/proposal/server'
import { intentHash, intentShape, type PolicyChangeIntent } from '@holdfast/intent'
import { announceAll } from '@holdfast/jobs'
import { type Policy, policyShape } from '@holdfast/policy'
import type { Selectable } from 'kysely'

export type PolicyChangeRow = Selectable<Schema['policy_change']>

/** A proposed version of the policy as it stands, decoded from the bytes that were hashed. */
export type PolicyChange = { row: PolicyChangeRow; intent: PolicyChangeIntent; next: Policy }

/** A change by its id; `lock` holds it until the transaction ends. */
export async function readPolicyChange(tx: OrganisationTx, id: string, lock = false): Promise<PolicyChange | undefined> {
  const wanted = tx.selectFrom('policy_change').selectAll().where('org_id', '=', tx.orgId).where('id', '=', id)
  const row = await (lock ? wanted.forNoKeyUpdate() : wanted).executeTakeFirst()
  return row && changeOf(row)
}

export function changeOf(row: PolicyChangeRow): PolicyChange {
  const intent = decode(intentShape, new Uint8Array(row.intent))
  if (intent.kind !== 'policyChange' || !equalBytes(intentHash(intent), row.intent_hash))
    throw new Error(`policy change ${row.id} does not hold the intent it names: restore the database from a backup`)
  return { row, intent, next: decode(policyShape, intent.newPolicy) }
}

/** What can become of a change. Nothing that is not here is written. */
const TRANSITIONS: Record<PolicyChangeState, readonly PolicyChangeState[]> = {
  approving: ['approved', 'rejected', 'withdrawn', 'expired', 'superseded'],
  // Has its quorum; the signers are being told.
  approved: ['applied', 'refused', 'expired', 'superseded'],
  applied: [],
  rejected: [],
  refused: [],
  withdrawn: [],
  expired: [],
  superseded: [],
}

export function isFinalChange(state: PolicyChangeState): boolean {
  return TRANSITIONS[state].length === 0
}

export type ChangeMove = {
  state: PolicyChangeState
  /** A person's id, server, or signer-1 to signer-3. */
  actor: string
  reason?: string
  log?: readonly { type: LogEntryKind; body: Uint8Array }[]
}

/**
 * The one writer of a change's state: row, log, timeline and the hint to open pages, in the caller's transaction. `change` must
 * have been read with a lock in this transaction. Locks are taken in this order: change, log, outbox.
 */
export async function moveChange(tx: OrganisationTx, { ports }: Pick<ServerContext, 'ports'>, change: PolicyChange, move: ChangeMove): Promise<PolicyChange> {
  const { row, intent } = change
  if (!TRANSITIONS[row.state].includes(move.state)) throw new Error(`a policy change that is ${row.state} cannot become ${move.state}`)
  const nowMs = ports.clock.nowMs()
  const written = await tx
    .updateTable('policy_change')
    .set({
      state: move.state,
      is_final: isFinalChange(move.state),
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
  await writeChangeEvent(tx, written, move, nowMs)
  await announceChange(tx, { ports }, written)
  return { ...change, row: written }
}

export async function writeChangeEvent(
  tx: OrganisationTx,
  row: Pick<PolicyChangeRow, 'id' | 'version' | 'state'>,
  { actor, reason }: { actor: string; reason?: string },
  nowMs: number,
): Promise<void> {
  await tx
    .insertInto('policy_change_event')
    .values({ org_id: tx.orgId, change_id: row.id, seq: row.version, state: row.state, actor, reason: reason?.slice(0, 1000) || null, at: nowMs })
    .execute()
}

/** Tells open pages. The last thing a transaction does. */
export async function announceChange(tx: OrganisationTx, { ports }: Pick<ServerContext, 'ports'>, row: Pick<PolicyChangeRow, 'id'>): Promise<void> {
  const ids = { policy_change_id: row.id }
  await announceAll(tx, ports, [
    { topic: 'policy.changed', ids },
    { topic: 'todo.changed', ids },
  ])
}
