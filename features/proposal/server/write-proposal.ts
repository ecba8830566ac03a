import { askAlong, type OrganisationTx } from '@holdfast/db'
import type { TodoKind } from '../contract.ts'
import { bytesToUuid } from '@holdfast/units'
import { sql } from 'kysely'

/** Where a proposal stands in the list of what waits: what changes rules and keys before what is decided by them. */
export const RANKS = { rules: 0, held: 1, order: 2 } as const

export type NewProposal = {
  /** The id of what is decided, in the table of its kind. */
  subjectId: string
  kind: TodoKind
  rank: keyof typeof RANKS
  /** Null for what is decided in the console, without an intent. */
  intentHash: Uint8Array | null
  /** Null where the server proposes by itself. */
  initiator: string | null
  walletId: string | null
  /** What a keyword finds, beside the id and the name of who asks. */
  words: readonly (string | null)[]
  /** The people whose word it waits for; empty where a right decides who that is. */
  deciders: readonly Uint8Array[]
  /** Null where it waits without an end. */
  expiresAt: bigint | null
  createdAt: bigint
}

/** Puts something before the people who decide it, in the transaction that makes it. */
export async function openProposal(tx: OrganisationTx, { subjectId, initiator, deciders, words, ...made }: NewProposal): Promise<void> {
  const name = sql<string | null>`(select name from person where org_id = ${tx.orgId} and id = ${initiator}::uuid)`
  const own = [subjectId, ...words].filter(Boolean).join('\n')
  const row = {
    org_id: tx.orgId,
    subject_id: subjectId,
    kind: made.kind,
    intent_hash: made.intentHash,
    initiator,
    wallet_id: made.walletId,
    rank: RANKS[made.rank],
    words: sql<string>`concat_ws(E'\n', ${own}::text, ${name})`,
    is_open: true,
    expires_at: made.expiresAt,
    created_at: made.createdAt,
  }
  askAlong(tx, tx.insertInto('proposal').values(row))
  await nameDeciders(tx, subjectId, deciders)
}

/** Writes whose word a proposal waits for. */
export async function nameDeciders(tx: OrganisationTx, subjectId: string, deciders: readonly Uint8Array[]): Promise<void> {
  const ids = [...new Set(deciders.map(bytesToUuid))]
  if (ids.length === 0) return
  const rows = ids.map((id) => ({ org_id: tx.orgId, subject_id: subjectId, person_id: id, spoken_at: null }))
  const written = tx.insertInto('proposal_person').values(rows)
  askAlong(
    tx,
    written.onConflict((conflict) => conflict.columns(['org_id', 'subject_id', 'person_id']).doNothing()),
  )
}

/** Writes that a person gave their word, in the transaction that keeps it. */
export async function noteWord(tx: OrganisationTx, subjectId: string, { personId, atMs }: { personId: string; atMs: number }): Promise<void> {
  const written = tx.insertInto('proposal_person').values({ org_id: tx.orgId, subject_id: subjectId, person_id: personId, spoken_at: atMs })
  askAlong(
    tx,
    written.onConflict((conflict) => conflict.columns(['org_id', 'subject_id', 'person_id']).doUpdateSet({ spoken_at: atMs })),
  )
}

/** Nobody's word is waited for any more: in the transaction in which that is so. */
export async function closeProposal(tx: OrganisationTx, subjectId: string): Promise<void> {
  askAlong(tx, tx.updateTable('proposal').set({ is_open: false }).where('org_id', '=', tx.orgId).where('subject_id', '=', subjectId))
}
