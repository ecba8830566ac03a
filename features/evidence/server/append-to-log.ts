import { type OrganisationTx, takeNumbers, writtenOnce } from '@holdfast/db'
import { entryAround } from '@holdfast/log'
import { at } from '@holdfast/units'
import { sql } from 'kysely'
import { factsOf } from './log-facts.ts'

export type LogEntryKind =
  | 'genesis'
  | 'policy'
  | 'key'
  | 'drill'
  | 'intent'
  | 'approval'
  | 'cancellation'
  | 'signature'
  | 'refusal'
  | 'slot-loss'
  | 'coin-lock'
  | 'deposit-claim'

/** What is logged. `place`: the order whose page shows it, and the person whose word it is. */
export type NewLogEntry = {
  genesis: Uint8Array
  type: LogEntryKind
  body: Uint8Array
  atMs: number
  place?: { orderId: string; personId: string | null }
}

/**
 * Appends to the organisation's log inside the caller's transaction: the entry exists exactly if what it tells of does.
 * Returns its sequence, which is its leaf index. Appending takes a row lock, so entries of one organisation are in the
 * order of their commits and have no gap.
 */
export async function appendToLog(tx: OrganisationTx, entry: NewLogEntry): Promise<number> {
  return Number(at(await append(tx, rowsOf(tx, entry)), 0).sequence)
}

/** Does the same along with the transaction's next question, for whoever need not know the sequence. */
export function appendAlong(tx: OrganisationTx, entry: NewLogEntry): void {
  append.along(tx, rowsOf(tx, entry))
}

function rowsOf({ orgId }: OrganisationTx, { genesis, type, body, atMs, place }: NewLogEntry) {
  const { before, after } = entryAround({ genesis, atMs: BigInt(atMs), type, body })
  const { words, personId } = factsOf(type, body, atMs)
  return { orgId, before, after, kind: type, atMs, personId, words, orderId: place?.orderId ?? null, ofPerson: place?.personId ?? null }
}

/**
 * The sequence is known to the database alone, and everybody else of the organisation waits from when it is taken: so the database writes it into the bytes of
 * the entry, between what is around it there, and hashes them as a leaf (RFC 6962). A number is written as big-endian bytes without leading zeros, after
 * their count.
 */
const append = writtenOnce(
  (_, { orgId, before, after, kind, atMs, personId, words, orderId, ofPerson }: ReturnType<typeof rowsOf>) => sql<{ sequence: bigint }>`
    with taken as (${takeNumbers({ orgId }, 'log', 1)}), numbered as (
      select value - 1 as sequence, ltrim(int8send(value - 1), '\\x00'::bytea) as digits from taken
    ), made as (
      select sequence, ${before}::bytea || int4send(octet_length(digits)) || digits || ${after}::bytea as bytes from numbered
    ), entry as (
      insert into log_entry (org_id, sequence, bytes, leaf_hash) select ${orgId}::uuid, sequence, bytes, sha256('\\x00'::bytea || bytes) from made
    ), fact as (
      insert into log_fact (org_id, sequence, kind, at, person_id, words)
      select ${orgId}::uuid, sequence, ${kind}::text, ${atMs}::int8, ${personId}::uuid, ${words}::text from made
    ), place as (
      insert into order_log_place (org_id, order_id, sequence, person_id)
      select ${orgId}::uuid, ${orderId}::uuid, sequence, ${ofPerson}::uuid from made where ${orderId}::uuid is not null
    )
    select sequence from made`,
)
