import type { OrganisationTx } from '@holdfast/db'
import { delegationOf, seatOf, type Vote } from '@holdfast/intent'
import { bytesToUuid } from '@holdfast/units'
import { type RawBuilder, sql } from 'kysely'
import { ORDER_KINDS, type TodoKind } from '../contract.ts'

/** That one person lets another decide in their place now: the statement that they signed for it, by which signers count the word. */
export type DecidesFor = { delegatorId: string; delegateId: string; sequence: bigint; untilMs: number; record: Uint8Array }

/** A word that somebody gave for another. */
export type WordForAnother = { delegatorId: string; delegateId: string; subjectId: string; decision: 'approve' | 'reject' }

/** In what somebody may decide for another: orders that move money, and nothing that governs. */
const DELEGATED_KINDS: readonly string[] = [...ORDER_KINDS, 'batch'] satisfies TodoKind[]

/** That a statement `d` is the last one of its person: every earlier one is over. */
export const IS_LAST = sql<boolean>`not exists (select from delegation later where later.org_id = d.org_id and later.person_id = d.person_id
  and later.sequence > d.sequence)`

/**
 * Who may still speak about what: each person of whom a word is missing for themselves, and for them whoever decides in their place now and has not spoken.
 * Rows of org_id, subject_id, person_id and since when it is so (0 for oneself), to be used as a table; a person may stand in it twice.
 */
export const speakersAt = (nowMs: number): RawBuilder<unknown> => sql`(
  select w.org_id, w.subject_id, w.person_id, 0::int8 as since from proposal_person w where w.spoken_at is null
  union all
  select s.org_id, s.subject_id, d.delegate_id, d.from_at from delegation d
    join proposal_person s on s.org_id = d.org_id and s.person_id = d.person_id and s.spoken_at is null
    join proposal q on q.org_id = s.org_id and q.subject_id = s.subject_id and q.kind = any(${DELEGATED_KINDS}::text[])
      and q.initiator is distinct from d.person_id and q.initiator is distinct from d.delegate_id
    where d.from_at <= ${nowMs} and d.until_at > ${nowMs} and d.delegate_id is not null and ${IS_LAST} and not exists (
      select from approval a where a.org_id = q.org_id and a.intent_hash = q.intent_hash and (a.person_id = d.delegate_id or a.for_person = d.person_id)))`

/** Whether a person may still speak about what stands in a row: the columns of its organisation and its id are named. For themselves, or for another. */
export const maySpeak = ([orgId, subjectId]: readonly [string, string], { personId, nowMs }: { personId: string; nowMs: number }): RawBuilder<boolean> =>
  sql<boolean>`exists (select from ${speakersAt(nowMs)} s
    where s.org_id = ${sql.ref(orgId)} and s.subject_id = ${sql.ref(subjectId)} and s.person_id = ${personId}::uuid)`

/** Everybody who may still speak about something, each once: whom it is told to where something is said to people. */
export async function speakersOf(tx: OrganisationTx, subjectId: string, nowMs: number): Promise<string[]> {
  const { rows } = await sql<{ person_id: string }>`
    select distinct person_id from ${speakersAt(nowMs)} s where s.org_id = ${tx.orgId}::uuid and s.subject_id = ${subjectId}::uuid`.execute(tx)
  return rows.map((each) => each.person_id)
}

/** Whether somebody may decide a proposal of this kind for another. */
export const mayBeDelegated = (kind: string): boolean => DELEGATED_KINDS.includes(kind)

/** For whom a person speaks by a vote, where that is another. */
export function delegatorOf(vote: Vote): string | undefined {
  return delegationOf(vote) === undefined ? undefined : bytesToUuid(seatOf(vote))
}

/**
 * Whether a person may decide a proposal `p` for one of these: who of them is asked by name and has said nothing, also by nobody else, while the person, whose own
 * word is `w`, has not spoken and neither of the two asked for it.
 */
export function asksForAnother(personId: string, delegators: readonly string[]): RawBuilder<boolean> {
  if (delegators.length === 0) return sql<boolean>`false`
  return sql<boolean>`(p.kind = any(${DELEGATED_KINDS}::text[]) and w.spoken_at is null and p.initiator is distinct from ${personId}::uuid
    and exists (select from proposal_person s where ${isOpenSeat(delegators)}))`
}

/** A seat `s` of the proposal `p` that one of these leaves open. */
const isOpenSeat = (delegators: readonly string[]): RawBuilder<boolean> => sql<boolean>`s.org_id = p.org_id and s.subject_id = p.subject_id
  and s.person_id = any(${delegators}::uuid[]) and s.person_id is distinct from p.initiator and s.spoken_at is null
  and not exists (select from approval a where a.org_id = p.org_id and a.intent_hash = p.intent_hash and a.for_person = s.person_id)`

/** For whom a person may decide some proposals, by proposal, by name. Those that wait for nobody of these are not among them. */
export async function readSeats(
  tx: OrganisationTx,
  { personId, delegators, ids }: { personId: string; delegators: readonly string[]; ids: readonly string[] },
): Promise<ReadonlyMap<string, { person_id: string; name: string }[]>> {
  if (delegators.length === 0 || ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; person_id: string; name: string }>`
    select p.subject_id as id, s.person_id, m.name from proposal p
      left join proposal_person w on w.org_id = p.org_id and w.subject_id = p.subject_id and w.person_id = ${personId}::uuid
      join proposal_person s on ${isOpenSeat(delegators)}
      join person m on m.org_id = s.org_id and m.id = s.person_id
      where p.org_id = ${tx.orgId}::uuid and p.subject_id = any(${ids}::uuid[]) and p.is_open and ${asksForAnother(personId, delegators)}
      order by m.name, s.person_id`.execute(tx)
  return new Map([...Map.groupBy(rows, ({ id }) => id)].map(([id, of]) => [id, of.map(({ person_id, name }) => ({ person_id, name }))]))
}

/** Somebody's word, and for whom it is, where that is another. */
type Given = { personId: string; forId: string | null }

/** What counts as a person's word: their own goes before that of who decides for them. With who gave it in their place; null where nobody did. */
export function wordFor<W extends Given>(words: readonly W[], id: string): { word: W | undefined; by: string | null } {
  const of = words.filter((each) => (each.forId ?? each.personId) === id)
  const word = of.find((each) => each.forId === null) ?? of[0]
  return { word, by: word === undefined || word.forId === null ? null : word.personId }
}

/** Those whose word counts, by name, each with who gave it in their place; null where it is their own. */
export const namedWords = (words: readonly Given[], ids: readonly string[], nameOf: (id: string) => string): { name: string; by: string | null }[] =>
  ids.map((id) => {
    const { by } = wordFor(words, id)
    return { name: nameOf(id), by: by && nameOf(by) }
  })

/** Who may decide a proposal for one of those it waits for, and has not spoken. */
export function delegatesFor(
  { kind, initiator, waiting, spoken }: { kind: string; initiator: string | null; waiting: readonly string[]; spoken: readonly string[] },
  deciding: readonly DecidesFor[],
): string[] {
  if (!mayBeDelegated(kind)) return []
  const may = ({ delegatorId, delegateId }: DecidesFor) =>
    waiting.includes(delegatorId) && delegateId !== initiator && delegatorId !== initiator && !spoken.includes(delegateId)
  return [...new Set(deciding.filter(may).map(({ delegateId }) => delegateId))]
}
