import type { Schema } from '@holdfast/db'
import { decode, equalBytes } from '@holdfast/encoding'
import { governedTable } from '@holdfast/features/proposal/server'
import { intentHash, intentShape, type PolicyChangeIntent } from '@holdfast/intent'
import { type Policy, policyShape } from '@holdfast/policy'
import type { Selectable } from 'kysely'

export type PolicyChangeRow = Selectable<Schema['policy_change']>

/** A proposed version of the policy as it stands, decoded from the bytes that were hashed. */
export type PolicyChange = { row: PolicyChangeRow; intent: PolicyChangeIntent; next: Policy }

/** The life of changes: once one has its quorum, the signers are told. */
export const policyChanges = governedTable<PolicyChange>({
  table: 'policy_change',
  events: { table: 'policy_change_event', key: 'change_id' },
  kindOf: () => 'policy_change',
  noun: 'a policy change',
  // Those who may stop a change that waits at the signers still reject it.
  afterQuorum: { approved: ['applied', 'refused', 'rejected', 'expired', 'superseded'] },
  right: 'policy.propose',
  subjectOf: changeOf,
  announcements: ({ id }) => [
    { topic: 'policy.changed', ids: { policy_change_id: id } },
    { topic: 'todo.changed', ids: { policy_change_id: id } },
  ],
})

/** Whether signers wait before they follow an approved change, so that a no still stops it. */
export const isWaiting = ({ state, endorsements, waits_until }: PolicyChangeRow): boolean =>
  state === 'approved' && (endorsements ?? null) === null && (waits_until ?? null) !== null

export function changeOf(row: PolicyChangeRow): PolicyChange {
  const intent = decode(intentShape, new Uint8Array(row.intent))
  if (intent.kind !== 'policyChange' || !equalBytes(intentHash(intent), row.intent_hash))
    throw new Error(`policy change ${row.id} does not hold the intent it names: restore the database from a backup`)
  return { row, intent, next: decode(policyShape, intent.newPolicy) }
}
