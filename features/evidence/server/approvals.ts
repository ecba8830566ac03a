import { AppError } from '@holdfast/contract'
import { askAlong, type OrganisationTx } from '@holdfast/db'
import { EncodingFault } from '@holdfast/encoding'
import { delegationOf, readSpoken, seatOf, type Vote } from '@holdfast/intent'
import type { Random } from '@holdfast/ports'
import { bytesToUuid, newId } from '@holdfast/units'

/** A person's signed word on an intent, with the very bytes that were given. */
export type Word = { approval: Vote; bytes: Uint8Array }

/** Everything people have signed about an intent, oldest first. */
export async function readApprovals(tx: OrganisationTx, intentHash: Uint8Array): Promise<(Word & { personId: string })[]> {
  const rows = await tx
    .selectFrom('approval')
    .select(['bytes', 'person_id'])
    .where('org_id', '=', tx.orgId)
    .where('intent_hash', '=', intentHash)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map((row) => {
    const bytes = new Uint8Array(row.bytes)
    return { approval: readVote(bytes), bytes, personId: row.person_id }
  })
}

/** What a person signed of an order, for themselves or for another. Throws EncodingFault. */
export function readVote(bytes: Uint8Array): Vote {
  const [vote] = readSpoken([bytes]).approvals
  if (!vote) throw new EncodingFault('a machine signed it, and no person')
  return vote
}

/** Keeps a word that has been checked. A person has one for each intent: a second one fails. */
export async function storeApproval(tx: OrganisationTx, { approval, bytes }: Word, { random, nowMs }: { random: Random; nowMs: number }): Promise<void> {
  const word = {
    org_id: tx.orgId,
    id: newId(nowMs, random),
    intent_hash: approval.intentHash,
    person_id: bytesToUuid(approval.person),
    decision: approval.decision as 'approve' | 'reject',
    bytes,
    for_person: delegationOf(approval) ? bytesToUuid(seatOf(approval)) : null,
    created_at: nowMs,
  }
  askAlong(tx, tx.insertInto('approval').values(word))
}

/** What whoever gave a word is told where it does not count. */
export function approvalRefused(reason: string, cause?: unknown): AppError {
  return new AppError('invalid_parameters', { details: { field: 'approval', reason }, ...(cause === undefined ? {} : { cause }) })
}
