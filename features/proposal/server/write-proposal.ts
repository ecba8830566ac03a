import { askAlong, type OrganisationTx, writtenOnce } from '@holdfast/db'
import type { TodoKind } from '../contract.ts'
import { bytesToUuid } from '@holdfast/units'
import { sql } from 'kysely'

/** The rank of a proposal in the list: changes of rules and keys come before what they decide. */
export const RANKS = { rules: 0, held: 1, order: 2 } as const

export type NewProposal = {
  /** The id of the subject, in the table of its kind. */
  subjectId: string
  kind: TodoKind
  rank: keyof typeof RANKS
  /** Null if it is decided in the console, without an intent. */
  intentHash: Uint8Array | null
  /** A person, or a machine by the id under which it stands; null if the server proposes by itself. */
  initiator: string | null
  walletId: string | null
  /** The text that a keyword finds, beside the id and the requester's name. */
  words: readonly (string | null)[]
  /** The people it waits for; empty if a right decides who that is. */
  deciders: readonly Uint8Array[]
  /** Null if it never expires. */
  expiresAt: bigint | null
  createdAt: bigint
}

/** Proposes something to the people who decide it, in the transaction that creates it. */
export async function openProposal(tx: OrganisationTx, { subjectId, initiator, deciders, words, ...made }: NewProposal): Promise<void> {
  const own = [subjectId, ...words].filter(Boolean).join('\n')
  insertProposal.along(tx, { ...made, orgId: tx.orgId, subjectId, initiator, own, rank: RANKS[made.rank] })
  await nameDeciders(tx, subjectId, deciders)
}

type Written = Omit<NewProposal, 'deciders' | 'words' | 'rank'> & { orgId: string; own: string; rank: number }

const insertProposal = writtenOnce((db, made: Written) => {
  const { orgId, initiator, own } = made
  const name = sql<string | null>`(select name from person where org_id = ${orgId} and id = ${initiator}::uuid)`
  return db.insertInto('proposal').values({
    org_id: orgId,
    subject_id: made.subjectId,
    kind: made.kind,
    intent_hash: made.intentHash,
    initiator,
    wallet_id: made.walletId,
    rank: made.rank,
    words: sql<string>`concat_ws(E'\n', ${own}::text, ${name})`,
    is_open: true,
    expires_at: made.expiresAt,
    created_at: made.createdAt,
  })
})

/** Writes the people that a proposal waits for. */
export async function nameDeciders(tx: OrganisationTx, subjectId: string, deciders: readonly Uint8Array[]): Promise<void> {
  const ids = [...new Set(deciders.map(bytesToUuid))]
  if (ids.length === 0) return
  insertDeciders.along(tx, { orgId: tx.orgId, subjectId, ids })
}

const insertDeciders = writtenOnce(
  (_, { orgId, subjectId, ids }: { orgId: string; subjectId: string; ids: string[] }) => sql`
    insert into proposal_person (org_id, subject_id, person_id, spoken_at)
    select ${orgId}::uuid, ${subjectId}::uuid, id, null from unnest(${ids}::uuid[]) as id
    on conflict (org_id, subject_id, person_id) do nothing`,
)

/** Writes that a person has decided, in the transaction that stores the decision. */
export async function noteWord(tx: OrganisationTx, subjectId: string, { personId, atMs }: { personId: string; atMs: number }): Promise<void> {
  const written = tx.insertInto('proposal_person').values({ org_id: tx.orgId, subject_id: subjectId, person_id: personId, spoken_at: atMs })
  askAlong(
    tx,
    written.onConflict((conflict) => conflict.columns(['org_id', 'subject_id', 'person_id']).doUpdateSet({ spoken_at: atMs })),
  )
}

/** Closes a proposal that waits for nobody any more, in the transaction in which that becomes so. */
export async function closeProposal(tx: OrganisationTx, subjectId: string): Promise<void> {
  askAlong(tx, tx.updateTable('proposal').set({ is_open: false }).where('org_id', '=', tx.orgId).where('subject_id', '=', subjectId))
}
